"""Which orders can be delivered in a kitchen: all that they need is there, and is reached.

Cooks on different sides of a counter or of a utensil can pass things over it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.worlds.collab_overcooked.kitchen import (
    COUNTER,
    DELIVERY,
    DISH,
    DISHES,
    INGREDIENTS,
    CollabKitchen,
)
from cookmas.worlds.collab_overcooked.scene import SynthesisRow, Tables
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.passing import groups_of


class _Side:
    """A group of cooks who can hand things to each other, and the foods that the group can get."""

    def __init__(self, kitchen: CollabKitchen, cells: frozenset[Cell]) -> None:
        self.cells = cells
        self.kinds = {kitchen.kinds[cell] for cell in cells}
        self.foods = set(kitchen.raw) if INGREDIENTS in self.kinds else set()
        if DISHES in self.kinds:
            self.foods.add(DISH)


def obstacle(kitchen: CollabKitchen, tables: Tables, order: str) -> str | None:
    """Return why the cooks of a kitchen can never deliver an order; None if they can."""
    sides = [
        _Side(kitchen, cells) for cells in groups_of(kitchen.grid, kitchen.places.get(COUNTER, ()))
    ]
    _make_all(kitchen, sides, tables)
    for side in sides:
        plated = order not in kitchen.plated or DISH in side.foods
        if DELIVERY in side.kinds and order in side.foods and plated:
            return None
    rows = _rows_for(tables, order)
    utensils = dict.fromkeys(row.utensil for row in rows)
    needed = [DISHES] if order in kitchen.plated else []
    for kind in (INGREDIENTS, *utensils, *needed, DELIVERY):
        name = kind.replace("_", " ")
        if kind not in kitchen.kinds.values():
            return f"there is no {name}"
        if not any(kind in side.kinds for side in sides):
            return f"no cook reaches the {name}"
    for food in _list_raw(rows):
        if food not in kitchen.raw:
            return f"no dispenser gives {food}"
    return "the cooks cannot pass each other all that it needs"


def _make_all(kitchen: CollabKitchen, sides: Sequence[_Side], tables: Tables) -> None:
    """Add all that can be made to what each side can get."""
    before, now = -1, 0
    while before < now:
        for row in tables.rows:
            for cell, kind in kitchen.kinds.items():
                if kind == row.utensil:
                    _make(row, [side for side in sides if cell in side.cells])
        before, now = now, sum(len(side.foods) for side in sides)


def _make(row: SynthesisRow, here: Sequence[_Side]) -> None:
    if all(any(food in side.foods for side in here) for food in row.inputs):
        for side in here:
            side.foods.add(row.product)


def _rows_for(tables: Tables, order: str) -> list[SynthesisRow]:
    """Return the rows by which an order can be made, those of its parts too."""
    wanted, found = [order], []
    for food in wanted:
        for row in tables.rows:
            if row.product == food and row not in found:
                found.append(row)
                wanted += row.inputs
    return found


def _list_raw(rows: Sequence[SynthesisRow]) -> list[str]:
    """Return the foods that no row makes."""
    made = {row.product for row in rows}
    return sorted({food for row in rows for food in row.inputs} - made)
