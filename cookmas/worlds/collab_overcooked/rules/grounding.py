"""Grounding: the low-level acts of an action, one for each timestep, until the action is done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from cookmas.worlds.collab_overcooked.rules.actions import STARTED, WAIT, Action
from cookmas.worlds.collab_overcooked.rules.engine import rules_of, step
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    COUNTER,
    CollabKitchen,
    CollabSight,
    Scene,
    Tables,
)
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


class Passed(NamedTuple):
    """A timestep that has passed."""

    scene: Scene
    """The scene after it."""
    happened: Happened
    doing: Sequence[Doing | None]
    """What each cook was doing in it; another action than before if it gave that up."""
    left: Sequence[Doing | None]
    """What is left of each action after it; None if nothing is."""


def pass_timestep(
    kitchen: CollabKitchen,
    scene: Scene,
    order: str,
    tables: Tables | None,
    doing: Sequence[Doing | None],
) -> Passed:
    """Let every cook carry on for a timestep; one without an action rests."""
    acts, now, left = [RESTING] * len(doing), [*doing], [*doing]
    for number, each in enumerate(doing):
        if each is not None:
            sight = CollabSight(kitchen, scene, number, order)
            now[number], acts[number] = carry_on(sight, each)
    after, happened = step(kitchen, scene, acts, order, tables)
    for number, each in enumerate(now):
        if each is not None:
            sight = CollabSight(kitchen, after, number, order)
            left[number] = after_timestep(sight, each, happened)
    return Passed(after, happened, now, left)


def carry_on(sight: CollabSight, doing: Doing) -> tuple[Doing, CookAct]:
    """Return what a cook is doing in this timestep, and its act.

    A cook whose action has no next act, or that has waited enough, gives the action up and waits
    for a timestep.
    """
    action = doing.action
    if action.verb == WAIT:
        return doing, RESTING
    waits = action.waits and not sight.has(action.food, action.place)
    if waits and doing.left < 1:
        return begin(WAITING), RESTING
    if waits and action.place == COUNTER:
        return doing, RESTING
    for cells in rules_of(sight.kitchen).verbs[action.verb].find_targets(sight, action):
        found = _approach(sight, cells)
        if found is not None:
            path = found[1]
            return doing, _act(path[0] if path else STAY if waits else INTERACT, action)
    return begin(WAITING), RESTING


@lru_cache(maxsize=4096)
def _act(move: str, action: Action) -> CookAct:
    return CookAct(move, name_for_acts(action))


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
    now = doing
    for timestep in range(1, FORESEEN_TIMESTEPS + 1):
        passed = pass_timestep(kitchen, scene, order, tables, now)
        for number, each in enumerate(passed.doing):
            if each is not None:
                left[number] = timestep if passed.left[number] is None else None
        scene, now = passed.scene, passed.left
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
