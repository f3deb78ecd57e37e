"""The rules of a kitchen, with the faults of the original or without, and what follows from them.

The order inside a timestep: the cooks interact one after the other, then all move, then the
utensils work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cookmas.worlds.collab_overcooked.rules.actions import (
    FORMS,
    PATIENT,
    VERBS,
    Action,
    Refuse,
    Verb,
    list_actions,
)
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    CollabKitchen,
    CollabSight,
    Scene,
    Tables,
    opening,
)
from cookmas.worlds.collab_overcooked.rules.original import ORIGINAL, OriginalTimestep
from cookmas.worlds.collab_overcooked.rules.timestep import (
    INTERACT,
    CollabTimestep,
    CookAct,
    Happened,
)
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.hands import Cook
from cookmas.worlds.grids.walking import move_together


class Rules(NamedTuple):
    """The rules that a kitchen has."""

    verbs: Mapping[str, Verb]
    timestep: type[CollabTimestep]
    forms: Mapping[str, str]
    """The forms of the actions, each with its effect."""
    keeps_order: bool
    """True if two states differ that differ only in the order of things on counters."""


_WITHOUT_FAULTS = Rules(VERBS, CollabTimestep, FORMS, keeps_order=False)
_WITH_FAULTS = Rules(
    ORIGINAL,
    OriginalTimestep,
    {form: what for form, what in FORMS.items() if form != PATIENT},
    keeps_order=True,
)


def rules_of(kitchen: CollabKitchen) -> Rules:
    """Return the rules of a kitchen, with the faults of the original or without."""
    return _WITH_FAULTS if kitchen.original else _WITHOUT_FAULTS


def refusal(sight: CollabSight, action: Action) -> str | None:
    """Return the kind of refusal of an action that a cook proposes; None if it may begin."""
    row = rules_of(sight.kitchen).verbs[action.verb]
    if row.utensils:
        cell = sight.kitchen.utensils.get(action.place)
        if cell is None or sight.kitchen.kinds[cell] not in row.utensils:
            return "unknown_utensil"
    return row.refuse(sight, action)


def legal_actions(sight: CollabSight) -> list[str]:
    """Return the actions of a cook that would not be refused, as text."""
    kitchen, scene, empty = sight.kitchen, sight.scene, sight.held is None
    lying = {item.name for item in scene.counters.values()} if empty else ()
    made = [(cell, each.product) for cell, each in scene.utensils.items() if each.product]
    choices = _choices(kitchen, sight.number, empty, tuple(sorted(lying)), tuple(made))
    return [text for text, action, refuse in choices if refuse(sight, action) is None]


@lru_cache(maxsize=4096)
def _choices(
    kitchen: CollabKitchen,
    number: int,
    empty: bool,
    lying: tuple[str, ...],
    made: tuple[tuple[Cell, str], ...],
) -> tuple[tuple[str, Action, Refuse], ...]:
    """Return the actions that a cook might begin while these things lie there and are made.

    Each has its text and its check. What the cook does not reach at first it never reaches.
    """
    verbs, first = rules_of(kitchen).verbs, CollabSight(kitchen, opening(kitchen), number)
    foods = {cell: (food,) for cell, food in made}
    rows = [
        (action, verbs[action.verb])
        for action in list_actions(kitchen, kitchen.raw, lying, lambda cell: foods.get(cell, ()))
    ]
    return tuple(
        (str(action), action, row.refuse)
        for action, row in rows
        if row.empty in (None, empty) and row.refuse(first, action) != "unreachable"
    )


def step(
    kitchen: CollabKitchen, scene: Scene, acts: Sequence[CookAct], order: str, tables: Tables | None
) -> tuple[Scene, Happened]:
    """Carry out one act of each cook; return the scene after the timestep, and what happened.

    Without tables every mix becomes UNKNOWN.
    """
    now = rules_of(kitchen).timestep(kitchen, scene, order, tables)
    before, held = [cook.body for cook in scene.cooks], [cook.held for cook in scene.cooks]
    events: list[str | None] = [None] * len(acts)
    for number, act in enumerate(acts):
        if act.move == INTERACT:
            held[number], events[number] = now.interact(scene.cooks[number], act.name)
    bodies = move_together(kitchen.grid, before, [act.move for act in acts])
    if now.utensils:
        now.work()
    after = Scene(tuple(map(Cook, bodies, held)), now.counters, now.utensils)
    destroyed, delivered = tuple(now.destroyed), tuple(now.delivered)
    return after, Happened(tuple(events), delivered, now.served, destroyed)
