"""Which orders can be delivered in a kitchen: all that they need is there, and is reached.

Cooks on different sides of a counter or of a utensil can pass things over it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.worlds.collab_overcooked.rules.kitchen import (
    COUNTER,
    DELIVERY,
    DISH,
    DISHES,
    INGREDIENTS,
    CollabKitchen,
    SynthesisRow,
    Tables,
)
from cookmas.worlds.grids.passing import NO_PASSING, CookSide, explain_missing, find_sides


def obstacle(kitchen: CollabKitchen, tables: Tables, order: str) -> str | None:
    """Return why the cooks of a kitchen can never deliver an order; None if they can."""
    given = {INGREDIENTS: kitchen.raw, DISHES: [DISH]}
    sides = find_sides(kitchen.grid, kitchen.kinds, COUNTER, given)
    _make_all(kitchen, sides, tables)
    for side in sides:
        plated = order not in kitchen.plated or DISH in side.things
        if DELIVERY in side.kinds and order in side.things and plated:
            return None
    rows = _rows_for(tables, order)
    needed = [INGREDIENTS, *(row.utensil for row in rows)]
    needed += [DISHES] if order in kitchen.plated else []
    named = {kind: f"the {kind.replace('_', ' ')}" for kind in (*needed, DELIVERY)}
    missing = explain_missing(named, kitchen.kinds.values(), sides)
    unknown = [f"no dispenser gives {food}" for food in _list_raw(rows) if food not in kitchen.raw]
    return missing or next(iter(unknown), NO_PASSING)


def _make_all(kitchen: CollabKitchen, sides: Sequence[CookSide[str]], tables: Tables) -> None:
    """Add all that can be made to what each side can get."""
    before, now = -1, 0
    while before < now:
        for row in tables.rows:
            for cell, kind in kitchen.kinds.items():
                if kind == row.utensil:
                    _make(row, [side for side in sides if cell in side.cells])
        before, now = now, sum(len(side.things) for side in sides)


def _make(row: SynthesisRow, here: Sequence[CookSide[str]]) -> None:
    if all(any(food in side.things for side in here) for food in row.inputs):
        for side in here:
            side.things.add(row.product)


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
