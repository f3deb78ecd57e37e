"""The state of an episode: immutable values that can be stored and compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen


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
