"""Sentences about cooks on a grid: what they do, and how far away the places are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cookmas.worlds.grids.grid import Cell, Grid
from cookmas.worlds.grids.walking import Body, shortest_path


def tell_cook(name: str | None, item: str, doing: object | None) -> Iterator[str]:
    """Yield what a cook holds and is at; without a name it is told to the cook itself."""
    who, hold, be = (name, "holds", "is") if name else ("You", "hold", "are")
    yield f"{who} {hold} {item}."
    if doing is not None:
        yield f"{who} {be} at {doing}."


def tell_ways(name: str | None, ways: Sequence[str]) -> str:
    """Return how far a cook is from everything; without a name it is told to the cook itself."""
    return f"From where {f'{name} is' if name else 'you are'}: {' '.join(ways)}"


def tell_distances(
    grid: Grid, body: Body, places: Mapping[str, Cell], others: Mapping[str, Cell]
) -> list[str]:
    """Return a sentence about each of the solid `places` by name, in their order.

    The sentence names the moves after which `body` faces the place, turns included. `others` are
    the cells of other bodies and obstacles, by name. The way leads around them. If there is no such
    way, the sentence names those that block it.
    """
    return [f"{name} {_tell_way(grid, body, cell, others)}." for name, cell in places.items()]


def tell_path(path: Sequence[str]) -> str:
    """Return how far away a place is to which these moves lead, such as "is 2 moves away"."""
    moves = "1 move" if len(path) == 1 else f"{len(path)} moves"
    return f"is {moves} away" if path else "is in front"


def _tell_way(grid: Grid, body: Body, target: Cell, others: Mapping[str, Cell]) -> str:
    taken = frozenset(others.values())
    path = shortest_path(grid, body, target, taken)
    if path is not None:
        return tell_path(path)
    if shortest_path(grid, body, target) is None:
        return "cannot be reached"
    alone = [
        name
        for name, cell in others.items()
        if shortest_path(grid, body, target, taken - {cell}) is not None
    ]
    return f"is blocked by {' and '.join(alone or others)}"
