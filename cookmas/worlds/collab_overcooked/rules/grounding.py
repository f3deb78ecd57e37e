"""Grounding: the low-level acts of an action, one for each timestep, until the action is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cookmas.worlds.collab_overcooked.rules.actions import STARTED, WAIT, Action
from cookmas.worlds.collab_overcooked.rules.engine import rules_of, step
from cookmas.worlds.collab_overcooked.rules.kitchen import COUNTER, CollabKitchen
from cookmas.worlds.collab_overcooked.rules.scene import CollabSight, Scene, Tables
from cookmas.worlds.collab_overcooked.rules.timestep import (
    INTERACT,
    RESTING,
    START,
    STAY,
    CookAct,
    Happened,
)
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.walking import nearest


class Doing(NamedTuple):
    """An action that a cook has begun."""

    action: Action
    left: int = 0
    """Timesteps that are left of a wait, or for which a pickup goes on waiting."""

    def __str__(self) -> str:
        """Return the action as text."""
        return str(self.action)


def begin(action: Action) -> Doing:
    """Return an action that a cook begins now; of a wait, all timesteps are left."""
    return Doing(action, action.timesteps)


FORESEEN_TIMESTEPS = 60
"""Greatest number of timesteps for which the end of an action is foreseen."""

WAITING = Action(WAIT, timesteps=1)


def carry_on(sight: CollabSight, doing: Doing | None) -> tuple[Doing, CookAct]:
    """Return what a cook is doing in this timestep, and its act.

    A cook whose action has no next act, or that has waited enough, gives the action up and waits
    for a timestep. A cook without an action waits too.
    """
    if doing is None:
        return begin(WAITING), RESTING
    action = doing.action
    if action.waits and doing.left < 1 and not sight.has(action.food, action.place):
        return begin(WAITING), RESTING
    act = next_act(sight, action)
    if act is None:
        return begin(WAITING), RESTING
    return doing, act


def next_act(sight: CollabSight, action: Action) -> CookAct | None:
    """Return the next act of an action of a cook; None if it reaches no target."""
    if action.verb == WAIT:
        return RESTING
    waits = action.waits and not sight.has(action.food, action.place)
    if waits and action.place == COUNTER:
        return RESTING
    for some in rules_of(sight.kitchen).verbs[action.verb].find_targets(sight, action):
        found = _approach(sight, some)
        if found is not None:
            break
    else:
        return None
    _, path = found
    name = name_for_acts(action)
    if path:
        return CookAct(path[0], name)
    if waits:
        return CookAct(STAY, name)
    return CookAct(INTERACT, name)


def name_for_acts(action: Action) -> str:
    """Return the `CookAct.name` of an action: START, the food to pick up, or empty."""
    if action.verb in STARTED:
        return START
    return action.food


def _approach(sight: CollabSight, cells: tuple[Cell, ...]) -> tuple[Cell, tuple[str, ...]] | None:
    """Return the nearest of some cells and the moves to it, around the other cooks if possible."""
    grid, cooks = sight.kitchen.grid, sight.scene.cooks
    body = sight.body
    if others := sight.kitchen.roommates[sight.number]:
        taken = frozenset([cooks[other].body.at for other in others])
        if around := nearest(grid, body, cells, taken):
            return around
    return nearest(grid, body, cells)


def foresee(
    kitchen: CollabKitchen,
    scene: Scene,
    order: str,
    tables: Tables | None,
    doing: Sequence[Doing | None],
) -> list[int | None]:
    """Return in how many timesteps the action of each cook will be done.

    It is None for a cook at no action, and if the action is not done within FORESEEN_TIMESTEPS
    timesteps. Cooks whose actions are done are expected to rest.
    """
    left: list[int | None] = [None] * len(doing)
    now = list(doing)
    for timestep in range(1, FORESEEN_TIMESTEPS + 1):
        acts = [RESTING] * len(now)
        for number, each in enumerate(now):
            if each is not None:
                sight = CollabSight(kitchen, scene, number, order)
                now[number], acts[number] = carry_on(sight, each)
        scene, happened = step(kitchen, scene, acts, order, tables)
        for number, each in enumerate(now):
            if each is not None:
                sight = CollabSight(kitchen, scene, number, order)
                now[number] = after_timestep(sight, each, happened)
                left[number] = timestep if now[number] is None else None
        if not any(now):
            break
    return left


def after_timestep(after: CollabSight, doing: Doing, happened: Happened) -> Doing | None:
    """Return what is left of an action after a timestep; None if it is done."""
    action = doing.action
    if action.verb == WAIT:
        return Doing(action, doing.left - 1) if doing.left > 1 else None
    if rules_of(after.kitchen).verbs[action.verb].is_done(after, action, happened.destroyed):
        return None
    if action.waits and not after.has(action.food, action.place):
        return doing._replace(left=doing.left - 1)
    return doing
