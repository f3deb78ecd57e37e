"""The kitchen that all players know: its grid, its places, and what food there is.

The recipe of an order is not in the kitchen but in the state, because not every cook may see it.
Two things are called a dish: the food that is ordered, and the item `DISH`, on which some of this
food must be delivered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from cookmas.worlds.grids.grid import Cell, Grid

COUNTER = "counter"
INGREDIENTS = "ingredient_dispenser"
DISHES = "dish_dispenser"
DELIVERY = "delivery"
DISH = "dish"

STARTERS: Mapping[str, str] = {
    "pot": "cook",
    "oven": "bake",
    "chopping_board": "cut",
    "blender": "stir",
}
"""The kinds of utensils, each with the verb that starts it."""

LETTERS: Mapping[str, str] = {
    "X": COUNTER,
    "I": INGREDIENTS,
    "D": DISHES,
    "S": DELIVERY,
    "P": "pot",
    "O": "oven",
    "C": "chopping_board",
    "B": "blender",
}
"""The meaning of the letters of a grid."""

CAPACITY = 3
"""Greatest number of items in a utensil."""

TICKS = 3
"""Timesteps that a utensil works."""


@dataclass(frozen=True)
class CollabKitchen:
    """A grid with its places, the cooks, and the names of food."""

    grid: Grid
    cooks: tuple[str, ...]
    """Names of the cooks, by the number of their start."""
    readers: frozenset[str]
    """The cooks who see the recipe."""
    raw: frozenset[str]
    """The ingredients that the dispenser gives."""
    foods: frozenset[str]
    """Every known food, raw or made."""
    menu: frozenset[str]
    """The food that can be delivered."""
    plated: frozenset[str]
    """The food of the menu that must be delivered on the item `DISH`."""
    original: bool = False
    """Whether the kitchen has the faults of the original engine."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.grid, self.raw, self.menu, self.original))

    @cached_property
    def kinds(self) -> Mapping[Cell, str]:
        """The kind of each solid cell."""
        return {cell: LETTERS[letter] for cell, letter in self.grid.solid.items()}

    @cached_property
    def utensils(self) -> Mapping[str, Cell]:
        """The utensils by name, such as `pot0`, row by row."""
        count: dict[str, int] = {}
        found: dict[str, Cell] = {}
        for cell, kind in self.kinds.items():
            if kind in STARTERS:
                found[f"{kind}{count.get(kind, 0)}"] = cell
                count[kind] = count.get(kind, 0) + 1
        return found

    @cached_property
    def names(self) -> Mapping[Cell, str]:
        """The name of each solid cell: of a utensil its own, of any other place its kind."""
        return {**self.kinds, **{cell: name for name, cell in self.utensils.items()}}

    @cached_property
    def places(self) -> Mapping[str, tuple[Cell, ...]]:
        """The cells of each place by its name, row by row."""
        found: dict[str, tuple[Cell, ...]] = {}
        for cell, name in self.names.items():
            found[name] = (*found.get(name, ()), cell)
        return found

    @cached_property
    def touched(self) -> tuple[frozenset[Cell], ...]:
        """The solid cells that each cook can face, by its number."""
        return tuple(self.grid.cells_touched(start) for start in self.grid.starts)

    @cached_property
    def within(self) -> tuple[Mapping[str, tuple[Cell, ...]], ...]:
        """The cells of each place that a cook can face, by its number; no place without one."""
        found = []
        for touched in self.touched:
            cells = {
                name: tuple(cell for cell in some if cell in touched)
                for name, some in self.places.items()
            }
            found.append({name: some for name, some in cells.items() if some})
        return tuple(found)

    @cached_property
    def roommates(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the other cooks who walk on the same floor, by the number of a cook."""
        starts = self.grid.starts
        regions = [self.grid.region(start) for start in starts]
        return tuple(
            tuple(other for other, start in enumerate(starts) if start in region and other != own)
            for own, region in enumerate(regions)
        )

    @cached_property
    def shared(self) -> frozenset[Cell]:
        """The counters that more than one cook can face."""
        return frozenset(
            cell
            for cell, kind in self.kinds.items()
            if kind == COUNTER and sum(cell in touched for touched in self.touched) > 1
        )

    @cached_property
    def counters(self) -> tuple[tuple[Cell, ...], ...]:
        """The counters that each cook can face: the shared ones first, then its own."""
        counters = self.places.get(COUNTER, ())
        return tuple(
            tuple(sorted(touched.intersection(counters), key=lambda c: (c not in self.shared, c)))
            for touched in self.touched
        )

    def reaches(self, cook: int, name: str) -> bool:
        """Return whether a cook can face a place of this name."""
        return name in self.within[cook]
