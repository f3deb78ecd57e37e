"""What changes in a kitchen: the cooks, counters, pots and gates. All values are immutable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import Cook

Ingredients = tuple[str, ...]
"""The ingredients of a soup, in alphabetical order."""


def count_ingredients(ingredients: Ingredients) -> list[str]:
    """Return the ingredients in words, such as `2 onions` and `1 tomato`."""
    forms = {"onion": "onions", "tomato": "tomatoes"}
    counts = {name: ingredients.count(name) for name in dict.fromkeys(ingredients)}
    return [f"{count} {name if count == 1 else forms[name]}" for name, count in counts.items()]


ItemKind = Literal["onion", "tomato", "dish", "soup"]
"""The kinds of items; a soup is always on a dish, and ready."""


class KitchenItem(NamedTuple):
    """Something that a cook holds or that lies on a counter."""

    kind: ItemKind
    ingredients: Ingredients = ()
    """The ingredients of a soup; empty for other kinds."""


class PotContent(NamedTuple):
    """What is in a pot that is not empty."""

    ingredients: Ingredients
    """The ingredients that were put in, in alphabetical order."""
    ticks: int = -1
    """Timesteps for which it has cooked, at most its recipe's time; -1 before it cooks."""


class GateState(NamedTuple):
    """The state of a gate."""

    open: bool = False
    """Whether cooks can enter it."""
    ticks: int = 0
    """Timesteps since it was opened in which nobody stood on it; 0 if it is closed."""


def open_gates(gates: Mapping[Cell, GateState]) -> frozenset[Cell]:
    """Return the gates that are open."""
    return frozenset([cell for cell, gate in gates.items() if gate.open]) if gates else frozenset()


class Scene(NamedTuple):
    """The cooks, and where all things are."""

    cooks: tuple[Cook[KitchenItem], ...]
    """The cooks by number."""
    counters: Mapping[Cell, KitchenItem]
    """The items on counters."""
    pots: Mapping[Cell, PotContent]
    """The contents of the pots that are not empty."""
    gates: Mapping[Cell, GateState]
    """The states of all gates."""
