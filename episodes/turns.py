"""Whose turn it is: what waits of several senders, taken fairly."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Turn(NamedTuple, Generic[T]):
    """The next thing to be taken, and who sent it."""

    sender: str
    item: T


class Turns(Generic[T]):
    """What waits, by sender: the one comes first whose last one was taken the longest ago.

    `last` says when something of each sender was taken last, as a number that grows.
    """

    def __init__(self, last: Mapping[str, int] | None = None) -> None:
        self._last = dict(last or {})
        self._waiting: dict[str, deque[T]] = {}

    def add(self, sender: str, item: T) -> None:
        """One more thing of a sender, behind all others of it."""
        self._waiting.setdefault(sender, deque()).append(item)

    def waiting(self, sender: str) -> int:
        """How much of a sender waits."""
        return len(self._waiting.get(sender, ()))

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def take(self, most: int, first: int, may: Callable[[T], bool]) -> list[Turn[T]]:
        """Take up to `most` things, the first of them as number `first`.

        Where a sender's next one may not be taken, all that it sent waits.
        """
        taken: list[Turn[T]] = []
        passed: set[str] = set()
        while len(taken) < most:
            ready = [sender for sender in self._waiting if sender not in passed]
            if not ready:
                break
            sender = min(ready, key=lambda name: self._last.get(name, 0))
            if not may(self._waiting[sender][0]):
                passed.add(sender)
                continue
            self._last[sender] = first + len(taken)
            taken.append(Turn(sender, self._waiting[sender].popleft()))
            if not self._waiting[sender]:
                del self._waiting[sender]
        return taken
