"""What changes in a kitchen: the cooks, the counters and the utensils. All values are immutable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from cookmas.worlds.collab_overcooked.rules.kitchen import COUNTER, TICKS, CollabKitchen
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import Cook, Sight, place_cooks

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
