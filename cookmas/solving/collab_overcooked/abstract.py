"""The kitchen without timesteps and walking: what each useful action changes."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.solving.collab_overcooked.useful import DishGoal
from cookmas.worlds.collab_overcooked.rules.actions import DELIVER, FILL, PICKUP, PLACE, PUT, Action
from cookmas.worlds.collab_overcooked.rules.kitchen import COUNTER, DISH, DISHES, TICKS
from cookmas.worlds.collab_overcooked.rules.scene import FoodItem, Scene, Tables, UtensilContent
from cookmas.worlds.grids.grid import Cell

Move = tuple[int, Action]
"""The number of a cook, and its action."""


def moves(goal: DishGoal, scene: Scene) -> Iterator[Move]:
    """Yield the useful actions of all cooks; things are laid on shared counters only."""
    room = len(scene.counters) < len(goal.kitchen.shared)
    for number in range(len(scene.cooks)):
        for action in goal.useful(scene, number):
            if room or action.verb != PLACE:
                yield number, action


def apply_move(goal: DishGoal, scene: Scene, move: Move) -> Scene | None:
    """Return the scene after an action; None once the dish has been delivered.

    Utensils finish at once. Things lie on the shared counters in the order of their names, so that
    equal scenes are equal.
    """
    number, action = move
    kitchen, cook = goal.kitchen, scene.cooks[number]
    counters, utensils = dict(scene.counters), dict(scene.utensils)
    held = cook.held
    cell = kitchen.utensils.get(action.place, (-1, -1))
    if action.verb == DELIVER:
        return None
    if action.verb == PICKUP and action.place == COUNTER:
        place = next(c for c, item in counters.items() if item.name == action.food)
        held = counters.pop(place)
    elif action.verb == PICKUP and action.place == DISHES:
        held = FoodItem(DISH, "dish")
    elif action.verb == PICKUP:
        utensils.pop(cell, None)
        held = FoodItem(action.food, "ingredient")
    elif held is not None and action.verb == PLACE:
        counters[next(c for c in sorted(kitchen.shared) if c not in counters)] = held
        held = None
    elif held is not None and action.verb == PUT:
        inside = utensils[cell].items if cell in utensils else ()
        items = tuple(sorted((*inside, held.name)))
        utensils[cell] = UtensilContent(items, len(items))
        held = None
    elif action.verb == FILL:
        utensils.pop(cell)
        held = FoodItem(goal.dish, "with_dish")
    else:
        content = utensils[cell]
        product = Tables(goal.steps).product(kitchen.kinds[cell], content.items)
        utensils[cell] = UtensilContent((), content.filled, product, TICKS)
    cooks = list(scene.cooks)
    cooks[number] = cook._replace(held=held)
    return Scene(tuple(cooks), _sort_items(goal, counters), dict(sorted(utensils.items())))


def _sort_items(goal: DishGoal, counters: dict[Cell, FoodItem]) -> dict[Cell, FoodItem]:
    return dict(zip(sorted(goal.kitchen.shared), sorted(counters.values()), strict=False))


def key(scene: Scene) -> object:
    """Return a value that equal scenes have in common."""
    held = tuple(cook.held for cook in scene.cooks)
    return held, tuple(scene.counters.values()), tuple(scene.utensils.items())
