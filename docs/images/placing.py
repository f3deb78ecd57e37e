"""Place the rooms of a picture: layers one over the other, and arrows that cross no room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from docs.images.rooms import Arrows, layers_of

ROOM = 196
"""The width of a room."""

BEND = 12
"""The width that an arrow takes in a layer that it only passes."""

GAP = 28
ROUNDS = 12


class Bend(NamedTuple):
    """The point where the arrow from `above` to `below` passes a layer."""

    above: str
    below: str
    layer: int


Place = str | Bend
Row = list[Place]


class PlacedRoom(NamedTuple):
    """Rows, the lowest first; the middle of each place in its row; the places of each arrow."""

    rows: Sequence[Row]
    middles: Mapping[Place, float]
    ways: Sequence[Sequence[Place]]


def place_rooms(arrows: Arrows) -> PlacedRoom:
    """Return the places of all rooms and arrows, with few crossings."""
    rows: list[Row] = [list(layer) for layer in layers_of(arrows)]
    height = {place: level for level, row in enumerate(rows) for place in row}
    ways: list[list[Place]] = []
    for above, belows in arrows.items():
        for below in sorted(belows):
            bends = [Bend(above, below, n) for n in range(height[above] - 1, height[below], -1)]
            for bend in bends:
                rows[bend.layer].append(bend)
            ways.append([above, *bends, below])
    links = [link for way in ways for link in pairwise(way)]
    rows = _untangle(rows, links)
    return PlacedRoom(rows, _middles(rows, links), ways)


def _untangle(rows: list[Row], links: Sequence[tuple[Place, Place]]) -> list[Row]:
    """Return the rows in the order with the fewest crossings that sorting by neighbours finds."""
    best, fewest = rows, _crossings(rows, links)
    for number in range(2 * ROUNDS):
        upwards = number % 2 == 0
        rows = [list(row) for row in rows]
        for row in rows if upwards else reversed(rows):
            rank = {place: n / len(each) for each in rows for n, place in enumerate(each)}
            beside = {
                place: _mean([rank[other] for other in _ends(place, links, upwards)], rank[place])
                for place in row
            }
            row.sort(key=lambda place: beside[place])
        crossings = _crossings(rows, links)
        if crossings < fewest:
            best, fewest = rows, crossings
    return best


def _crossings(rows: Sequence[Row], links: Sequence[tuple[Place, Place]]) -> int:
    rank = {place: (level, n) for level, row in enumerate(rows) for n, place in enumerate(row)}
    ends = [(rank[above], rank[below]) for above, below in links]
    return sum(
        a[0] == c[0] and (a[1] - c[1]) * (b[1] - d[1]) < 0
        for (a, b), (c, d) in combinations(ends, 2)
    )


def _ends(place: Place, links: Sequence[tuple[Place, Place]], below: bool) -> list[Place]:
    if below:
        return [under for over, under in links if over == place]
    return [over for over, under in links if under == place]


def _middles(rows: Sequence[Row], links: Sequence[tuple[Place, Place]]) -> dict[Place, float]:
    """Return the middle of each place: near its neighbours, with a gap to the place beside it."""
    middles: dict[Place, float] = {}
    for row in rows:
        middles.update(zip(row, _spread(row, [0.0] * len(row)), strict=True))
    for number in range(4 * ROUNDS):
        for row in rows if number % 2 else reversed(rows):
            wanted = []
            for place in row:
                beside = _ends(place, links, True) + _ends(place, links, False)
                wanted.append(_mean([middles[other] for other in beside], middles[place]))
            middles.update(zip(row, _spread(row, wanted), strict=True))
    return middles


def _spread(row: Row, wanted: Sequence[float]) -> list[float]:
    """Return the middles next to the wanted ones (by squares) that leave every place its width."""
    offsets = [0.0]
    for left, right in pairwise(row):
        offsets.append(offsets[-1] + (_width(left) + _width(right)) / 2 + GAP)
    blocks: list[list[float]] = []
    for middle, offset in zip(wanted, offsets, strict=True):
        blocks.append([middle - offset])
        while len(blocks) > 1 and _mean(blocks[-2]) > _mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1].extend(last)
    flat = [_mean(block) for block in blocks for _ in block]
    return [middle + offset for middle, offset in zip(flat, offsets, strict=True)]


def _width(place: Place) -> int:
    return BEND if isinstance(place, Bend) else ROOM


def _mean(numbers: Sequence[float], otherwise: float = 0.0) -> float:
    return sum(numbers) / len(numbers) if numbers else otherwise
