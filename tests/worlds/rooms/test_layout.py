"""Where rooms are drawn: apart from each other, and legible on the maps of the paper."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.worlds.rooms.rules import MOST_ROOMS, Ways, draw_ways
from cookmas.worlds.rooms.view import (
    BEND,
    HEIGHT,
    ROOM_HEIGHT,
    ROOM_WIDTH,
    WIDTH,
    pair_rooms,
    place_rooms,
)
from tests.worlds.rooms.opened import CAPTURE, ESCAPE, opened

Point = tuple[float, float]
STEPS = 24
"""The number of straight pieces in which a way is measured."""


@st.composite
def maps(draw: st.DrawFn) -> Ways:
    """Return any map that a file may have, with ways in one direction or both."""
    rooms = range(1, draw(st.integers(2, MOST_ROOMS)) + 1)
    return {
        room: draw(
            st.lists(st.sampled_from([x for x in rooms if x != room]), min_size=1, unique=True)
        )
        for room in rooms
    }


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether the lines from a to b and from c to d cross."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def draw(ways: Ways) -> dict[tuple[int, int], list[Point]]:
    """Return the points of each way as the page draws it: bent to the middle of the drawing."""
    spots, drawn = place_rooms(ways), {}
    for one, other in pair_rooms(ways):
        begin, end = spots[one], spots[other]
        by = [
            (1 - BEND) * (a + b) / 2 + BEND * size / 2
            for a, b, size in zip(begin, end, (WIDTH, HEIGHT), strict=True)
        ]
        drawn[one, other] = [
            (
                (1 - t) ** 2 * begin[0] + 2 * t * (1 - t) * by[0] + t**2 * end[0],
                (1 - t) ** 2 * begin[1] + 2 * t * (1 - t) * by[1] + t**2 * end[1],
            )
            for t in (step / STEPS for step in range(STEPS + 1))
        ]
    return drawn


def count_crossings(ways: Ways) -> int:
    """Return how many pairs of ways cross in the drawing."""
    return sum(
        any(cross(a, b, c, d) for (a, b), (c, d) in product(pairwise(one), pairwise(other)))
        for (ends, one), (others, other) in combinations(draw(ways).items(), 2)
        if not {*ends} & {*others}
    )


def hides_a_way(ways: Ways) -> bool:
    """Return whether a way goes through the middle of a room that it does not lead to."""
    spots = place_rooms(ways)
    return any(
        abs(x - spots[room][0]) < ROOM_WIDTH / 3 and abs(y - spots[room][1]) < ROOM_HEIGHT / 3
        for ends, points in draw(ways).items()
        for x, y in points
        for room in spots.keys() - {*ends}
    )


@given(maps())
@settings(max_examples=8)
def test_the_rooms_of_any_map_are_in_the_drawing_and_do_not_overlap(ways: Ways) -> None:
    spots = place_rooms(ways)
    assert [*spots] == [*ways]
    for x, y in spots.values():
        assert ROOM_WIDTH / 2 <= x <= WIDTH - ROOM_WIDTH / 2
        assert ROOM_HEIGHT / 2 <= y <= HEIGHT - ROOM_HEIGHT / 2
    for (x, y), (u, v) in combinations(spots.values(), 2):
        assert abs(x - u) > ROOM_WIDTH or abs(y - v) > ROOM_HEIGHT


@pytest.mark.parametrize("name", [CAPTURE, ESCAPE])
def test_no_ways_cross_on_the_maps_of_the_paper(name: str) -> None:
    ways = opened(name).ways
    assert count_crossings(ways) == 0
    assert not hides_a_way(ways)


def test_the_ways_of_large_random_maps_stay_legible() -> None:
    drawn = [dict(enumerate(draw_ways(Random(seed), MOST_ROOMS), 1)) for seed in range(4)]
    assert sum(map(count_crossings, drawn)) <= 12
    assert not any(map(hides_a_way, drawn))


def test_a_row_of_rooms_is_folded_and_crosses_nothing() -> None:
    rooms = range(1, MOST_ROOMS + 1)
    row = {room: [x for x in (room - 1, room + 1) if x in rooms] for room in rooms}
    assert count_crossings(row) == 0
    assert not hides_a_way(row)
