"""Capacity over time: taking and giving back, against counting."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cookmas.solving.restaurant.scheduling.profile import (
    book,
    gap_from,
    give_back,
    layers,
    mask_to_last,
    span,
    take,
)

END = 40

TIMES = st.integers(0, END)
SPANS = st.tuples(TIMES, TIMES).map(sorted).map(tuple)


def taken(levels: list[int], base: int, top: int, t: int) -> int:
    return sum(levels[level] >> t & 1 for level in range(base, top + 1))


@given(SPANS)
def test_a_span_is_its_timesteps(bounds: tuple[int, int]) -> None:
    start, end = bounds
    assert [t for t in range(END + 1) if span(start, end) >> t & 1] == list(range(start, end))


@given(st.lists(SPANS, max_size=4), st.integers(0, 2), st.integers(4, 5))
def test_levels_count_what_is_taken(spans: list[tuple[int, int]], base: int, capacity: int) -> None:
    levels = [0] * (base + capacity + 1)
    top = base + capacity - 1
    for start, end in spans:
        take(levels, base, top, span(start, end))
    for t in range(END):
        count = sum(start <= t < end for start, end in spans)
        assert taken(levels, base, top, t) == count
        for level in range(capacity):
            assert levels[base + level] >> t & 1 == (count > level), "filled from below"
    assert levels[:base] == [0] * base
    assert levels[top + 1] == 0, "other resources are left alone"


@given(st.lists(SPANS, max_size=2), st.lists(TIMES, min_size=1, max_size=2))
def test_what_is_taken_for_ever_can_be_given_back(
    spans: list[tuple[int, int]], ends: list[int]
) -> None:
    levels = [0, 0, 0, 0]
    for _ in ends:
        take(levels, 0, 3, -1)
    for start, end in spans:
        take(levels, 0, 3, span(start, end))
    for end in ends:
        give_back(levels, 0, 3, -1 << end)
    for t in range(END + 5):
        count = sum(start <= t < end for start, end in spans) + sum(t < end for end in ends)
        assert taken(levels, 0, 3, t) == count
    assert all(level >= 0 for level in levels), "nothing is taken for ever any more"


@given(st.permutations([(0, 10), (5, 20), (8, 30)]))
def test_the_order_of_taking_means_nothing(spans: list[tuple[int, int]]) -> None:
    levels = [0, 0, 0]
    for start, end in spans:
        take(levels, 0, 2, span(start, end))
    assert levels == [span(0, 30), span(5, 20), span(8, 10)]


def test_a_unit_is_given_back_from_the_middle_of_a_full_station() -> None:
    levels = [-1, -1]
    give_back(levels, 0, 1, -1 << 7)
    assert levels == [-1, span(0, 7)]


@given(st.lists(SPANS, max_size=4), st.lists(SPANS, max_size=4), st.integers(1, 3))
def test_all_that_fits_is_booked_and_nothing_of_what_does_not(
    before: list[tuple[int, int]], wanted: list[tuple[int, int]], capacity: int
) -> None:
    levels = [0] * (capacity + 2)
    booked: list[tuple[int, int]] = []
    for spans in (before, wanted):
        counts = [sum(start <= t < end for start, end in [*booked, *spans]) for t in range(END)]
        room = max(counts) <= capacity
        assert book(levels, 1, capacity, layers(spans), 0) is room
        booked += spans if room else []
    for t in range(END):
        assert taken(levels, 1, capacity, t) == sum(start <= t < end for start, end in booked)
    assert (levels[0], levels[-1]) == (0, 0), "other resources are left alone"


@given(st.integers(0, 2**END), TIMES, st.booleans())
def test_a_gap_ends_at_the_next_timestep_that_is_taken(
    level: int, start: int, for_ever: bool
) -> None:
    level = level | -1 << END + 1 if for_ever else level
    later = [t for t in range(start, 2 * END) if level >> t & 1]
    assert gap_from(level, start) == (later[0] if later else None)


@given(st.lists(SPANS, max_size=6), st.integers(0, 5))
def test_spans_are_given_back_in_any_order(spans: list[tuple[int, int]], number: int) -> None:
    levels, rest = [0] * 6, [0] * 6
    kept = spans[:number]
    for start, end in spans:
        take(levels, 0, 5, span(start, end))
    for start, end in kept:
        take(rest, 0, 5, span(start, end))
    for start, end in spans[number:]:
        give_back(levels, 0, 5, span(start, end))
    assert levels == rest


def test_what_is_taken_before_a_time_covers_all_timesteps_up_to_it() -> None:
    level = span(2, 4) | span(8, 9)
    assert mask_to_last(level, None) == span(0, 9)
    assert mask_to_last(level, 9) == span(0, 9)
    assert mask_to_last(level, 8) == span(0, 4)
    assert mask_to_last(level, 2) == 0
    assert mask_to_last(level | -1 << 20, 15) == span(0, 9)
    assert mask_to_last(level | -1 << 20, None) == -1
