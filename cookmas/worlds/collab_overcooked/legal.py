"""The legal actions of a cook: those that would not be refused now."""

from __future__ import annotations

from collections.abc import Iterator

from cookmas.worlds.collab_overcooked.actions import DELIVER, FILL, PICKUP, PLACE, PUT, WAIT, Action
from cookmas.worlds.collab_overcooked.kitchen import (
    COUNTER,
    DISH,
    DISHES,
    INGREDIENTS,
    STARTERS,
    CollabKitchen,
)
from cookmas.worlds.collab_overcooked.refusals import refusal
from cookmas.worlds.collab_overcooked.scene import CollabSight


def legal_actions(sight: CollabSight) -> list[str]:
    """Return the actions of a cook that would not be refused, as text."""
    return [str(action) for action in _candidates(sight) if refusal(sight, action) is None]


def _candidates(sight: CollabSight) -> Iterator[Action]:
    kitchen, scene = sight.kitchen, sight.scene
    yield Action(WAIT, timesteps=1)
    if sight.held is None:
        yield from (Action(PICKUP, INGREDIENTS, food) for food in sorted(kitchen.raw))
        yield Action(PICKUP, DISHES, DISH)
        lying = {item.name for item in scene.counters.values()}
        yield from (Action(PICKUP, COUNTER, food) for food in sorted(lying))
    else:
        yield Action(PLACE)
        yield Action(DELIVER)
    for name, cell in kitchen.utensils.items():
        content = scene.utensils.get(cell)
        if content is not None and content.product is not None:
            yield Action(PICKUP, name, content.product)
        yield Action(PUT, name)
        yield Action(FILL, name)
        yield Action(STARTERS[kitchen.kinds[cell]], name)


def every_action(kitchen: CollabKitchen) -> list[str]:
    """Return all actions that can be legal in some state, as text."""
    found = [Action(WAIT, timesteps=1), Action(PLACE), Action(DELIVER)]
    found += [Action(PICKUP, INGREDIENTS, food) for food in sorted(kitchen.raw)]
    found += [Action(PICKUP, DISHES, DISH)]
    foods = [*sorted(kitchen.foods), DISH]
    found += [Action(PICKUP, COUNTER, food) for food in foods]
    for name, cell in kitchen.utensils.items():
        found += [
            Action(PUT, name),
            Action(FILL, name),
            Action(STARTERS[kitchen.kinds[cell]], name),
        ]
        found += [Action(PICKUP, name, food) for food in sorted(kitchen.foods)]
    return [str(action) for action in found]
