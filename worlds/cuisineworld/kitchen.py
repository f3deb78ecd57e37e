"""The constants of a play: places, tools, recipes, and how often orders come.

All of this is public: a planner may see the whole `CuisineKitchen`. The stream of orders is hidden;
it belongs to a `CuisineTask` of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

STORAGE, TABLE = "storage", "servingtable"
STEPS = 60
"""Number of timesteps of an episode."""
EPISODES = 3
"""Number of episodes of a run; they take their orders from one generator, one after the other."""
TAUS = ("1.0", "1.5", "2.0", "2.5", "3.0")
"""The order intervals that the collaboration score averages over, from dense to relaxed."""
MOST_AGENTS = 4
"""Greatest number of agents in a kitchen."""


class Tool(NamedTuple):
    """A kind of cooking tool."""

    capacity: int
    """Greatest number of items that it holds."""
    wait: int
    """Timesteps for which cooking occupies it."""


class Recipe(NamedTuple):
    """One cooking step: items become a product in a kind of tool."""

    product: str
    """Name of the product."""
    tool: str
    """Kind of tool."""
    inputs: tuple[str, ...]
    """Names of the items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CuisineKitchen:
    """A level at an order interval, for a number of agents."""

    level: str
    """Name of the level."""
    tau: str
    """Factor of the interval between orders; one of `TAUS`."""
    agents: int
    """Number of agents."""
    places: Mapping[str, str]
    """Kind of each place by its name, in the order of the level."""
    tools: Mapping[str, Tool]
    """All kinds of tool, by name."""
    dishes: tuple[str, ...]
    """The dishes of the level, in the order of drawing."""
    recipes: Mapping[str, Recipe]
    """The recipes that these dishes need, by product."""
    ingredients: frozenset[str]
    """The items that storage gives."""
    interval: int
    """Timesteps between two orders."""
    lifetimes: Mapping[str, int]
    """Timesteps in which an order can be served, by dish."""
    table: str
    """Name of the serving table."""
    storage: str
    """Name of the storage."""
    cooking: Mapping[str, Mapping[tuple[str, ...], str | None]]
    """By kind of tool: each possible content (sorted items) and its product; None for a part."""
    servable: tuple[str, ...]
    """The dishes for which the level has every tool."""
    by_kind: Mapping[str, tuple[str, ...]]
    """Names of the places of each kind."""


def steps_of(product: str, recipes: Mapping[str, Recipe]) -> Iterator[Recipe]:
    """Yield the cooking steps of a product, its own last; a step needed twice comes twice."""
    recipe = recipes.get(product)
    if recipe is not None:
        for item in recipe.inputs:
            yield from steps_of(item, recipes)
        yield recipe


def work(dish: str, recipes: Mapping[str, Recipe], tools: Mapping[str, Tool]) -> int:
    """Return the work that a dish counts for, in timesteps (MindAgent, Appendix E.4).

    It is 3 for each node of its recipe graph, base ingredients included, and for each cooking step
    the timesteps beyond the first that the tool waits.
    """
    cooking = {recipe.product: recipe for recipe in steps_of(dish, recipes)}
    nodes = set(cooking).union(*(recipe.inputs for recipe in cooking.values()))
    return 3 * len(nodes) + sum(max(0, tools[step.tool].wait - 1) for step in cooking.values())


def interval_of(works: list[int], tau: str) -> int:
    """Return the timesteps between two orders, from the work of a level's dishes."""
    return max(ceil(Fraction(tau) * each * Fraction(3, 10)) for each in works)


def lifetime_of(work_of_dish: int, tau: str) -> int:
    """Return the timesteps in which an order can be served, from the work of its dish."""
    return ceil(Fraction(5, 2) * Fraction(tau) * work_of_dish * Fraction(3, 10))


def parts_of_recipes(recipes: Mapping[str, Recipe], kind: str) -> dict[tuple[str, ...], str | None]:
    """Return every possible content of a kind of tool (sorted items) with its product.

    The product is None if the content is only a part of a recipe.
    """
    parts: dict[tuple[str, ...], str | None] = {}
    for recipe in recipes.values():
        if recipe.tool != kind:
            continue
        inputs = recipe.inputs
        for chosen in range(1, 1 << len(inputs)):
            part = tuple(sorted(item for i, item in enumerate(inputs) if chosen >> i & 1))
            parts.setdefault(part, None)
        parts[tuple(sorted(inputs))] = recipe.product
    return parts
