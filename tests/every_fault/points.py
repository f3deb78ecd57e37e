"""The points at which a fault is tried: the first, second and last call of each group.

A group has the calls of one kind on one kind of file, such as the writes of `trace.jsonl`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tests.every_fault.calls import Call

_CHANGE = ("kill", "io")

ACTIONS: Mapping[str, tuple[str, ...]] = {
    "write": (*_CHANGE, "torn", "short", "full", "interrupt", "pause"),
    "sync": (*_CHANGE, "interrupt"),
    "create": (*_CHANGE, "full", "interrupt"),
    "empty": (*_CHANGE, "interrupt"),
    "rename": (*_CHANGE, "full"),
    "mkdir": (*_CHANGE, "full"),
    "mkfifo": (*_CHANGE, "full"),
    "truncate": (*_CHANGE, "interrupt"),
    "unlink": _CHANGE,
    "rmdir": _CHANGE,
    "chmod": _CHANGE,
    "open": ("io", "interrupt"),
    "read": ("io", "interrupt", "short"),
    "lock": ("io", "interrupt", "pause"),
}
"""What may happen at a call of each kind.

`kill` kills the process before the call, `torn` after half of the bytes; `pause` stops it for some
seconds before the call. A `short` call reads or writes half of the bytes. The others are errors:
`io` and `interrupt` once (EIO, EINTR), `full` from then on (ENOSPC). A kill before a call that
changes nothing is a kill before the next change.
"""


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """A fault at one call of a command."""

    command: str
    kind: str
    pattern: str
    """The files of the group."""
    number: int
    """The number of the call in its group, from 1 on."""
    action: str

    @property
    def fault(self) -> str:
        """The fault as `calls.c` reads it."""
        return f"{self.kind}\t{self.pattern}\t{self.number}\t{self.action}"

    def __str__(self) -> str:
        """Return the arguments of `python -m tests.every_fault` that try this point alone."""
        return f"{self.command} {self.kind} '{self.pattern}' {self.number} {self.action}"


def points_of(command: str, calls: Iterable[Call]) -> list[Point]:
    """Return the points of a command whose calls without a fault are `calls`."""
    groups = Counter((call.kind, call.pattern) for call in calls)
    return [
        Point(command, kind, pattern, number, action)
        for (kind, pattern), count in sorted(groups.items())
        for number, action in itertools.product(sorted({1, min(2, count), count}), ACTIONS[kind])
    ]
