"""What has come to pass, looked up in the file of a trace without reading all of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from episodes.trace import AnyRecord
from episodes.trace_file import read_record

_EVENT = b'{"kind":"event",'


def since(path: Path, number: int) -> Iterator[AnyRecord]:
    """The records from the event with this number on, or the next one, in order.

    Events are in the order of their numbers, so that theirs is found by halving.
    """
    with path.open("rb") as file:
        low, high = 0, path.stat().st_size
        while low < high:
            middle = (low + high) // 2
            found = _next_event(file, middle, high)
            if found is None or found[1] >= number:
                high = middle
            else:
                low = found[0]
        _to_line(file, low)
        reached = False
        for line in file:
            reached = reached or _number(line) >= number
            if reached:
                yield read_record(line.decode().rstrip("\n"), str(path))


def _next_event(file: BinaryIO, place: int, end: int) -> tuple[int, int] | None:
    """Where the first event after a place ends, and its number; None if there is none."""
    _to_line(file, place)
    while file.tell() < end:
        line = file.readline()
        if event := _number(line):
            return file.tell(), event
    return None


def _to_line(file: BinaryIO, place: int) -> None:
    """The first line that begins at a place or after it."""
    file.seek(max(0, place - 1))
    if place:
        file.readline()


def _number(line: bytes) -> int:
    """The number of an event; 0 where the line is none, or one that came by no letter."""
    return int(json.loads(line)["number"]) if line.startswith(_EVENT) else 0
