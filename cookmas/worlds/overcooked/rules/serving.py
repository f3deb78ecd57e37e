"""Which orders can be delivered in a kitchen: its pots cook them, and its cooks reach all places.

Cooks on different sides of a counter can pass things over it, and the cooks on two sides of a pot
can share the work on a soup. How many things lie there at first plays no part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.passing import NO_PASSING, CookSide, explain_missing, find_sides
from cookmas.worlds.overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    GIVEN,
    POT,
    SERVING,
    Ingredients,
    KitchenItem,
    OvercookedKitchen,
    SoupRecipe,
    count_ingredients,
    possible_soups,
)


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
    if any(SERVING in side.kinds and KitchenItem("soup", soup) in side.things for side in sides):
        return None
    if soup not in possible_soups(kitchen.dynamics):
        return f"a pot starts at {CAPACITY} ingredients"
    if any(_can_cook(kitchen, sides, pot, soup) for pot in kitchen.pots):
        return None
    lacking = [
        kind
        for kind, item in GIVEN.items()
        if item in (*soup, "dish") and not any(_has(side, item) for side in sides)
    ]
    needed = {kind: _name_place(kind) for kind in (*lacking, POT, SERVING)}
    return explain_missing(needed, kitchen.kinds.values(), sides) or NO_PASSING


def _name_place(kind: str) -> str:
    name = "serving window" if kind == SERVING else kind.replace("_", " ")
    return f"{'an' if name[0] == 'o' else 'a'} {name}"


def _has(side: CookSide[KitchenItem], item: str) -> bool:
    """Return whether a group can get an item except soups."""
    return any(thing.kind == item and not thing.ingredients for thing in side.things)


def _can_cook(
    kitchen: OvercookedKitchen, sides: Sequence[CookSide[KitchenItem]], pot: Cell, soup: Ingredients
) -> bool:
    """Return whether a soup can be cooked in a pot, be taken out and be delivered."""
    here = [side for side in sides if pot in side.cells]
    content = kitchen.opening.pots.get(pot)
    inside = Counter(content.ingredients if content else ())
    whole = Counter(soup)
    missing = whole - inside if inside <= whole else whole
    filled = all(any(_has(side, item) for side in here) for item in missing)
    return filled and any(_has(side, "dish") and SERVING in side.kinds for side in here)


@lru_cache(maxsize=64)
def _sides(kitchen: OvercookedKitchen) -> Sequence[CookSide[KitchenItem]]:
    """Return the groups of cooks, each with what dispensers give, and what is there at first."""
    grid, opening = kitchen.open_grid, kitchen.opening
    given = {kind: [KitchenItem(item)] for kind, item in GIVEN.items()}
    sides = find_sides(grid, kitchen.kinds, COUNTER, given)
    for side in sides:
        side.things.update(item for cell, item in opening.counters.items() if cell in side.cells)
        side.things.update(
            cook.held
            for cook in opening.cooks
            if cook.held is not None and grid.cells_touched(cook.body.at) <= side.cells
        )
    return sides
