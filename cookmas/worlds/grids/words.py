"""Words about places on a grid: how far away each is, or which body blocks the way to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.worlds.grids.grid import Cell, Grid
from cookmas.worlds.grids.walking import Body, shortest_path


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
