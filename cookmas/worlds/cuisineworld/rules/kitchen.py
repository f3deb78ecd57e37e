"""The kitchen of an episode, which stays as it is, and its state, which changes.

The kitchen has places, tools and recipes, and says how often orders come. States are immutable
values that can be stored and compared.

A planner may see the whole `CuisineKitchen`. The future orders are hidden in the `CuisineTask` of
the engine.
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
"""Number of episodes of a run. One random generator draws the orders of all its episodes."""
TAUS = ("1.0", "1.5", "2.0", "2.5", "3.0")
"""The values of tau, a factor of the interval between orders, from dense to relaxed.

The collaboration score is a mean over them.
"""
MOST_AGENTS = 4
"""Greatest number of agents in a kitchen."""


class Tool(NamedTuple):
    """A kind of cooking tool."""

    capacity: int
    """Greatest number of items that the tool holds."""
    wait: int
    """Timesteps for which cooking occupies the tool."""


class Recipe(NamedTuple):
    """One cooking step, in which a kind of tool turns items into a product."""

    product: str
    """Name of the product."""
    tool: str
    """Kind of tool."""
    inputs: tuple[str, ...]
    """Names of the items that become the product."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CuisineKitchen:
    """The kitchen of a level, for an order interval and a number of agents."""

    level: str
    """Name of the level."""
    tau: str
    """The factor tau of the interval between orders; one of `TAUS`."""
    agents: int
    """Number of agents."""
    places: Mapping[str, str]
    """The kind of each place, by the name of the place, in the order of the level."""
    tools: Mapping[str, Tool]
    """All kinds of tool, by name."""
    dishes: tuple[str, ...]
    """The dishes of the level, in the order that the random draws of orders use."""
    recipes: Mapping[str, Recipe]
    """The recipes that the dishes need, by product."""
    ingredients: frozenset[str]
    """The items that storage gives."""
    interval: int
    """Timesteps between two orders."""
    lifetimes: Mapping[str, int]
    """Number of timesteps in which an order can be served, by dish."""
    table: str
    """Name of the serving table."""
    storage: str
    """Name of the storage."""
    cooking: Mapping[str, Mapping[tuple[str, ...], str | None]]
    """By kind of tool, the product of each possible content, which is a sorted tuple of items.

    The product is None if the content is only a part of a recipe.
    """
    servable: tuple[str, ...]
    """The dishes whose tools the level has."""
    by_kind: Mapping[str, tuple[str, ...]]
    """Names of the places of each kind."""


def steps_of(product: str, recipes: Mapping[str, Recipe]) -> Iterator[Recipe]:
    """Yield the cooking steps of a product, the last step at the end.

    A step that is needed twice is yielded twice.
    """
    recipe = recipes.get(product)
    if recipe is not None:
        for item in recipe.inputs:
            yield from steps_of(item, recipes)
        yield recipe


def work(dish: str, recipes: Mapping[str, Recipe], tools: Mapping[str, Tool]) -> int:
    """Return the work of a dish, in timesteps (MindAgent, Appendix E.4).

    Each different product and each different base ingredient counts 3. Each cooking step also
    counts the timesteps for which it occupies its tool, except the first timestep.
    """
    cooking = {recipe.product: recipe for recipe in steps_of(dish, recipes)}
    nodes = set(cooking).union(*(recipe.inputs for recipe in cooking.values()))
    return 3 * len(nodes) + sum(max(0, tools[step.tool].wait - 1) for step in cooking.values())


def interval_of(works: list[int], tau: str) -> int:
    """Return the timesteps between two orders, from the work of each dish of a level and `tau`."""
    return max(ceil(Fraction(tau) * each * Fraction(3, 10)) for each in works)


def lifetime_of(work_of_dish: int, tau: str) -> int:
    """Return the timesteps in which an order can be served, from the work of its dish and `tau`."""
    return ceil(Fraction(5, 2) * Fraction(tau) * work_of_dish * Fraction(3, 10))


def parts_of_recipes(recipes: Mapping[str, Recipe], kind: str) -> dict[tuple[str, ...], str | None]:
    """Return the product of each possible content of a kind of tool.

    A content is a sorted tuple of items. The product is None if the content is only a part of a
    recipe.
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


class Agent(NamedTuple):
    """The place of an agent and the item that it holds."""

    at: str
    """Name of the place."""
    holding: str | None = None
    """Item in its hands; None if they are empty."""


class Order(NamedTuple):
    """An open order.

    Orders are sorted by lifetime, then by dish. They are shown and served in this order.
    """

    lifetime: int
    """Number of further timesteps in which the order can be served."""
    dish: str
    """The dish."""


class CuisineState(NamedTuple):
    """Everything that changes during an episode, without future orders."""

    timestep: int
    """The present timestep."""
    agents: tuple[Agent, ...]
    """The agents by number."""
    inside: Mapping[str, tuple[str, ...]]
    """Items in each place that is not empty, in the order in which they were put in."""
    busy: Mapping[str, int]
    """Timesteps left for each occupied tool."""
    orders: tuple[Order, ...]
    """The open orders, sorted."""
    arrived: int
    """Number of orders that have come so far."""
    completed: tuple[str, ...]
    """Dishes of the completed orders, in the order of closing."""
    failed: tuple[str, ...]
    """Dishes of the failed orders, in the order of closing."""
    failed_count: int
    """MindAgent's count of failures: orders that fail in the same timestep count as one."""


def opening(kitchen: CuisineKitchen, first: str | None) -> CuisineState:
    """Return the state at timestep 0: all agents at the serving table, and the first order."""
    orders = () if first is None else (Order(kitchen.lifetimes[first], first),)
    return CuisineState(
        timestep=0,
        agents=(Agent(kitchen.table),) * kitchen.agents,
        inside={},
        busy={},
        orders=orders,
        arrived=len(orders),
        completed=(),
        failed=(),
        failed_count=0,
    )
