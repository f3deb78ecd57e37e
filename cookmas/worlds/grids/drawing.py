"""A grid with things on its cells: drawn as text for terminals, and the scripts for the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cookmas.worlds.grids.grid import Cell, Direction, Grid
from cookmas.worlds.grids.walking import Body

ARROWS: Mapping[Direction, str] = {(0, -1): "^", (0, 1): "v", (1, 0): ">", (-1, 0): "<"}
"""The arrow of a body, by the direction in which it looks."""

_VIEW = Path(__file__).parent / "view"

GRID_PAGE: Sequence[Path] = tuple(_VIEW / name for name in ("grids.css", "glyphs.js", "grids.js"))
"""The scripts and styles that draw a grid on the page; a world's own script follows them."""


def tell_place(body: Body) -> str:
    """Return where a body is, and its arrow, such as "2,1 ^"."""
    return f"{body.at[0]},{body.at[1]} {ARROWS[body.facing]}"


def draw_text(grid: Grid, bodies: Sequence[Body], marks: Mapping[Cell, str]) -> list[str]:
    """Return the rows of a grid as text, with three characters for each cell.

    The first two are a body's number and arrow, or else the cell's letter, a dot for floor. The
    third is the cell's sign in `marks`, or a space.
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
