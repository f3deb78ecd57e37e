"""How cooks on a grid are shown: the panels of their kitchen, and sentences about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cookmas.worlds.base.viewing import Panel, Viewing, WorkerPlace, panel_of
from cookmas.worlds.grids.drawing import draw_text, tell_place
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import HIDDEN


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


def tell_cook(name: str | None, item: str, doing: object | None) -> Iterator[str]:
    """Yield what a cook holds and is at; without a name it is told to the cook itself."""
    who, hold, be = (name, "holds", "is") if name else ("You", "hold", "are")
    yield f"{who} {hold} {item}."
    if doing is not None:
        yield f"{who} {be} at {doing}."


def tell_ways(name: str | None, ways: Sequence[str]) -> str:
    """Return how far a cook is from everything; without a name it is told to the cook itself."""
    return f"From where {f'{name} is' if name else 'you are'}: {' '.join(ways)}"
