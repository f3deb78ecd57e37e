"""Fair order among senders: the senders take turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

REMEMBERED = 4096
"""Number of senders whose last turn is remembered; any other sender comes first."""


class QueueTurn(NamedTuple, Generic[T]):
    """An item that was taken because it was its sender's turn."""

    sender: str
    """Sender of the item."""
    item: T
    """The item."""


class Queue:
    """The order in which the senders' items are taken.

    `counts` has the number of waiting items by sender, `last` the number of each sender's latest
    turn. Among senders with the same last turn, the first in `counts` comes first.
    """

    def __init__(self, counts: Mapping[str, int], last: Mapping[str, int]) -> None:
        self._counts = counts
        turns = sorted(counts, key=lambda name: last.get(name, 0))
        self._rank = {name: rank for rank, name in enumerate(turns)}

    def place(self, sender: str, own: int) -> int:
        """Return how many items are taken before an item of a sender.

        `own` is the number of items of the same sender before this item.
        """
        rank = self._rank[sender]
        return own + sum(
            min(count, own + (self._rank[name] < rank))
            for name, count in self._counts.items()
            if name != sender
        )


class Turns(Generic[T]):
    """Waiting items by sender. The sender whose last turn is the longest ago comes first.

    `last` is the number of each sender's latest turn; later turns have higher numbers.
    """

    def __init__(self, last: Mapping[str, int] | None = None) -> None:
        newest = sorted((last or {}).items(), key=lambda item: item[1])[-REMEMBERED:]
        self._last = dict(newest)
        self._waiting: dict[str, dict[str, deque[tuple[int, T]]]] = {}
        self._added = 0

    def add(self, sender: str, kind: str, item: T) -> None:
        """Add an item of a sender after the sender's other items.

        Items of the same `kind` have to wait together (see `take`).
        """
        self._added += 1
        kinds = self._waiting.setdefault(sender, {})
        kinds.setdefault(kind, deque()).append((self._added, item))

    def count_waiting(self, sender: str) -> int:
        """Return the number of waiting items of a sender."""
        return sum(map(len, self._waiting.get(sender, {}).values()))

    def remove(self, which: Callable[[T], bool]) -> list[T]:
        """Remove and return the items for which `which` returns True."""
        removed: list[T] = []
        for sender, kinds in list(self._waiting.items()):
            for kind, queue in list(kinds.items()):
                removed += [item for _, item in queue if which(item)]
                kinds[kind] = deque(each for each in queue if not which(each[1]))
                if not kinds[kind]:
                    del kinds[kind]
            if not kinds:
                del self._waiting[sender]
        return removed

    def __iter__(self) -> Iterator[T]:
        for kinds in self._waiting.values():
            for queue in kinds.values():
                yield from (item for _, item in queue)

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def take(self, most: int, first: int, may: Callable[[T], bool]) -> list[QueueTurn[T]]:
        """Take up to `most` items in fair order; the first item gets the turn number `first`.

        If `may` rejects an item, all senders' items of the same kind have to wait. Later items of
        another kind may then be taken before the rejected item.
        """
        taken: list[QueueTurn[T]] = []
        barred: set[str] = set()
        while len(taken) < most:
            heads = {
                sender: kind
                for sender in self._waiting
                if (kind := self._head(sender, barred)) is not None
            }
            if not heads:
                break
            sender = min(heads, key=lambda name: self._last.get(name, 0))
            kinds, kind = self._waiting[sender], heads[sender]
            if not may(kinds[kind][0][1]):
                barred.add(kind)
                continue
            self._last.pop(sender, None)
            self._last[sender] = first + len(taken)
            taken.append(QueueTurn(sender, kinds[kind].popleft()[1]))
            if not kinds[kind]:
                del kinds[kind]
            if not kinds:
                del self._waiting[sender]
        while len(self._last) > REMEMBERED:
            del self._last[next(iter(self._last))]
        return taken

    def places(self, wanted: Callable[[T], bool]) -> Iterator[tuple[T, int]]:
        """Yield each wanted item, with the number of items that are taken before it.

        The number holds if no item has to wait for room in the world.
        """
        queues = {
            sender: [item for _, item in sorted(chain(*kinds.values()), key=itemgetter(0))]
            for sender, kinds in self._waiting.items()
        }
        counts = {sender: len(items) for sender, items in queues.items()}
        queue = Queue(counts, self._last)
        for sender, items in queues.items():
            for own, item in enumerate(items):
                if wanted(item):
                    yield item, queue.place(sender, own)

    def _head(self, sender: str, barred: Collection[str]) -> str | None:
        """Return the kind of a sender's first item whose kind is not barred; None if all are."""
        kinds = self._waiting[sender]
        ready = [kind for kind in kinds if kind not in barred]
        return min(ready, key=lambda kind: kinds[kind][0][0]) if ready else None
