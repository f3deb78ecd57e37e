"""The kitchen that all players know, and the scene in it.

The kitchen does not change: its grid, its places, and what food there is. The recipe of an order is
not in the kitchen but in the state, because not every cook may see it. Two things are called a
dish: the food that is ordered, and the item `DISH`, on which some of this food must be delivered.

The scene has what changes: the cooks, the counters and the utensils. All values are immutable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from cookmas.worlds.grids.grid import Cell, Grid
from cookmas.worlds.grids.hands import Cook, Sight, place_cooks

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


Kind = Literal["ingredient", "finished", "dish", "with_dish", "mix"]
"""Kind of an item: `dish` is an empty dish, and `with_dish` food on a dish. `finished` food was
taken out of a utensil by another name than its own, which only low-level acts can do. A `mix` is
all that was in a utensil before its start, taken at once; its name is the list. Only low-level acts
in the mode `original` can do this."""


class FoodItem(NamedTuple):
    """Something that a cook holds or that lies on a counter."""

    name: str
    kind: Kind
    parts: int = 0
    """Number of items that `finished` or `with_dish` food was made of; 0 for other kinds."""


class UtensilContent(NamedTuple):
    """What is in a utensil."""

    items: tuple[str, ...]
    """The items that were put in; empty once the utensil has been started."""
    filled: int
    """Number of items that were put in."""
    product: str | None = None
    """What the utensil makes or has made; None before it is started."""
    ticks: int = 0
    """Timesteps that it has worked."""


class SynthesisRow(NamedTuple):
    """A row of a synthesis table: a kind of utensil makes a product of items in any order."""

    utensil: str
    inputs: tuple[str, ...]
    product: str


@dataclass(frozen=True)
class Tables:
    """The synthesis tables of all utensils."""

    rows: tuple[SynthesisRow, ...]

    @cached_property
    def _products(self) -> Mapping[tuple[str, tuple[str, ...]], str]:
        return {(row.utensil, tuple(sorted(row.inputs))): row.product for row in self.rows}

    def product(self, utensil: str, items: Iterable[str]) -> str | None:
        """Return what a kind of utensil makes of some items; None if no recipe has them."""
        return self._products.get((utensil, tuple(sorted(items))))


UNKNOWN = "unknown_product"
"""The product of every mix for those who do not know the tables."""


class Scene(NamedTuple):
    """The cooks, and where all things are."""

    cooks: tuple[Cook[FoodItem], ...]
    counters: Mapping[Cell, FoodItem]
    """The items on counters."""
    utensils: Mapping[Cell, UtensilContent]
    """The contents of utensils, in the order in which these were filled."""


def opening(kitchen: CollabKitchen) -> Scene:
    """Return the scene in which all cooks stand at their starts and look up."""
    return Scene(place_cooks(kitchen.grid), {}, {})


class CollabSight(Sight[CollabKitchen, Scene, FoodItem]):
    """The kitchen and the scene as one cook sees them, with the order."""

    __slots__ = ()

    def find_on_counters(self, food: str) -> tuple[Cell, ...]:
        """Return the counters within reach of the cook on which a food lies."""
        counters = self.scene.counters
        return tuple(
            cell
            for cell in self.kitchen.counters[self.number]
            if cell in counters and counters[cell].name == food
        )

    def content_of(self, place: str) -> UtensilContent | None:
        """Return the content of the utensil of a name; None if it is empty, or no utensil."""
        cell = self.kitchen.utensils.get(place)
        return None if cell is None else self.scene.utensils.get(cell)

    def reaches(self, place: str) -> bool:
        """Return whether the cook can face a place of a name."""
        return place in self.kitchen.within[self.number]

    def has(self, food: str, place: str) -> bool:
        """Return whether a food lies on a counter within reach, or is finished in a utensil.

        A dispenser has everything.
        """
        if place == COUNTER:
            return bool(self.find_on_counters(food))
        if place not in self.kitchen.utensils:
            return True
        content = self.content_of(place)
        return content is not None and content.product == food and content.ticks >= TICKS
