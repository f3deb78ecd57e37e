"""The legal medium-level actions of a cook."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cookmas.worlds.overcooked.actions import (
    AWAY,
    DELIVER,
    ITEMS,
    OPEN,
    PICK_UP,
    PLACE,
    PUT,
    START,
    MediumAction,
)
from cookmas.worlds.overcooked.kitchen import (
    COUNTER,
    GATE,
    GIVEN,
    POT,
    SERVING,
    STAY,
    OvercookedKitchen,
)
from cookmas.worlds.overcooked.places import OvercookedSight, places_of
from cookmas.worlds.overcooked.refusals import refusal


def medium_actions(sight: OvercookedSight) -> list[MediumAction]:
    """Return the medium-level actions that a cook can do now."""
    held = sight.held
    return [
        action
        for action in _candidates_for(sight.kitchen, "" if held is None else held.kind)
        if refusal(sight, action) is None
    ]


def legal_actions(sight: OvercookedSight) -> list[str]:
    """Return the medium-level actions that a cook can do now, and `stay`, as text.

    `move_away` is among them if there is a free cell to which it leads.
    """
    away = [AWAY] if sight.step_away() else []
    return [*map(str, [*medium_actions(sight), *away]), STAY]


def every_action(kitchen: OvercookedKitchen) -> list[str]:
    """Return all actions that can be legal in some state, as text."""
    return [*map(str, _candidates(kitchen)), str(AWAY), STAY]


@lru_cache(maxsize=64)
def _candidates(kitchen: OvercookedKitchen) -> tuple[MediumAction, ...]:
    return tuple(_list_candidates(kitchen))


@lru_cache(maxsize=320)
def _candidates_for(kitchen: OvercookedKitchen, held: str) -> tuple[MediumAction, ...]:
    """Return the actions for which a cook can hold an item of this kind; empty for no item."""
    return tuple(each for each in _candidates(kitchen) if held == _item_needed(kitchen, each))


def _item_needed(kitchen: OvercookedKitchen, action: MediumAction) -> str:
    if action.verb in (PUT, PLACE, DELIVER):
        return action.item
    pots = action.verb == PICK_UP and kitchen.kinds[places_of(kitchen)[action.place]] == POT
    return "dish" if pots else ""


def _list_candidates(kitchen: OvercookedKitchen) -> Iterator[MediumAction]:
    raw = _list_raw(kitchen)
    for name, cell in places_of(kitchen).items():
        kind = kitchen.kinds[cell]
        if kind in GIVEN:
            yield MediumAction(PICK_UP, GIVEN[kind], name)
        elif kind == POT:
            yield from (MediumAction(PUT, item, name) for item in raw)
            if not kitchen.starts_by_itself:
                yield MediumAction(START, place=name)
            yield MediumAction(PICK_UP, "soup", name)
        elif kind == SERVING:
            yield MediumAction(DELIVER, "soup", name)
        elif kind == GATE:
            yield MediumAction(OPEN, place=name)
        elif kind == COUNTER:
            items = [item for item in ITEMS if item in (*raw, "dish", "soup")]
            yield from (MediumAction(PICK_UP, item, name) for item in items)
            yield from (MediumAction(PLACE, item, name) for item in items)


def _list_raw(kitchen: OvercookedKitchen) -> list[str]:
    """Return the ingredients that dispensers give or that are there at the beginning."""
    found = {GIVEN[kind] for kind in GIVEN if kitchen.places[kind]}
    found.update(item.kind for item in kitchen.opening.counters.values())
    found.update(cook.held.kind for cook in kitchen.opening.cooks if cook.held is not None)
    return [item for item in ("onion", "tomato") if item in found]
