"""A proxy in front of Redis or PostgreSQL that lets one command of a client fail."""

from __future__ import annotations

import re
import socket
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.flaky_proxy import FlakyProxy

REPLIES = {
    "busy": b"-BUSY Redis is busy running a script.\r\n",
    "replica": b"-READONLY You can't write against a read only replica.\r\n",
    "refused": b"-ERR this command is refused\r\n",
}
"""Errors that the proxy answers in place of Redis."""

CUTS = ("before", "after")
"""Whether the connection is cut before the server gets a command, or before its answer comes."""

STRIKES = ("kill", "pause")
"""What becomes of the client when it has sent a command, which the server gets."""

_REDIS = re.compile(rb"\*\d+\r\n\$\d+\r\n(\w+)\r\n(?:\$40\r\n(\w{40})\r\n)?", re.IGNORECASE)
_SQL = re.compile(
    rb"(?:SELECT|INSERT|UPDATE|DELETE|CREATE|BEGIN|COMMIT|ROLLBACK|SET)\b[\w .,]*|_pg3_\d+"
)
"""The beginning of a statement, or the name of a prepared one."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A fault at one command of a client."""

    command: str
    """The command of CookMAS."""
    group: str
    """The command of Redis, or the beginning of the statement."""
    number: int
    """The number of the command in its group, from 1 on."""
    action: str
    """One of CUTS, of REPLIES, or of STRIKES."""


class CuttingProxy(FlakyProxy):
    """Proxy that counts what clients send by group, and lets one of these fail.

    `counts` has the numbers so far. A connection is cut once; its client may connect again.
    `strike` is called with one of STRIKES before the server gets the command.
    """

    def __init__(self, target: Path) -> None:
        super().__init__(target, seed=0)
        self.counts: Counter[str] = Counter()
        self.strike: Callable[[str], object] = lambda action: None
        self._fault: Cut | None = None
        self._counting = threading.Lock()
        self._cut_next: set[socket.socket] = set()

    def arm(self, fault: Cut | None) -> None:
        """Count anew, and let this fault come."""
        self.counts.clear()
        self._fault = fault

    def _let_through(self, piece: bytes, one: socket.socket, other: socket.socket) -> bool:
        if one in self._cut_next:
            self._cut_next.discard(one)
            return False
        is_asked = other.family == socket.AF_UNIX
        action = self._action_at(piece) if is_asked else None
        if action == "before":
            return False
        if action in REPLIES:
            one.sendall(REPLIES[action])
            return True
        if action == "after":
            self._cut_next.add(other)
        if action in STRIKES:
            self.strike(action)
        return super()._let_through(piece, one, other)

    def _action_at(self, piece: bytes) -> str | None:
        group = group_of(piece)
        if group is None:
            return None
        with self._counting:
            self.counts[group] += 1
            fault = self._fault
            if fault and (fault.group, fault.number) == (group, self.counts[group]):
                return fault.action
        return None


def group_of(piece: bytes) -> str | None:
    """Return the group of what a client sends; None if it is no command."""
    if found := _REDIS.match(piece):
        return " ".join(part.decode().upper() for part in found.groups() if part)
    if piece[:1] in b"QPB" and (found := _SQL.search(piece)):
        return found.group().decode()[:40].strip()
    return None


def cuts_of(command: str, counts: Counter[str], actions: tuple[str, ...]) -> list[Cut]:
    """Return the faults at the first, second and last command of each group."""
    return [
        Cut(command, group, number, action)
        for group, count in sorted(counts.items())
        for number in sorted({1, min(2, count), count})
        for action in actions
    ]
