"""Where the rooms of a map are drawn: apart from each other, with few ways that cross.

The places depend on nothing but the map. Several layouts are made, and the most legible one is
taken: the rooms on an ellipse, or as far from each other as the ways between them are long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import atan2, cos, hypot, pi, sin

from cookmas.worlds.rooms.maps import Ways

WIDTH, HEIGHT = 160, 110
"""Size of a drawing, in its own units."""

ROOM_WIDTH, ROOM_HEIGHT = 24, 17
"""Size of a room in a drawing."""

_APART = 1.3
"""Distance between two rooms, in sizes of a room, below which they are too near."""

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
    return {room: (round(x), round(y)) for room, (x, y) in best.items()}


def _list_layouts(rooms: Sequence[int], pairs: Sequence[Pair]) -> Iterator[Spots]:
    """Yield layouts: circles that begin with each room, and what springs make of them."""
    near: dict[int, list[int]] = {room: [] for room in rooms}
    for one, other in pairs:
        near[one].append(other)
        near[other].append(one)
    lengths = {room: _measure(room, near) for room in rooms}
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


def _measure(first: int, near: Mapping[int, Sequence[int]]) -> Mapping[int, int]:
    """Return the number of ways to each room; a room without one is as far as there are rooms."""
    lengths, border = {first: 0}, [first]
    for room in border:
        for other in near[room]:
            if other not in lengths:
                lengths[other] = lengths[room] + 1
                border.append(other)
    return {room: lengths.get(room, len(near)) for room in near}


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
    """Return the rooms turned so that they are broad, and spread over the whole drawing.

    The first room is in the upper left quarter.
    """
    middle = [sum(point[axis] for point in spots.values()) / len(spots) for axis in (0, 1)]
    points = {room: (x - middle[0], y - middle[1]) for room, (x, y) in spots.items()}
    xx, yy, xy = (
        sum(point[one] * point[other] for point in points.values())
        for one, other in ((0, 0), (1, 1), (0, 1))
    )
    turn = -atan2(2 * xy, xx - yy) / 2 if abs(xx - yy) + abs(xy) > 1e-6 else 0.0
    points = {
        room: (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn))
        for room, (x, y) in points.items()
    }
    first = points[next(iter(points))]
    flips = [-1 if part > 1e-9 else 1 for part in first]
    scales = [_scale([point[axis] for point in points.values()], axis) for axis in (0, 1)]
    scales[1] = min(scales[1], 2 * scales[0])
    return {
        room: (WIDTH / 2 + x * flips[0] * scales[0], HEIGHT / 2 + y * flips[1] * scales[1])
        for room, (x, y) in points.items()
    }


def _scale(parts: Sequence[float], axis: int) -> float:
    """Return by how much coordinates can be multiplied so that all rooms are in the drawing."""
    room = ((WIDTH - ROOM_WIDTH) / 2 - 1, (HEIGHT - ROOM_HEIGHT) / 2 - 1)[axis]
    return room / max(1e-6, *map(abs, parts))


def _cost(spots: Spots, pairs: Sequence[Pair]) -> float:
    """Return how hard a drawing is to read: less is better."""
    near = sum(max(0.0, _APART - _gap(one, other)) for one, other in combinations(spots.values(), 2))
    hidden = length = 0.0
    for one, other in pairs:
        begin, end = spots[one], spots[other]
        length += hypot(begin[0] - end[0], begin[1] - end[1]) / WIDTH
        for room, spot in spots.items():
            if room not in (one, other):
                hidden += max(0.0, 0.7 - _gap_to_line(spot, begin, end))
    crossings = sum(
        _cross(spots[a], spots[b], spots[c], spots[d])
        for (a, b), (c, d) in combinations(pairs, 2)
        if len({a, b, c, d}) == 4
    )
    return 60 * (near + hidden) + 2 * crossings + length


def _gap(one: Point, other: Point) -> float:
    """Return the distance between two points in sizes of a room."""
    return hypot((one[0] - other[0]) / ROOM_WIDTH, (one[1] - other[1]) / ROOM_HEIGHT)


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
    now, cost = dict(spots), _cost(spots, pairs)
    left, top = ROOM_WIDTH / 2 + 1, ROOM_HEIGHT / 2 + 1
    for step in (16, 8, 4):
        for room in spots:
            x, y = now[room]
            for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                moved = (
                    min(max(x + step * right, left), WIDTH - left),
                    min(max(y + step * down, top), HEIGHT - top),
                )
                tried = {**now, room: moved}
                if (less := _cost(tried, pairs)) < cost - 1e-9:
                    now, cost = tried, less
    return now
