"""The bound from stays in slots: against all schedules of a few stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.kitchen import slots
from cookmas.kitchen.slots import Piece, capacity_bound, raise_bound

THREE = [Piece(0, 12, 5), Piece(0, 12, 5), Piece(0, 12, 5)]

some_stays = st.lists(
    st.builds(Piece, st.integers(0, 5), st.integers(3, 7), st.integers(0, 5), st.just(1)),
    min_size=2,
    max_size=3,
)


def ways_to_part(stay: Piece, gap: int, interruptions: int) -> Iterator[tuple[int, ...]]:
    """Yield the lengths of the parts of a stay that is interrupted as often as that."""
    if interruptions == 0:
        yield (stay.length,)
        return
    for first in range(gap + 1, stay.length + 1):
        rest = stay._replace(length=stay.length + gap + 1 - first)
        for others in ways_to_part(rest, gap, interruptions - 1):
            yield first, *others


def shortest(stays: Sequence[Piece], units: int, gap: int, most: int) -> int:
    """Return the least makespan of stays that are interrupted at most that often together."""
    best = 10**6
    for times in product(range(most + 1), repeat=len(stays)):
        if sum(times) <= most:
            ways = [
                list(ways_to_part(stay, gap, often))
                for stay, often in zip(stays, times, strict=True)
            ]
            for lengths in product(*ways):
                best = min(best, shortest_of_parts(stays, lengths, units, gap))
    return best


def shortest_of_parts(
    stays: Sequence[Piece], lengths: Sequence[tuple[int, ...]], units: int, gap: int
) -> int:
    """Return the least makespan if the parts are placed one after the other, in any order."""
    numbers = [number for number, parts in enumerate(lengths) for _ in parts]
    best = 10**6
    for order in set(permutations(numbers)):
        free, ready = [0] * units, [stay.release for stay in stays]
        left = [list(parts) for parts in lengths]
        makespan = 0
        for number in order:
            free.sort()
            end = max(free[0], ready[number]) + left[number].pop(0)
            free[0], ready[number] = end, end + 1 - gap
            makespan = max(makespan, end + stays[number].tail)
        best = min(best, makespan)
    return best


@settings(max_examples=60)
@given(some_stays, st.integers(1, 2))
def test_stays_fit_into_their_least_makespan_and_no_shorter_one(
    stays: list[Piece], units: int
) -> None:
    makespan = shortest(stays, units, 0, 0)
    assert slots._Search().fits(stays, units, makespan)
    assert not slots._Search().fits(stays, units, makespan - 1)


@settings(max_examples=12)
@given(some_stays, st.integers(1, 2), st.sampled_from([1, 2]))
def test_no_schedule_is_shorter_however_stays_are_interrupted(
    stays: list[Piece], units: int, gap: int
) -> None:
    bound = capacity_bound(stays, units)
    least = shortest(stays, units, gap, 2)
    together = [stay._replace(foods=2) for stay in stays]
    assert bound <= raise_bound(stays, units, gap, bound) <= least
    assert bound <= raise_bound(together, units, gap, bound) <= least


def test_three_long_stays_in_two_slots_take_longer_than_their_load() -> None:
    assert capacity_bound(THREE, 2) == 23
    assert raise_bound(THREE, 2, 2, 23) == shortest(THREE, 2, 2, 1) == 25
    assert raise_bound(THREE, 2, 2, 27) == 27
    assert raise_bound(THREE, 3, 2, 17) == 17


def test_foods_that_cook_together_may_cook_alone_at_the_same_time() -> None:
    alone = [Piece(3, 9, 2), Piece(1, 7, 3), Piece(3, 9, 2)]
    together = [stay._replace(foods=2) for stay in alone]
    assert raise_bound(together, 2, 2, 16) == 17
    assert raise_bound(alone, 2, 2, 16) == 18


def test_what_would_take_too_long_to_search_stays_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, most in (("SEARCHED_STAYS", 2), ("SEARCHED_STATES", 1)):
        monkeypatch.setattr(slots, name, most)
        assert raise_bound(THREE, 2, 2, 23) == 23
        monkeypatch.undo()
