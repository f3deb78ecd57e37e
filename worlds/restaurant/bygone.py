"""What has become of order lines that have left the state, from the trace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from episodes.instruction import is_instruction
from episodes.trace import AnyRecord, EventRecord, StepRecord
from kitchen.events import AddLine, CancelOrder, NewOrder, RefuseLine, RemoveLine, parse_event
from kitchen.state import CLOSED_LINES

_SERVE = re.compile(r"serve\((.+)\)")


class Closing(NamedTuple):
    """A line was closed: `served`, `cancelled` or `refused`."""

    line: str
    how: str


def closed_lines(order: str, records: Iterable[AnyRecord]) -> Mapping[str, tuple[str, int]]:
    """The lines of an order that is not in the state any more: how and when each was closed.

    `records` begin at the latest with the event in which the order came in. It cannot have got
    another line once so many lines of others were closed that it had left the state.
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
        for line in _new(order, known, record):
            known += 1
            waiting.add(line)
        if known and not waiting and others > CLOSED_LINES:
            break
    return lines


def _new(order: str, known: int, record: AnyRecord) -> list[str]:
    """The lines that the order gets."""
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
    """The lines that were closed, of the order and of others; those of others may be left out."""
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
