"""A search of the trace for order lines that are closed and no longer in the kitchen's state."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cookmas.episodes.instruction import is_instruction
from cookmas.episodes.trace import AnyRecord, EventRecord, StepRecord
from cookmas.kitchen.events import (
    AddLine,
    CancelOrder,
    NewOrder,
    RefuseLine,
    RemoveLine,
    parse_event,
)
from cookmas.kitchen.state import CLOSED_LINES

_SERVE = re.compile(r"serve\((.+)\)")


class Closing(NamedTuple):
    """The record that one order line was closed, and how."""

    line: str
    how: str
    """How the line was closed: `served`, `cancelled` or `refused`."""


def find_closed_lines(order: str, records: Iterable[AnyRecord]) -> Mapping[str, tuple[str, int]]:
    """Return how and at which timestep each line of an order was closed.

    The order must no longer be in the state. `records` are records of the trace; they must include
    the event that placed the order. The search ends once more than `CLOSED_LINES` other lines were
    closed after the last line of the order. By then the order had left the state and could get no
    new line.
    """
    lines: dict[str, tuple[str, int]] = {}
    waiting: set[str] = set()
    known = others = 0
    for record in records:
        if not isinstance(record, EventRecord | StepRecord):
            continue
        if isinstance(record, EventRecord) and is_instruction(record.event):
            continue
        for line, how in _closings(order, waiting, record):
            if line in waiting:
                waiting.discard(line)
                lines[line] = how, record.timestep
                others = 0
            else:
                others += 1
        for line in _lines_added_by(order, known, record):
            known += 1
            waiting.add(line)
        if known and not waiting and others > CLOSED_LINES:
            break
    return lines


def _lines_added_by(order: str, known: int, record: AnyRecord) -> list[str]:
    """Return the names of the lines that a record adds to the order.

    `known` is the number of lines that the order has already.
    """
    if not isinstance(record, EventRecord) or record.refused:
        return []
    match parse_event(record.event):
        case NewOrder(order=name, lines=lines) if name == order:
            return [f"{order}.{number}" for number in range(1, len(lines) + 1)]
        case AddLine(order=name) if name == order:
            return [f"{order}.{known + 1}"]
    return []


def _closings(
    order: str, open_lines: Iterable[str], record: EventRecord | StepRecord
) -> Iterator[Closing]:
    """Yield every line that a record closes, in the given order or in another.

    `open_lines` are the open lines of the given order. If the record cancels another order, yield
    the name of that order in place of its lines.
    """
    match record:
        case StepRecord():
            for worker, action in record.commands:
                served = _SERVE.fullmatch(action)
                if served and worker not in record.fails:
                    yield Closing(served[1], "served")
        case EventRecord(refused=None):
            match parse_event(record.event):
                case RemoveLine(line=line):
                    yield Closing(line, "cancelled")
                case RefuseLine(line=line):
                    yield Closing(line, "refused")
                case CancelOrder(order=name):
                    closed = sorted(open_lines) if name == order else [name]
                    yield from (Closing(line, "cancelled") for line in closed)
