"""How a grid is shown: as text, by the scripts of the page, and the panels of a kitchen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.worlds.base.viewing import Panel, Viewing, WorkerPlace, panel_of
from cookmas.worlds.grids.grid import Cell, Direction, Grid
from cookmas.worlds.grids.hands import HIDDEN
from cookmas.worlds.grids.walking import Body

ARROWS: Mapping[Direction, str] = {(0, -1): "^", (0, 1): "v", (1, 0): ">", (-1, 0): "<"}
"""The arrow of a body, by the direction in which it looks."""

_VIEW = Path(__file__).parent / "page"

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


class CooksViewing(Viewing):
    """The words and the drawing of a kitchen on a grid.

    Its world has a `kitchen` with a `grid`, and is a `LastingWorld`; its states have a `scene` with
    `cooks`.
    """

    # What a kitchen overrides

    def phrase_item(self, item: Any) -> str:
        """Return something that a cook holds in words."""
        raise NotImplementedError

    def mark_cells(self, world: Any, state: Any) -> Mapping[Cell, str]:
        """Return the signs on the grid, a letter for each cell."""
        raise NotImplementedError

    def describe_things(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return the panels of what is in the kitchen besides the cooks."""
        raise NotImplementedError

    # The machinery

    def place_workers(self, world: Any, state: Any) -> Mapping[str, WorkerPlace]:
        """Return the place of each visible cook, where it looks, and what it holds."""
        return {
            name: WorkerPlace(
                at=tell_place(cook.body),
                holds="" if cook.held is None else self.phrase_item(cook.held),
            )
            for name, cook in zip(world.workers, state.scene.cooks, strict=True)
            if cook != HIDDEN
        }

    def panels(self, world: Any, state: Any) -> Sequence[Panel]:
        """Return the grid as text, the things in the kitchen, and what the cooks are at."""
        bodies = [cook.body for cook in state.scene.cooks]
        rows = draw_text(world.kitchen.grid, bodies, self.mark_cells(world, state))
        doing = [str(action) if action else "to decide" for action in state.doing]
        return [
            panel_of("kitchen", ((str(y), row) for y, row in enumerate(rows))),
            *self.describe_things(world, state),
            panel_of("in action", zip(world.workers, doing, strict=True)),
        ]


def panel_of_cells(title: str, cells: Mapping[Cell, str], names: Mapping[Cell, str]) -> Panel:
    """Return a panel with what is on some cells; a cell without a name has its column and row."""
    return panel_of(title, ((names.get(c, f"{c[0]},{c[1]}"), what) for c, what in cells.items()))
