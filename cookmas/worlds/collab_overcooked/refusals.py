"""Refusals: why a cook cannot begin an action. The first check that fails gives the reason."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.worlds.collab_overcooked.actions import (
    DELIVER,
    FILL,
    LONGEST_PATIENCE,
    LONGEST_WAIT,
    PICKUP,
    PLACE,
    PUT,
    STARTED,
    WAIT,
    Action,
)
from cookmas.worlds.collab_overcooked.kitchen import (
    CAPACITY,
    COUNTER,
    DELIVERY,
    DISH,
    DISHES,
    INGREDIENTS,
    TICKS,
    CollabKitchen,
)
from cookmas.worlds.collab_overcooked.scene import CollabSight, UtensilContent

KINDS: Mapping[str, str] = {
    "unreadable": "it is no action",
    "words": "it has the wrong number of arguments",
    "wait_too_long": f"a wait has 1 to {LONGEST_WAIT} timesteps",
    "patience_too_long": f"a pickup waits for 1 to {LONGEST_PATIENCE} timesteps",
    "unknown_item": "there is no such food",
    "unknown_place": "there is no such place",
    "unknown_utensil": "there is no such utensil for it",
    "not_raw": "a dispenser gives raw ingredients only",
    "dish_place": "dishes come from the dish dispenser",
    "ingredient_place": "the dish dispenser has dishes only",
    "busy": "the utensil works",
    "needs_dish": "this food must be filled into a dish",
    "unreachable": "it is out of reach",
    "not_on_counter": "it lies on no counter within reach",
    "hands_full": "the hand is full",
    "hands_empty": "the hand is empty",
    "not_inside": "it is not in there, or not finished",
    "ready": "the utensil has finished food in it",
    "full": "the utensil is full",
    "no_counter": "no counter is free",
    "dish_in_utensil": "a dish does not go into a utensil",
    "empty": "the utensil is empty",
    "no_dish": "the hand holds no dish",
    "no_dish_needed": "the order needs no dish",
    "not_ready": "the utensil has not been started",
    "not_final": "the food in the hand is nothing that is ordered here",
}
"""The kinds of refusals, each with the reason in words."""

ALSO_FINAL = ("onion", "potato")
"""Names beyond the menu by which the original knows food that can be delivered."""

_DISHED_AT: Mapping[str, str] = {"patty": "oven"}
"""The utensils of which the original knows, by the last word of a food's name, that the food there
needs a dish; for other names it is the pot."""


def refusal(sight: CollabSight, action: Action) -> str | None:
    """Return the kind of refusal of an action that a cook proposes; None if it may begin."""
    kitchen = sight.kitchen
    if action.verb == PICKUP:
        return _form_of_pickup(kitchen, action) or _pickup(sight, action)
    if action.verb == WAIT:
        return None if 1 <= action.timesteps <= LONGEST_WAIT else "wait_too_long"
    if action.verb == PLACE:
        return _place(sight)
    if action.verb == DELIVER:
        return _deliver(sight)
    kind = STARTED.get(action.verb)
    cell = kitchen.utensils.get(action.place)
    if cell is None or (kind is not None and kitchen.kinds[cell] != kind):
        return "unknown_utensil"
    content = sight.scene.utensils.get(cell)
    if action.verb == PUT:
        return _put(sight, action, content)
    if action.verb == FILL:
        return _fill(sight, action, content)
    return _start(sight, action, content)


def _form_of_pickup(kitchen: CollabKitchen, action: Action) -> str | None:
    food, place = action.food, action.place
    if action.waits and kitchen.original:
        return "words"
    if action.timesteps > LONGEST_PATIENCE:
        return "patience_too_long"
    if food != DISH and food not in kitchen.foods:
        return "unknown_item"
    if place not in kitchen.places or place == DELIVERY:
        return "unknown_place"
    if place in (INGREDIENTS, DISHES) and food != DISH and food not in kitchen.raw:
        return "not_raw"
    if place == INGREDIENTS and food == DISH:
        return "dish_place"
    return "ingredient_place" if place == DISHES and food != DISH else None


def _pickup(sight: CollabSight, action: Action) -> str | None:
    kitchen = sight.kitchen
    content = sight.content_of(action.place)
    if action.waits and not sight.has(action.food, action.place):
        return _wait_for(sight, action)
    if _works(content):
        return "busy"
    in_utensil = action.place in kitchen.utensils
    plated = in_utensil and action.food in kitchen.plated
    if kitchen.original and plated:
        if action.place.startswith(_DISHED_AT.get(action.food.rpartition("_")[2], "pot")):
            return "needs_dish"
        plated = content is not None and content.product == action.food
    if action.place == COUNTER:
        if not sight.has(action.food, COUNTER):
            return "not_on_counter"
    elif not sight.reaches(action.place):
        return "unreachable"
    if plated:
        return "needs_dish"
    if sight.held is not None:
        return "hands_full"
    if in_utensil and (content is None or content.product != action.food):
        return "not_inside"
    return None


def _wait_for(sight: CollabSight, action: Action) -> str | None:
    """Return the kind of refusal of a pickup of food that is not there yet."""
    if not sight.reaches(action.place):
        return "unreachable"
    if action.place in sight.kitchen.utensils and action.food in sight.kitchen.plated:
        return "needs_dish"
    return "hands_full" if sight.held is not None else None


def _put(sight: CollabSight, action: Action, content: UtensilContent | None) -> str | None:
    kitchen, held = sight.kitchen, sight.held
    if _works(content):
        return "busy"
    if content is not None and content.product is not None:
        return "ready"
    if not sight.reaches(action.place):
        return "unreachable"
    if kitchen.original and len(sight.scene.counters) == len(kitchen.places.get(COUNTER, ())):
        return "no_counter"
    if held is None:
        return "hands_empty"
    if held.name == DISH or (held.kind == "with_dish" and not kitchen.original):
        return "dish_in_utensil"
    if content is not None and content.filled >= CAPACITY and not kitchen.original:
        return "full"
    return None


def _place(sight: CollabSight) -> str | None:
    kitchen, counters = sight.kitchen, sight.scene.counters
    if sight.held is None:
        return "hands_empty"
    if kitchen.original:
        full = len(counters) == len(kitchen.places.get(COUNTER, ()))
        return "no_counter" if full else None
    free = any(cell not in counters for cell in kitchen.counters[sight.number])
    return None if free else "no_counter"


def _start(sight: CollabSight, action: Action, content: UtensilContent | None) -> str | None:
    if not sight.reaches(action.place):
        return "unreachable"
    if content is None:
        return "empty"
    if content.product is not None:
        return "busy"
    return "hands_full" if sight.held is not None else None


def _fill(sight: CollabSight, action: Action, content: UtensilContent | None) -> str | None:
    kitchen, held = sight.kitchen, sight.held
    if sight.order not in kitchen.plated:
        return "no_dish_needed"
    if held is None or held.kind != "dish":
        return "no_dish"
    if content is None or content.product is None:
        return "not_ready"
    if not kitchen.original and not sight.reaches(action.place):
        return "unreachable"
    return None


def _deliver(sight: CollabSight) -> str | None:
    kitchen, held = sight.kitchen, sight.held
    if held is None:
        return "hands_empty"
    if kitchen.original:
        names = (*kitchen.menu, *ALSO_FINAL)
        return None if any(name in held.name for name in names) else "not_final"
    if held.name not in kitchen.menu:
        return "not_final"
    return None if sight.reaches(DELIVERY) else "unreachable"


def _works(content: UtensilContent | None) -> bool:
    return content is not None and content.product is not None and content.ticks < TICKS
