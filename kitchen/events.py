"""The events of a kitchen: orders, changes, cancellations, refusals and faults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from cookmas.episodes.world import Ruling, Trigger
from cookmas.files.errors import InputError
from cookmas.files.wording import describe_field
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState, OrderLine, Outage, WorkerState, order_of

LAST_TIMESTEP = 10_000
"""The last timestep for which an event can be scheduled, and the longest fault: about a week."""

LONGEST_NOTE = 500
"""Maximum length of a customer's words, in characters."""

LONGEST_WHY = 1000
"""Maximum length of a refusal reason, in characters."""

MOST_LINES = 50
"""Maximum number of lines of an order when it comes in."""

Note = Annotated[str, Field(max_length=LONGEST_NOTE)]
Name = Annotated[str, Field(max_length=100)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Line(_Model):
    """One menu item as ordered."""

    item: Name
    """The name of the menu item."""
    note: Note = ""
    """The customer's words."""


class NewOrder(_Model):
    """An order comes in."""

    kind: Literal["new_order"]
    order: Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z][A-Za-z0-9_-]*$")]
    """Name of the order."""
    lines: Annotated[list[Line], Field(min_length=1, max_length=MOST_LINES)]
    """Its lines; the kitchen names them `order.1`, `order.2` and so on."""
    due: Annotated[int, Field(ge=0, le=10**9)] | None = None
    """The timestep by which the whole order should be served; None if there is none."""


class AddLine(_Model):
    """The customer adds a menu item to an order; the new line takes the order's next number."""

    kind: Literal["add_line"]
    order: Name
    """Name of the order."""
    item: Name
    """The menu item."""
    note: Note = ""
    """The customer's words."""


class RemoveLine(_Model):
    """The customer no longer wants a line of an order."""

    kind: Literal["remove_line"]
    line: Name
    """Name of the line."""


class ChangeLine(_Model):
    """The customer changes the words for a line."""

    kind: Literal["change_line"]
    line: Name
    """Name of the line."""
    note: Note
    """The words that replace the earlier ones."""


class CancelOrder(_Model):
    """The customer no longer wants any line of an order that is not served yet."""

    kind: Literal["cancel_order"]
    order: Name
    """Name of the order."""


class RefuseLine(_Model):
    """The kitchen will not make a line that the customer wants.

    Only the orchestrator sends this event.
    """

    kind: Literal["refuse_line"]
    line: Name
    """Name of the line."""
    why: Annotated[str, Field(min_length=1, max_length=LONGEST_WHY)]
    """The reason."""


