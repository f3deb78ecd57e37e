"""The rules of a kitchen, with the faults of the original or without, and what follows from them.

The order inside a timestep: the cooks interact one after the other, then all move, then the
utensils work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.worlds.collab_overcooked.rules.actions import FORMS, PATIENT, Action
from cookmas.worlds.collab_overcooked.rules.kitchen import CollabKitchen
from cookmas.worlds.collab_overcooked.rules.original import ORIGINAL, OriginalTimestep
from cookmas.worlds.collab_overcooked.rules.scene import CollabSight, Scene, Tables
from cookmas.worlds.collab_overcooked.rules.timestep import (
    INTERACT,
    CollabTimestep,
    CookAct,
    Happened,
)
from cookmas.worlds.collab_overcooked.rules.verbs import VERBS, Verb, list_actions, refuse_by
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
    return refuse_by(rules_of(sight.kitchen).verbs[action.verb], sight, action)


def legal_actions(sight: CollabSight) -> list[str]:
    """Return the actions of a cook that would not be refused, as text."""
    utensils = sight.scene.utensils

    def made(cell: Cell) -> Sequence[str]:
        content = utensils.get(cell)
        return () if content is None or content.product is None else (content.product,)

    raw, lying = frozenset[str](), set[str]()
    if sight.held is None:
        raw, lying = sight.kitchen.raw, {item.name for item in sight.scene.counters.values()}
    verbs = rules_of(sight.kitchen).verbs
    return [
        str(action)
        for action in list_actions(sight.kitchen, raw, sorted(lying), made)
        if refuse_by(verbs[action.verb], sight, action) is None
    ]


def step(
    kitchen: CollabKitchen, scene: Scene, acts: Sequence[CookAct], order: str, tables: Tables | None
) -> tuple[Scene, Happened]:
    """Carry out one act of each cook; return the scene after the timestep, and what happened.

    Without tables every mix becomes UNKNOWN.
    """
    now = rules_of(kitchen).timestep(kitchen, scene, order, tables)
    held = [cook.held for cook in scene.cooks]
    events: list[str | None] = [None] * len(acts)
    for number, (cook, act) in enumerate(zip(scene.cooks, acts, strict=True)):
        if act.move == INTERACT:
            held[number], events[number] = now.interact(cook, act.name)
    bodies = move_together(
        kitchen.grid, [cook.body for cook in scene.cooks], [act.move for act in acts]
    )
    if now.utensils:
        now.work()
    after = Scene(tuple(map(Cook, bodies, held)), now.counters, now.utensils)
    destroyed, delivered = tuple(now.destroyed), tuple(now.delivered)
    return after, Happened(tuple(events), delivered, now.served, destroyed)
