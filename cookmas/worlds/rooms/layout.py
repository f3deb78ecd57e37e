"""Where the rooms of a map are drawn: apart from each other, with few ways that cross.

The places depend on nothing but the map. Several layouts are made, and the most legible one is
taken: the rooms on an ellipse, or as far from each other as the ways between them are long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import atan2, cos, hypot, pi, sin

from cookmas.worlds.rooms.maps import Ways, count_steps

WIDTH, HEIGHT = 170, 110
"""Size of a drawing, in its own units."""

ROOM_WIDTH, ROOM_HEIGHT = 25, 18
"""Size of a room in a drawing."""

_APART, _APART_ON_WAY, _TOUCH = 1.2, 1.6, 1.08
"""Distance in sizes of a room below which two rooms are too near, without and with a way, and below
which they may overlap."""

_BESIDE = 0.7
"""Distance in sizes of a room below which a room is too near to a way that it is not on."""

_OVERLAP, _HIDDEN, _TOO_NEAR, _CROSSING = 2000, 200, 60, 2
"""What rooms that overlap cost, a missing size of a room beside a way and between rooms, and ways
that cross."""

_IMPROVED = 3
"""Number of layouts, the best ones first, that are improved."""

_ROUNDS = 60
"""Rounds in which the rooms move to their distances; more change a drawing little."""

Point = tuple[float, float]
Spots = Mapping[int, Point]
"""The middle of each room, from the upper left corner of the drawing."""

Pair = tuple[int, int]


def pair_rooms(ways: Ways) -> list[Pair]:
    """Return the pairs of rooms between which a way leads, in one direction or both."""
    return sorted({(min(x, y), max(x, y)) for x, others in ways.items() for y in others})


def place_rooms(ways: Ways) -> Spots:
    """Return where each room is drawn, in whole units."""
    return dict(_place(tuple((room, tuple(others)) for room, others in ways.items())))


@lru_cache(maxsize=16)
def _place(ways: tuple[tuple[int, tuple[int, ...]], ...]) -> Spots:
    pairs = pair_rooms(dict(ways))
    rooms = [room for room, _ in ways]
    layouts = [_fit(each) for each in _list_layouts(rooms, pairs)]
    layouts.sort(key=lambda spots: _cost(spots, pairs))
    improved = [_improve(spots, pairs) for spots in layouts[:_IMPROVED]]
    best = min(improved, key=lambda spots: _cost(spots, pairs))
    return {room: (round(best[room][0]), round(best[room][1])) for room in rooms}


def _list_layouts(rooms: Sequence[int], pairs: Sequence[Pair]) -> Iterator[Spots]:
    """Yield layouts: circles that begin with each room, and what springs make of them."""
    near: dict[int, list[int]] = {room: [] for room in rooms}
    for one, other in pairs:
        near[one].append(other)
        near[other].append(one)
    counted = {room: count_steps(near, room) for room in rooms}
    lengths = {x: {y: counted[x].get(y, len(rooms)) for y in rooms} for x in rooms}
    yield _circle(rooms)
    for room in rooms:
        circle = _circle(_walk(room, near))
        yield circle
        yield _spread(circle, lengths)


def _walk(first: int, near: Mapping[int, Sequence[int]]) -> list[int]:
    """Return all rooms in the order in which a walker reaches them who goes on before it turns."""
    found: list[int] = []
    waiting = [*sorted(near, reverse=True), first]
    while waiting:
        room = waiting.pop()
        if room not in found:
            found.append(room)
            waiting += [x for x in reversed(near[room]) if x not in found]
    return found


def _circle(rooms: Sequence[int]) -> Spots:
    """Return rooms on a circle, the first one on the left."""
    turns = {room: pi + 2 * pi * number / len(rooms) for number, room in enumerate(rooms)}
    return {room: (cos(turn), sin(turn)) for room, turn in turns.items()}


def _spread(spots: Spots, lengths: Mapping[int, Mapping[int, int]]) -> Spots:
    """Return the rooms moved to distances as the lengths of their shortest ways."""
    now = dict(spots)
    for _ in range(_ROUNDS):
        for room, (x, y) in now.items():
            to_x = to_y = weight = 0.0
            for other, (u, v) in now.items():
                if other == room:
                    continue
                length = lengths[room][other]
                share, far = 1 / length**2, hypot(x - u, y - v) or 1.0
                to_x += share * (u + length * (x - u) / far)
                to_y += share * (v + length * (y - v) / far)
                weight += share
            now[room] = (to_x / weight, to_y / weight)
    return now


def _fit(spots: Spots) -> Spots:
    """Return the rooms turned so that the drawing is broad, and spread over its whole size.

    The first room is in the upper left quarter.
    """
    middle = [sum(point[axis] for point in spots.values()) / len(spots) for axis in (0, 1)]
    points = {room: (x - middle[0], y - middle[1]) for room, (x, y) in spots.items()}
    xx, yy, xy = (
        sum(point[one] * point[other] for point in points.values())
        for one, other in ((0, 0), (1, 1), (0, 1))
    )
    turn = -atan2(2 * xy, xx - yy) / 2 if abs(xx - yy) + abs(xy) > 1e-6 else 0.0
    turned = {
        room: (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn))
        for room, (x, y) in points.items()
    }
    right, down = (-1 if part > 1e-9 else 1 for part in turned[min(turned)])
    return _stretch({room: (x * right, y * down) for room, (x, y) in turned.items()})


def _stretch(spots: Spots) -> Spots:
    """Return the rooms spread over the whole drawing; a row of rooms stays nearly straight."""
    xs, ys = ([point[axis] for point in spots.values()] for axis in (0, 1))
    broad, high = max(xs) - min(xs), max(ys) - min(ys)
    along = (WIDTH - ROOM_WIDTH - 2) / max(broad, 1e-6)
    down = min((HEIGHT - ROOM_HEIGHT - 2) / max(high, 1e-6), 2 * along)
    return {
        room: (
            WIDTH / 2 + (x - (min(xs) + max(xs)) / 2) * along,
            HEIGHT / 2 + (y - (min(ys) + max(ys)) / 2) * down,
        )
        for room, (x, y) in spots.items()
    }


def _cost(spots: Spots, pairs: Sequence[Pair], about: int | None = None) -> float:
    """Return how hard a drawing is to read, or the part of it that depends on one room."""
    ways = {*pairs}
    cost = 0.0
    for one, other in combinations(spots, 2):
        if about in (None, one, other):
            gap = _gap(spots[one], spots[other])
            apart = _APART_ON_WAY if (one, other) in ways else _APART
            cost += _TOO_NEAR * max(0.0, apart - gap) + (_OVERLAP if gap < _TOUCH else 0)
    for one, other in pairs:
        begin, end = spots[one], spots[other]
        touched = about in (None, one, other)
        if touched:
            cost += hypot(begin[0] - end[0], begin[1] - end[1]) / WIDTH
        for room in spots if touched else (about,):
            if room is not None and room not in (one, other):
                cost += _HIDDEN * max(0.0, _BESIDE - _gap_to_line(spots[room], begin, end))
    for first, second in combinations(pairs, 2):
        (a, b), (c, d) = first, second
        if a != c and a != d and b != c and b != d and about in (None, a, b, c, d):
            cost += _CROSSING * _cross(spots[a], spots[b], spots[c], spots[d])
    return cost


def _gap(one: Point, other: Point) -> float:
    """Return the distance between two rooms in sizes of a room; they overlap below 1."""
    return max(abs(one[0] - other[0]) / ROOM_WIDTH, abs(one[1] - other[1]) / ROOM_HEIGHT)


def _gap_to_line(point: Point, begin: Point, end: Point) -> float:
    """Return the distance of a point from a line in sizes of a room."""
    x, y = (point[0] - begin[0]) / ROOM_WIDTH, (point[1] - begin[1]) / ROOM_HEIGHT
    u, v = (end[0] - begin[0]) / ROOM_WIDTH, (end[1] - begin[1]) / ROOM_HEIGHT
    share = min(1.0, max(0.0, (x * u + y * v) / (u * u + v * v or 1.0)))
    return hypot(x - share * u, y - share * v)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether the lines from a to b and from c to d cross."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _improve(spots: Spots, pairs: Sequence[Pair]) -> Spots:
    """Return the rooms moved, each in turn, to where the drawing is easier to read."""
    now = dict(spots)
    left, top = ROOM_WIDTH / 2 + 1, ROOM_HEIGHT / 2 + 1
    for step in (16, 8, 4):
        for room in spots:
            cost = _cost(now, pairs, room)
            for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                moved = (
                    min(max(now[room][0] + step * right, left), WIDTH - left),
                    min(max(now[room][1] + step * down, top), HEIGHT - top),
                )
                tried = {**now, room: moved}
                if (less := _cost(tried, pairs, room)) < cost - 1e-9:
                    now, cost = tried, less
    return _stretch(now)
