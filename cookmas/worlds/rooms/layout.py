"""Where the rooms of a map are drawn: on an ellipse, in an order in which few ways cross.

The places depend on nothing but the map. Two ways between rooms on an ellipse cross if each of them
has an end on both sides of the other one, so crossings are counted without any point. The page
bends each way towards the middle of the drawing, so that it passes the rooms between its ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import cos, pi, sin

from cookmas.worlds.rooms.rules import Ways

WIDTH, HEIGHT = 170, 110
"""Size of a drawing, in its own units."""

ROOM_WIDTH, ROOM_HEIGHT = 25, 18
"""Size of a room in a drawing."""

BEND = 0.3
"""The share of the distance to the middle of the drawing by which the middle of a way is bent."""

Spots = Mapping[int, tuple[int, int]]
"""The middle of each room, from the upper left corner of the drawing."""

Pair = tuple[int, int]


def pair_rooms(ways: Ways) -> list[Pair]:
    """Return the pairs of rooms between which a way leads, in one direction or both."""
    return sorted({(min(x, y), max(x, y)) for x, others in ways.items() for y in others})


def place_rooms(ways: Ways) -> Spots:
    """Return where each room is drawn, in whole units; the first one is on the left."""
    order = _arrange(tuple(ways), tuple(pair_rooms(ways)))
    turns = {room: pi + 2 * pi * number / len(order) for number, room in enumerate(order)}
    right, down = (WIDTH - ROOM_WIDTH) / 2 - 1, (HEIGHT - ROOM_HEIGHT) / 2 - 1
    return {
        room: (
            round(WIDTH / 2 + right * cos(turns[room])),
            round(HEIGHT / 2 + down * sin(turns[room])),
        )
        for room in ways
    }


@lru_cache(maxsize=16)
def _arrange(rooms: Sequence[int], pairs: Sequence[Pair]) -> Sequence[int]:
    """Return the rooms in the order along the ellipse, so that moving none leaves fewer crossings.

    The first room stays where it is.
    """
    order, least = rooms, _count_crossings(rooms, pairs)
    while True:
        first, *rest = order
        tried = [
            (first, *others[:place], room, *others[place:])
            for room in rest
            for others in [[each for each in rest if each != room]]
            for place in range(len(rest))
        ]
        best = min(tried, key=lambda each: _count_crossings(each, pairs))
        fewest = _count_crossings(best, pairs)
        if fewest >= least:
            return order
        order, least = best, fewest


def _count_crossings(order: Sequence[int], pairs: Sequence[Pair]) -> int:
    place = {room: number for number, room in enumerate(order)}
    spans = [sorted((place[one], place[other])) for one, other in pairs]
    return sum(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(spans, 2))
