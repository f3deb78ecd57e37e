"""The state of a play: immutable values, so that any state can be kept and compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from worlds.cuisineworld.kitchen import Kitchen


class Agent(NamedTuple):
    """Where an agent stands and what it holds."""

    at: str
    holding: str | None = None


class Order(NamedTuple):
    """An order that waits; `lifetime` is how many more timesteps may serve it.

    Orders compare by lifetime, then by dish: the order in which they are shown and served.
    """

    lifetime: int
    dish: str


class State(NamedTuple):
    """Everything that changes in a play.

    `inside` has only places that hold something, items in the order in which they were put in;
    `busy` has only occupied tools, with the timesteps that are left. `arrived` counts the orders
    that have come so far, `completed` and `failed` are the dishes of those that are closed, in
    the order of closing. `failed_count` is the original's count of failures, which takes orders
    that fail in the same timestep for one. Nothing in it tells of orders to come.
    """

    timestep: int
    agents: tuple[Agent, ...]
    inside: Mapping[str, tuple[str, ...]]
    busy: Mapping[str, int]
    orders: tuple[Order, ...]
    arrived: int
    completed: tuple[str, ...]
    failed: tuple[str, ...]
    failed_count: int


def opening(kitchen: Kitchen, first: str | None) -> State:
    """The state at timestep 0: everybody at the serving table, the first order is there."""
    orders = () if first is None else (Order(kitchen.lifetimes[first], first),)
    return State(
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


def dump(state: State) -> dict[str, Any]:
    """The state as plain data."""
    return {
        "timestep": state.timestep,
        "agents": [list(agent) for agent in state.agents],
        "inside": {place: list(items) for place, items in state.inside.items()},
        "busy": dict(state.busy),
        "orders": [list(order) for order in state.orders],
        "arrived": state.arrived,
        "completed": list(state.completed),
        "failed": list(state.failed),
        "failed_count": state.failed_count,
    }


def load(data: Mapping[str, Any]) -> State:
    """The state from the plain data of `dump`."""
    return State(
        timestep=data["timestep"],
        agents=tuple(Agent(*agent) for agent in data["agents"]),
        inside={place: tuple(items) for place, items in data["inside"].items()},
        busy=dict(data["busy"]),
        orders=tuple(Order(*order) for order in data["orders"]),
        arrived=data["arrived"],
        completed=tuple(data["completed"]),
        failed=tuple(data["failed"]),
        failed_count=data["failed_count"],
    )