class Fault(_Model):
    """A station or a worker goes out of service."""

    kind: Literal["fault"]
    station: Name | None = None
    """The name of the station; None if a worker is out of service."""
    worker: Name | None = None
    """The name of the worker; None if a station is out of service."""
    timesteps: Annotated[int, Field(ge=1, le=LAST_TIMESTEP)]
    """Number of timesteps out of service, the present one included."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Fault:
        if (self.station is None) == (self.worker is None):
            raise ValueError("expected either a station or a worker")
        return self


Event = Annotated[
    NewOrder | AddLine | RemoveLine | ChangeLine | CancelOrder | Fault,
    Field(discriminator="kind"),
]

AnyEvent = Annotated[Event | RefuseLine, Field(discriminator="kind")]

EVENT: TypeAdapter[AnyEvent] = TypeAdapter(AnyEvent)


def parse_event(data: Mapping[str, Any]) -> AnyEvent:
    """Return the event that plain data describe.

    Raises InputError, which names the field and what was expected.
    """
    try:
        return EVENT.validate_python(dict(data))
    except ValidationError as error:
        field, problem = describe_field(error, AnyEvent)
        raise InputError(f"event, {field}", problem) from None


def apply(kitchen: Kitchen, state: KitchenState, event: AnyEvent) -> tuple[KitchenState, Ruling]:
    """Return the kitchen after an event of the present timestep, and how the world took the event.

    An event that makes no sense (any more), such as a change to a served line, is refused with a
    reason and changes nothing.
    """
    match event:
        case NewOrder():
            return _create_order(kitchen, state, event)
        case AddLine():
            return _add_line(kitchen, state, event)
        case RemoveLine():
            return _remove_line(state, event)
        case ChangeLine():
            return _change_line(state, event)
        case CancelOrder():
            return _cancel_order(state, event)
        case RefuseLine():
            return _refuse_line(state, event)
        case Fault():
            return _fault(kitchen, state, event)


def _refuse(state: KitchenState, why: str) -> tuple[KitchenState, Ruling]:
    return state, Ruling(refused=why)


def _accept(state: KitchenState, kind: str, cause: str) -> tuple[KitchenState, Ruling]:
    return state, Ruling(trigger=Trigger(kind=kind, cause=cause))


def _with_lines(state: KitchenState, changed: Mapping[str, OrderLine]) -> KitchenState:
    return state._replace(lines={**state.lines, **changed})


def _lines_of(state: KitchenState, order: str) -> dict[str, OrderLine]:
    return {n: line for n, line in state.lines.items() if order_of(n) == order}


def _why_not_sold(kitchen: Kitchen, items: list[str]) -> str | None:
    missing = sorted({item for item in items if item not in kitchen.menu})
    return f"not on the menu: {', '.join(missing)}" if missing else None


def _create_order(
    kitchen: Kitchen, state: KitchenState, event: NewOrder
) -> tuple[KitchenState, Ruling]:
    if _lines_of(state, event.order):
        return _refuse(state, f"there is an order {event.order} already")
    if missing := _why_not_sold(kitchen, [line.item for line in event.lines]):
        return _refuse(state, missing)
    new = {
        f"{event.order}.{number}": OrderLine(line.item, line.note, event.due)
        for number, line in enumerate(event.lines, start=1)
    }
    return _accept(_with_lines(state, new), "new_order", f"order {event.order} came in")


def _add_line(kitchen: Kitchen, state: KitchenState, event: AddLine) -> tuple[KitchenState, Ruling]:
    lines = _lines_of(state, event.order)
    if not lines:
        return _refuse(state, f"there is no order {event.order}")
    if all(line.status == "cancelled" for line in lines.values()):
        return _refuse(state, f"order {event.order} is cancelled")
    if missing := _why_not_sold(kitchen, [event.item]):
        return _refuse(state, missing)
    name = f"{event.order}.{len(lines) + 1}"
    due = next(iter(lines.values())).due
    new = _with_lines(state, {name: OrderLine(event.item, event.note, due)})
    cause = f"{name} ({event.item}) was added"
    return new, Ruling(trigger=Trigger(kind="changed_order", cause=cause), made=name)


def _why_not_open(state: KitchenState, name: str) -> str | None:
    line = state.lines.get(name)
    if line is None:
        return f"there is no order line {name}"
    return None if line.status == "open" else f"order line {name} is already {line.status}"


def _cancel(state: KitchenState, line: OrderLine) -> OrderLine:
    return line._replace(status="cancelled", closed_at=state.timestep)


def _remove_line(state: KitchenState, event: RemoveLine) -> tuple[KitchenState, Ruling]:
    if why := _why_not_open(state, event.line):
        return _refuse(state, why)
    cancelled = {event.line: _cancel(state, state.lines[event.line])}
    return _accept(_with_lines(state, cancelled), "changed_order", f"{event.line} was removed")


def _refuse_line(state: KitchenState, event: RefuseLine) -> tuple[KitchenState, Ruling]:
    if why := _why_not_open(state, event.line):
        return _refuse(state, why)
    line = state.lines[event.line]._replace(status="refused", closed_at=state.timestep)
    return _with_lines(state, {event.line: line}), Ruling()


def _change_line(state: KitchenState, event: ChangeLine) -> tuple[KitchenState, Ruling]:
    if why := _why_not_open(state, event.line):
        return _refuse(state, why)
    changed = {event.line: state.lines[event.line]._replace(note=event.note)}
    return _accept(_with_lines(state, changed), "changed_order", f"{event.line} was changed")


def _cancel_order(state: KitchenState, event: CancelOrder) -> tuple[KitchenState, Ruling]:
    lines = _lines_of(state, event.order)
    if not lines:
        return _refuse(state, f"there is no order {event.order}")
    standing = {name: line for name, line in lines.items() if line.status == "open"}
    if not standing:
        return _refuse(state, f"order {event.order} has no open lines")
    cancelled = {name: _cancel(state, line) for name, line in standing.items()}
    return _accept(
        _with_lines(state, cancelled), "cancelled_order", f"order {event.order} was cancelled"
    )


def _fault(kitchen: Kitchen, state: KitchenState, event: Fault) -> tuple[KitchenState, Ruling]:
    name = event.station or event.worker or ""
    if name not in (kitchen.stations if event.station else kitchen.workers):
        return _refuse(state, f"there is no {name}")
    until = state.timestep + event.timesteps
    running = state.out.get(name)
    outage = (
        Outage(running.since, max(running.until, until))
        if running
        else Outage(state.timestep, until)
    )
    workers = tuple(
        WorkerState(kitchen.aisle, worker.holding) if event.worker == worker_name else worker
        for worker_name, worker in zip(kitchen.workers, state.workers, strict=True)
    )
    new = state._replace(out={**state.out, name: outage}, workers=workers)
    return _accept(new, "fault", f"{name} is out of service")
