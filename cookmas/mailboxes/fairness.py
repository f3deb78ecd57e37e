"""Fair order among senders: the senders take turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from itertools import chain
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

REMEMBERED = 4096
"""Number of senders whose last turn is remembered; any other sender comes first."""


class QueueHead(NamedTuple, Generic[T]):
    """The item that is next in fair order."""

    sender: str
    kind: str
    item: T


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

    @property
    def senders(self) -> Set[str]:
        """The senders that are known: those of waiting items and of the latest turns."""
        return self._waiting.keys() | self._last.keys()

    def count_waiting(self, sender: str) -> int:
        """Return the number of waiting items of a sender."""
        return sum(map(len, self._waiting.get(sender, {}).values()))

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def next(self, barred: Collection[str] = ()) -> QueueHead[T] | None:
        """Return the next item in fair order; None if no item is left.

        Items of the kinds in `barred` have to wait; later items of another kind come before them.
        """
        heads = {
            sender: kind
            for sender in self._waiting
            if (kind := self._first_kind(sender, barred)) is not None
        }
        if not heads:
            return None
        sender = min(heads, key=lambda name: self._last.get(name, 0))
        kind = heads[sender]
        return QueueHead(sender, kind, self._waiting[sender][kind][0][1])

    def remove(self, head: QueueHead[T], turn: int | None = None) -> None:
        """Remove the next item; `turn` is the number of its sender's turn if it was taken."""
        kinds = self._waiting[head.sender]
        kinds[head.kind].popleft()
        if not kinds[head.kind]:
            del kinds[head.kind]
        if not kinds:
            del self._waiting[head.sender]
        if turn is not None:
            self._last.pop(head.sender, None)
            self._last[head.sender] = turn

    def take(self, most: int, first: int, may: Callable[[T], bool]) -> list[QueueHead[T]]:
        """Take up to `most` items in fair order; the first item gets the turn number `first`.

        If `may` rejects an item, all senders' items of the same kind have to wait.
        """
        taken: list[QueueHead[T]] = []
        barred: set[str] = set()
        while len(taken) < most and (head := self.next(barred)):
            if may(head.item):
                self.remove(head, first + len(taken))
                taken.append(head)
            else:
                barred.add(head.kind)
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
        turns = sorted(queues, key=lambda name: self._last.get(name, 0))
        counts = [len(queues[sender]) for sender in turns]
        for rank, sender in enumerate(turns):
            for own, item in enumerate(queues[sender]):
                if wanted(item):
                    earlier = sum(min(count, own + 1) for count in counts[:rank])
                    later = sum(min(count, own) for count in counts[rank + 1 :])
                    yield item, earlier + own + later

    def _first_kind(self, sender: str, barred: Collection[str]) -> str | None:
        """Return the kind of a sender's first item whose kind is not barred; None if all are."""
        kinds = self._waiting[sender]
        ready = [kind for kind in kinds if kind not in barred]
        return min(ready, key=lambda kind: kinds[kind][0][0]) if ready else None
