"""The faults of the original: rows of verbs, and parts of a timestep, in the place of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.worlds.collab_overcooked.rules.actions import (
    DELIVER,
    FILL,
    PICKUP,
    PLACE,
    PUT,
    STARTED,
    VERBS,
    Action,
    Cells,
    Verb,
    check_busy,
    check_empty_hand,
    check_fill,
    check_inside,
    check_names,
    check_place,
    check_reach,
    check_takes,
    find_place,
    has_started,
)
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    COUNTER,
    DISH,
    CollabSight,
    FoodItem,
    UtensilContent,
)
from cookmas.worlds.collab_overcooked.rules.timestep import CollabTimestep
from cookmas.worlds.grids.grid import Cell

# Verbs

ALSO_FINAL = ("onion", "potato")
"""Names beyond the menu by which the original knows food that can be delivered."""

_DISHED_AT: Mapping[str, str] = {"patty": "oven"}
"""The utensils of which the original knows, by the last word of a food's name, that the food there
needs a dish; for other names it is the pot."""


def _refuse_pickup(sight: CollabSight, action: Action) -> str | None:
    """Return why a cook cannot pick something up; no pickup waits.

    Food in a utensil needs a dish by the names of both, whatever is in there and within reach or
    not. By the recipe it needs one only if it is in there.
    """
    kitchen, food = sight.kitchen, action.food
    if action.waits:
        return "words"
    kind = check_names(kitchen, action)
    if kind is not None:
        return kind
    if action.place not in kitchen.utensils:
        return check_place(sight, action)
    kind = check_busy(sight, action)
    if kind is not None:
        return kind
    named = action.place.startswith(_DISHED_AT.get(food.rpartition("_")[2], "pot"))
    if food in kitchen.plated and named:
        return "needs_dish"
    kind = check_reach(sight, action)
    if kind is not None:
        return kind
    inside = check_inside(sight, action)
    if food in kitchen.plated and inside is None:
        return "needs_dish"
    return check_empty_hand(sight, action) or inside


def _find_food(sight: CollabSight, action: Action) -> Sequence[Cells]:
    """Return the counters with a food as they were laid on, those of the cook alone first."""
    if action.place != COUNTER:
        return find_place(sight, action)
    found = sight.find_on_counters(action.food)
    laid = tuple(cell for cell in sight.scene.counters if cell in found)
    return tuple(cell for cell in laid if cell not in sight.kitchen.shared), laid


def _is_full(sight: CollabSight) -> bool:
    """Return whether no counter of the kitchen is free, within reach or not."""
    return len(sight.scene.counters) == len(sight.kitchen.places.get(COUNTER, ()))


def _refuse_put(sight: CollabSight, action: Action) -> str | None:
    """Return why a cook cannot put food; it needs a free counter, and a full utensil refuses none.

    Food on a dish can be put too.
    """
    kind = check_takes(sight, action)
    if kind is not None:
        return kind
    if _is_full(sight):
        return "no_counter"
    if sight.held is None:
        return "hands_empty"
    return "dish_in_utensil" if sight.held.name == DISH else None


def _refuse_place(sight: CollabSight, _: Action) -> str | None:
    """Return why a cook cannot lay something down; some counter of the kitchen must be free."""
    if sight.held is None:
        return "hands_empty"
    return "no_counter" if _is_full(sight) else None


def _refuse_deliver(sight: CollabSight, _: Action) -> str | None:
    """Return why a cook cannot deliver; parts of names are enough, and the reach plays no part."""
    if sight.held is None:
        return "hands_empty"
    final = (*sight.kitchen.menu, *ALSO_FINAL)
    return None if any(name in sight.held.name for name in final) else "not_final"


def _has_order(sight: CollabSight, _: Action, __: Sequence[str]) -> bool:
    """Return whether the filling of a dish is done: the cook holds the order, on a dish or not."""
    return sight.held is not None and sight.order in sight.held.name


def _has_started(sight: CollabSight, action: Action, destroyed: Sequence[str]) -> bool:
    """Return whether a start is done; it is too if the mix in any utensil was destroyed."""
    return has_started(sight, action, destroyed) or bool(destroyed)


ORIGINAL: Mapping[str, Verb] = {
    **VERBS,
    PICKUP: VERBS[PICKUP]._replace(refuse=_refuse_pickup, find_targets=_find_food),
    PUT: VERBS[PUT]._replace(refuse=_refuse_put),
    PLACE: VERBS[PLACE]._replace(refuse=_refuse_place),
    DELIVER: VERBS[DELIVER]._replace(refuse=_refuse_deliver),
    FILL: VERBS[FILL]._replace(refuse=check_fill, is_done=_has_order),
    **{verb: VERBS[verb]._replace(is_done=_has_started) for verb in STARTED},
}
"""The verbs of the original."""


# Timesteps

MIX = "soup"
"""The name under which a whole mix becomes an ingredient."""


class OriginalTimestep(CollabTimestep):
    """The interactions and the work of a timestep in the original."""

    __slots__ = ()

    def destroy(self, cell: Cell) -> None:
        """Destroy the mix in a utensil; after the first one in a timestep all others stay."""
        if not self.destroyed:
            super().destroy(cell)

    def take_other(self, cell: Cell, content: UtensilContent) -> tuple[FoodItem | None, str | None]:
        """Take all that is in a utensil if the first item is one of which nothing is made."""
        if not self._is_unused(content.items[0]):
            return super().take_other(cell, content)
        self.clear(cell)
        mix = str(list(content.items))
        return FoodItem(mix, "mix", content.filled), f"pickup({mix}, {self.kitchen.names[cell]})"

    def _is_unused(self, food: str) -> bool:
        """Return whether a dispenser gives a food of which nothing is made."""
        if self.tables is None or food not in self.kitchen.raw:
            return False
        return not any(food in row.inputs for row in self.tables.rows)

    def name_inside(self, item: FoodItem) -> str:
        """Return the name of an item in a utensil: a whole mix is one food."""
        return MIX if item.kind == "mix" else item.name

    def interrupts(self, cell: Cell) -> bool:
        """Return whether the utensil was started last in this timestep: then no other one works."""
        return cell in self.started[-1:]
