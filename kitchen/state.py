"""The state of a kitchen in an episode: immutable values, so that callers can keep any state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from cookmas.episodes.codec import BY_WORKER, SORTED, PlainForm
from cookmas.kitchen.components import parse_thing
from cookmas.kitchen.foods import Thing
from cookmas.kitchen.layout import Kitchen

FOREVER = 10**9
"""The timestep that planners see as the end of an outage whose end is not known."""


InNotation = Annotated[Thing, PlainForm(str, parse_thing)]
"""A thing, as plain data a text in the notation of `cookmas.kitchen.components`."""


class WorkerState(NamedTuple):
    """The state of a worker."""

    station: str
    """The station at which the worker stands."""
    holding: InNotation | None = None
    """The thing in its hand; None if the hand is empty."""


class Content(NamedTuple):
    """A thing in a slot of a station."""

    slot: int
    """Number of the slot, from 1."""
    thing: InNotation
    """The thing."""
    since: int | None = None
    """The timestep at which its cooking was started; None if it does not cook."""


class Outage(NamedTuple):
    """The time for which a station or worker is out of service."""

    since: int
    """The first timestep."""
    until: int
    """The timestep after the last one."""


CLOSED_LINES = 12
"""The number of closed order lines that a state keeps.

Beyond it, the orders that were closed longest ago leave the state, each order as a whole.
"""

LineStatus = Literal["open", "served", "cancelled", "refused"]
"""The status of an order line.

`cancelled` means that the customer no longer wants it. `refused` means that the customer wants it
and that the kitchen has said it will not make it.
"""


class OrderLine(NamedTuple):
    """One menu item of an order."""

    item: str
    """Name of the menu item."""
    note: str = ""
    """The customer's words."""
    due: int | None = None
    """The timestep by which it should be served; None if there is none."""
    status: LineStatus = "open"
    """Its status: open, served, cancelled or refused."""
    closed_at: int | None = None
    """The timestep at which it was served, cancelled or refused; None while it is open."""


def order_of(line: str) -> str:
    """Return the name of the order of an order line; empty if the line's name has no dot."""
    return line.rpartition(".")[0]


class KitchenState(NamedTuple):
    """Everything about a kitchen that changes during an episode."""

    timestep: int
    """The present timestep."""
    workers: Annotated[tuple[WorkerState, ...], BY_WORKER]
    """The workers, in the kitchen's order."""
    contents: Annotated[Mapping[str, tuple[Content, ...]], SORTED]
    """The filled slots of each station that holds something, in the order of slots."""
    out: Annotated[Mapping[str, Outage], SORTED]
    """The stations and workers that are out of service."""
    stock: Mapping[str, int]
    """How many are left of each ingredient, or of plates, if their number is limited."""
    lines: Mapping[str, OrderLine]
    """The order lines by name, in the order of arrival; `o1.2` is line 2 of order `o1`."""
    gone: int = 0
    """How many served lines have left the state; see `CLOSED_LINES`."""

    def open_lines(self) -> dict[str, OrderLine]:
        """Return the order lines that are still to be served."""
        return {name: line for name, line in self.lines.items() if line.status == "open"}

    def lines_to_leave(self) -> list[str]:
        """Return the lines that leave the state after this timestep.

        A line that was closed at this timestep stays.
        """
        if len(self.lines) <= CLOSED_LINES:
            return []
        closed = len(self.lines) - len(self.open_lines())
        if closed <= CLOSED_LINES:
            return []
        orders: dict[str, list[str]] = {}
        for name in self.lines:
            orders.setdefault(order_of(name), []).append(name)
        ages = {order: self._closing_time(names) for order, names in orders.items()}
        leaving: list[str] = []
        for order in sorted(orders, key=lambda order: ages[order]):
            if ages[order] >= self.timestep or closed - len(leaving) <= CLOSED_LINES:
                break
            leaving += orders[order]
        return leaving

    def _closing_time(self, names: Sequence[str]) -> int:
        """Return when the last of these lines was closed; FOREVER if one of them is open."""
        closed = (self.lines[name].closed_at for name in names)
        return max(FOREVER if timestep is None else timestep for timestep in closed)

    def end_outages(self) -> KitchenState:
        """Return the state if everything that is out of service came back now."""
        contents = {
            name: shift_clocks(lying, self.timestep - self.out[name].since)
            if name in self.out
            else lying
            for name, lying in self.contents.items()
        }
        return self._replace(contents=contents, out={})

    def minutes_cooked(self, station: str, content: Content) -> int:
        """Return for how many minutes a content has been cooking in its station so far."""
        if content.since is None:
            return 0
        outage = self.out.get(station)
        return (outage.since if outage else self.timestep) - content.since


def shift_clocks(contents: tuple[Content, ...], pause: int) -> tuple[Content, ...]:
    """Return the contents of a station after a pause, which does not count as cooking."""
    return tuple(
        each if each.since is None else each._replace(since=each.since + pause) for each in contents
    )


def make_opening_state(kitchen: Kitchen) -> KitchenState:
    """Return the state before the first order: all workers in the aisle, with empty hands."""
    return KitchenState(
        timestep=0,
        workers=tuple(WorkerState(kitchen.aisle) for _ in kitchen.workers),
        contents={},
        out={},
        stock=dict(kitchen.stock),
        lines={},
    )
