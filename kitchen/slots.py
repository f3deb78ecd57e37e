"""A lower bound of the makespan from the stays of foods in slots.

A food stays in one slot from the put to the take-out, or is taken out and put in again later, which
makes its stays longer. So a bound is the least of three:

| how often a stay is interrupted | bound |
|---|---|
| never | no stay is preempted: `_Search`, exactly (Carlier 1987, identical machines) |
| once | the same, with one stay in two parts, for every way to part it |
| twice or more | two stays are longer, and all may be preempted: `_may_fit` |

The bound is destructive: a makespan is too short if no schedule of any of these kinds has it (Klein
& Scholl 1999, "Computing lower bounds by destructive improvement"). With preemption it is too short
if the stays need more room in a span of timesteps than there is (energetic reasoning; Baptiste, Le
Pape & Nuijten 2001, "Constraint-Based Scheduling").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations_with_replacement
from operator import attrgetter
from typing import NamedTuple

SEARCHED_STAYS = 8
"""Greatest number of stays for which schedules without preemption are searched."""

SEARCHED_STATES = 2000
"""Greatest number of states that all searches of a bound look at; then no makespan is too short."""


class Piece(NamedTuple):
    """A use of a resource for `length` timesteps, with the least time before it and after it.

    `foods` is the number of foods that stay in a slot together, or of parts of a stay that may be
    at the same time.
    """

    release: int
    length: int
    tail: int
    foods: int = 1


def capacity_bound(pieces: Sequence[Piece], units: int, spared: int = 0) -> int:
    """Return the bound by releases and tails for `units` workers or slots, with preemption.

    `spared` timesteps of the load may be saved. This is the heads-and-tails form of Carlier (1982),
    "The one-machine sequencing problem", for parallel machines.
    """
    best = 0
    by_tail = sorted(pieces, key=attrgetter("tail"), reverse=True)
    for release in {piece.release for piece in pieces}:
        load = -spared
        for begin, length, tail, _ in by_tail:
            if begin >= release:
                load += length
                if load > 0 and release - (-load // units) + tail > best:
                    best = release - (-load // units) + tail
    return best


def raise_bound(stays: Sequence[Piece], units: int, gap: int, bound: int) -> int:
    """Return the least makespan, from `bound` on, that the stays of foods in some slots allow.

    There are `units` slots of this kind. As many stays, or fewer, leave the bound as it is. The
    length of a stay includes the `gap` until another food can be put into the slot.
    """
    if not units < len(stays) <= SEARCHED_STAYS:
        return bound
    search = _Search()
    with suppress(_TooLongError):
        while not (
            search.fits(stays, units, bound)
            or any(_may_fit(longer, units, bound) for longer in _interrupt_twice(stays, gap))
            or any(search.fits(parts, units, bound) for parts in _part_once(stays, gap))
        ):
            bound += 1
    return bound


def _part_once(stays: Sequence[Piece], gap: int) -> Iterator[list[Piece]]:
    """Yield the stays with one of them in two parts, for each stay and each way to part it.

    The second part has a put of its own, at the earliest a timestep after the take-out. Both parts
    have a gap. If several foods stay together, one of them may have its first part while the others
    stay already.
    """
    for number, (release, length, tail, foods) in enumerate(stays):
        rest = [*stays[:number], *stays[number + 1 :]]
        for first in range(gap, length + 1):
            second = length + gap + 1 - first
            before, after = (first + 1 - gap, second + 1 - gap) if foods == 1 else (0, 0)
            parts = Piece(release, first, tail + after), Piece(release + before, second, tail)
            yield [*rest, *parts]


def _interrupt_twice(stays: Sequence[Piece], gap: int) -> Iterator[list[Piece]]:
    """Yield the stays, made longer by two interruptions, for each two stays and each one twice.

    An interruption costs a food two timesteps, a take-out and a put, and the slots a put and a gap.
    The parts of a stay of several foods may be at the same time.
    """
    for pair in combinations_with_replacement(range(len(stays)), 2):
        longer: list[Piece] = []
        for number, (release, length, tail, foods) in enumerate(stays):
            often = pair.count(number)
            if foods == 1 or not often:
                longer.append(Piece(release, length + often * (min(gap, 1) + 1), tail))
            else:
                longer.append(Piece(release, length + often * (gap + 1), tail, 1 + often))
        yield longer


def _may_fit(stays: Sequence[Piece], units: int, makespan: int) -> bool:
    """Return whether stays may fit into slots with preemption: in no span of timesteps there is
    less room than they need, even if each one is there for as short as possible.
    """
    windows = [(release, length, makespan - tail, parts) for release, length, tail, parts in stays]
    if any(release + length > due for release, length, due, parts in windows if parts == 1):
        return False
    begins = {release for release, *_ in windows} | {due - size for _, size, due, _ in windows}
    ends = {due for _, _, due, _ in windows} | {release + size for release, size, *_ in windows}
    return not any(
        sum(
            max(0, length - parts * (max(0, begin - release) + max(0, due - end)))
            for release, length, due, parts in windows
        )
        > units * (end - begin)
        for begin in begins
        for end in ends
        if begin < end
    )


class _TooLongError(Exception):
    """A search has more than SEARCHED_STATES states."""


class _Search:
    """A search for schedules without preemption; `states` counts what all its runs look at."""

    def __init__(self) -> None:
        self.states = 0

    def fits(self, stays: Sequence[Piece], units: int, makespan: int) -> bool:
        """Return whether stays fit into slots without preemption. Raises _TooLongError.

        The search places the stays one after the other, each in the slot that is free first. It
        need not leave a slot free for so long that another stay could have ended there.
        """
        if not _may_fit([stay._replace(foods=1) for stay in stays], units, makespan):
            return False
        todo = [(stay.release, stay.length, makespan - stay.tail) for stay in stays]
        seen: set[tuple[tuple[int, ...], int]] = set()

        def search(free: tuple[int, ...], left: int) -> bool:
            if not left:
                return True
            if (free, left) in seen:
                return False
            seen.add((free, left))
            self.states += 1
            if self.states > SEARCHED_STATES:
                raise _TooLongError
            starts = [
                (due, max(release, free[0]), length, number)
                for number, (release, length, due) in enumerate(todo)
                if left >> number & 1
            ]
            if any(start + length > due for due, start, length, _ in starts):
                return False
            first_end = min(start + length for _, start, length, _ in starts)
            return any(
                search(tuple(sorted((start + length, *free[1:]))), left & ~(1 << number))
                for _, start, length, number in sorted(starts)
                if start < first_end
            )

        return search((0,) * units, (1 << len(todo)) - 1)
