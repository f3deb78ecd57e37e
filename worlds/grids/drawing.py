"""A grid with things on its cells, drawn as text for terminals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from worlds.grids.grid import Cell, Direction, Grid
from worlds.grids.walking import Body

ARROWS: Mapping[Direction, str] = {(0, -1): "^", (0, 1): "v", (1, 0): ">", (-1, 0): "<"}
"""The signs of bodies, by the direction in which they look."""


def draw_text(grid: Grid, bodies: Sequence[Body], marks: Mapping[Cell, str]) -> list[str]:
    """Return the rows of a grid, three columns a cell: its letter, what looks where, and a mark.

    A body is its number and an arrow. `marks` has a sign for cells on which something lies.
    """
    standing = {body.at: f"{number}{ARROWS[body.facing]}" for number, body in enumerate(bodies, 1)}
    rows = []
    for y, row in enumerate(grid.rows):
        cells = []
        for x in range(len(row)):
            cell = (x, y)
            letter = grid.solid.get(cell, ".")
            cells.append(f"{standing.get(cell, letter):2}{marks.get(cell, ' ')[:1]}")
        rows.append("".join(cells).rstrip())
    return rows
