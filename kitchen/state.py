"""The state of a kitchen in an episode: immutable values, so that any state can be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from kitchen.foods import Thing
from kitchen.layout import Kitchen

FOREVER = 10**9
"""The timestep by which an outage of unknown length ends, as a planner sees it."""


class WorkerState(NamedTuple):
    """Where a worker stands and what it holds."""

    station: str
    holding: Thing | None = None


class Content(NamedTuple):
    """A thing in a slot of a station; `since` is the timestep at which its cooking was started."""

    slot: int
    thing: Thing
    since: int | None = None


class Outage(NamedTuple):
    """A station or worker out of service from timestep `since` until `until`, exclusive."""

    since: int
    until: int


CLOSED_LINES = 12
"""Closed order lines that a kitchen remembers; of more, those closed longest ago leave the state,
whole orders at a time."""

LineStatus = Literal["open", "served", "cancelled", "refused"]
"""`cancelled`: no longer wanted. `refused`: wanted, and the kitchen has said that it will not be
made."""


class OrderLine(NamedTuple):
    """One menu item of an order, with the customer's words.

    `due` is a timestep, `closed_at` the timestep of serving, cancelling or refusing.
    """

    item: str
    note: str = ""
    due: int | None = None
    status: LineStatus = "open"
    closed_at: int | None = None


def order_of(line: str) -> str:
    """Return the name of the order that a line is of; empty where the name has none."""
    return line.rpartition(".")[0]


class KitchenState(NamedTuple):
    """Everything that changes in a kitchen.

    `workers` are in the kitchen's order; `contents` lists the filled slots of each station that
    holds something, by slot; `stock` counts only what is limited; `lines` are by their names
    (`o1.2` is line 2 of order `o1`), in the order of arrival; `gone` counts the served lines that
    have left the state, so that it does not grow with age.
    """

    timestep: int
    workers: tuple[WorkerState, ...]
    contents: Mapping[str, tuple[Content, ...]]
    out: Mapping[str, Outage]
    stock: Mapping[str, int]
    lines: Mapping[str, OrderLine]
    gone: int = 0

    def open_lines(self) -> dict[str, OrderLine]:
        """The order lines still to be served."""
        return {name: line for name, line in self.lines.items() if line.status == "open"}

    def leaving(self) -> list[str]:
        """The lines that are to leave the state; none that was closed at this timestep."""
        if len(self.lines) <= CLOSED_LINES:
            return []
        closed = len(self.lines) - len(self.open_lines())
        if closed <= CLOSED_LINES:
            return []
        orders: dict[str, list[str]] = {}
        for name in self.lines:
            orders.setdefault(order_of(name), []).append(name)
        ages = {order: self._closed_at(names) for order, names in orders.items()}
        leaving: list[str] = []
        for order in sorted(orders, key=lambda order: ages[order]):
            if ages[order] >= self.timestep or closed - len(leaving) <= CLOSED_LINES:
                break
            leaving += orders[order]
        return leaving

    def _closed_at(self, names: Sequence[str]) -> int:
        """When the last of these lines was closed; FOREVER if one is open."""
        closed = (self.lines[name].closed_at for name in names)
        return max(FOREVER if timestep is None else timestep for timestep in closed)

    def cooked(self, station: str, content: Content) -> int:
        """Minutes that something has been cooking in an appliance so far."""
        if content.since is None:
            return 0
        outage = self.out.get(station)
        return (outage.since if outage else self.timestep) - content.since


def opening_state(kitchen: Kitchen) -> KitchenState:
    """The state before the first order: everybody in the aisle, empty-handed."""
    return KitchenState(
        timestep=0,
        workers=tuple(WorkerState(kitchen.aisle) for _ in kitchen.workers),
        contents={},
        out={},
        stock=dict(kitchen.stock),
        lines={},
    )
