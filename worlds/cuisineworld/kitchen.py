"""What never changes in a play: places, tools, recipes, and how often orders come.

All of this is public: a planner may see every bit of a `Kitchen`. What is hidden, the stream of
orders, belongs to a `Task` of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import NamedTuple

STORAGE, TABLE = "storage", "servingtable"
STEPS = 60
"""Timesteps of an episode."""
EPISODES = 3
"""Episodes of a run, played one after the other from one stream of orders."""
TAUS = ("1.0", "1.5", "2.0", "2.5", "3.0")
"""The order intervals that the collaboration score averages over, from dense to relaxed."""
MOST_AGENTS = 4


class Tool(NamedTuple):
    """A kind of cooking tool: how many items it takes and how long it is occupied by cooking."""

    capacity: int
    wait: int


class Recipe(NamedTuple):
    """What becomes what, and in which kind of tool."""

    product: str
    tool: str
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kitchen:
    """A level at an order interval `tau`, for a number of agents.

    `places` are in the level's order, with the kind of each; `recipes` are those that the level's
    dishes need, by product; `ingredients` is what storage gives. `interval` is the timesteps
    between two orders, `lifetimes` those in which an order of each dish can be served. `cooking`
    says for each kind of tool what may be inside, as sorted items, and what that cooks to (None
    for a part of a recipe). `servable` is the dishes for which the level has every tool, `by_kind`
    the places of each kind.
    """

    level: str
    tau: str
    agents: int
    places: Mapping[str, str]
    tools: Mapping[str, Tool]
    dishes: tuple[str, ...]
    recipes: Mapping[str, Recipe]
    ingredients: frozenset[str]
    interval: int
    lifetimes: Mapping[str, int]
    table: str
    storage: str
    cooking: Mapping[str, Mapping[tuple[str, ...], str | None]]
    servable: tuple[str, ...]
    by_kind: Mapping[str, tuple[str, ...]]


def steps_of(product: str, recipes: Mapping[str, Recipe]) -> Iterator[Recipe]:
    """The cooking steps that a product needs, its own last; a step needed twice comes twice."""
    recipe = recipes.get(product)
    if recipe is not None:
        for item in recipe.inputs:
            yield from steps_of(item, recipes)
        yield recipe


def work(dish: str, recipes: Mapping[str, Recipe], tools: Mapping[str, Tool]) -> int:
    """The work that a dish is reckoned to be, in timesteps (MindAgent, Appendix E.4).

    Three for each node of its recipe graph, base ingredients included, and what a tool's wait has
    beyond one for each cooking step.
    """
    cooking = {recipe.product: recipe for recipe in steps_of(dish, recipes)}
    nodes = set(cooking).union(*(recipe.inputs for recipe in cooking.values()))
    return 3 * len(nodes) + sum(max(0, tools[step.tool].wait - 1) for step in cooking.values())


def interval_of(works: list[int], tau: str) -> int:
    """Timesteps between two orders, from the work of a level's dishes."""
    return max(ceil(Fraction(tau) * each * Fraction(3, 10)) for each in works)


def lifetime_of(work_of_dish: int, tau: str) -> int:
    """Timesteps in which an order can be served, from the work of its dish."""
    return ceil(Fraction(5, 2) * Fraction(tau) * work_of_dish * Fraction(3, 10))


def parts_of_recipes(recipes: Mapping[str, Recipe], kind: str) -> dict[tuple[str, ...], str | None]:
    """What may be inside a tool of a kind: every part of a recipe, sorted, with its product.

    The product is None where the part is not a whole recipe.
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
