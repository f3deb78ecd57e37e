"""Which orders can be delivered in a kitchen: its pots cook them, and its cooks reach all places.

Cooks on different sides of a counter can pass things over it, and the cooks on two sides of a pot
can share the work on a soup. How many things lie there at first plays no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.passing import groups_of
from cookmas.worlds.overcooked.kitchen import (
    CAPACITY,
    COUNTER,
    DISHES,
    GIVEN,
    POT,
    SERVING,
    OvercookedKitchen,
    SoupRecipe,
    possible_soups,
)
from cookmas.worlds.overcooked.scene import Ingredients, KitchenItem, count_ingredients


class CookSide(NamedTuple):
    """A group of cooks who can hand things to each other, and what the group has."""

    kinds: frozenset[str]
    """The kinds of places that one of them reaches."""
    pots: frozenset[Cell]
    """The pots that one of them reaches."""
    items: frozenset[KitchenItem]
    """The items that dispensers give them, and those that are there at the beginning."""

    def has(self, item: str) -> bool:
        """Return whether they can get an item except soups."""
        return KitchenItem(item) in self.items  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def list_served_orders(kitchen: OvercookedKitchen) -> tuple[SoupRecipe, ...]:
    """Return the orders of a kitchen that its cooks can deliver."""
    return tuple(each for each in kitchen.ordered if obstacle(kitchen, each.ingredients) is None)


def orders_not_served(kitchen: OvercookedKitchen) -> Iterator[str]:
    """Yield a sentence for each order of a kitchen that its cooks can never deliver."""
    for recipe in kitchen.ordered:
        why = obstacle(kitchen, recipe.ingredients)
        if why is not None:
            soup = " and ".join(count_ingredients(recipe.ingredients))
            yield f"the order of {soup} cannot be served in this kitchen: {why}"


def obstacle(kitchen: OvercookedKitchen, soup: Ingredients) -> str | None:
    """Return why the cooks of a kitchen can never deliver a soup; None if they can."""
    sides = _sides(kitchen)
    if any(SERVING in side.kinds and KitchenItem("soup", soup) in side.items for side in sides):
        return None
    if soup not in possible_soups(kitchen.dynamics):
        return f"a pot starts at {CAPACITY} ingredients"
    if any(_can_cook(kitchen, sides, pot, soup) for pot in kitchen.pots):
        return None
    for kind in (*(kind for kind in GIVEN if GIVEN[kind] in soup), DISHES, POT, SERVING):
        name = "serving window" if kind == SERVING else kind.replace("_", " ")
        if kind in GIVEN and any(side.has(GIVEN[kind]) for side in sides):
            continue
        if not kitchen.places[kind]:
            return f"there is no {name}"
        if not any(kind in side.kinds for side in sides):
            return f"no cook reaches {'an' if name[0] == 'o' else 'a'} {name}"
    return "the cooks cannot pass each other all that it needs"


def _can_cook(
    kitchen: OvercookedKitchen, sides: tuple[CookSide, ...], pot: Cell, soup: Ingredients
) -> bool:
    """Return whether a soup can be cooked in a pot, be taken out and be delivered."""
    here = [side for side in sides if pot in side.pots]
    content = kitchen.opening.pots.get(pot)
    inside = Counter(content.ingredients if content else ())
    whole = Counter(soup)
    missing = whole - inside if inside <= whole else whole
    filled = all(any(side.has(item) for side in here) for item in missing)
    return filled and any(side.has("dish") and SERVING in side.kinds for side in here)


@lru_cache(maxsize=64)
def _sides(kitchen: OvercookedKitchen) -> tuple[CookSide, ...]:
    grid, opening = kitchen.open_grid, kitchen.opening
    found = []
    for cells in groups_of(grid, kitchen.places[COUNTER]):
        kinds = frozenset(kitchen.kinds[cell] for cell in cells)
        items = {KitchenItem(GIVEN[kind]) for kind in kinds if kind in GIVEN}  # type: ignore[arg-type]
        items.update(item for cell, item in opening.counters.items() if cell in cells)
        items.update(
            cook.held
            for cook in opening.cooks
            if cook.held is not None and grid.cells_touched(cook.body.at) <= cells
        )
        found.append(CookSide(kinds, cells.intersection(kitchen.pots), frozenset(items)))
    return tuple(found)
