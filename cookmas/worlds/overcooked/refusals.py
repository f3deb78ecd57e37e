"""Why a medium-level action cannot be done now. Where the other cooks stand plays no part."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.overcooked.actions import (
    DELIVER,
    ITEMS,
    MOVE_AWAY,
    OPEN,
    PICK_UP,
    PLACE,
    PUT,
    START,
    MediumAction,
)
from cookmas.worlds.overcooked.kitchen import CAPACITY, COUNTER, GATE, GIVEN, POT, SERVING
from cookmas.worlds.overcooked.places import OvercookedSight, places_of

KINDS: Mapping[str, str] = {
    "unknown_action": "there is no such action",
    "low_only": "this kitchen takes low-level acts only",
    "medium_only": "this kitchen takes no low-level act but stay",
    "unknown_item": "there is no such item",
    "unknown_place": "there is no such place",
    "wrong_place": "this cannot be done there",
    "unreachable": "it is out of reach",
    "gate_closed": "it is behind a closed gate",
    "hands_full": "its hands are full",
    "hands_empty": "its hands are empty",
    "holds_other": "it holds something else",
    "not_there": "it does not lie there",
    "occupied": "something lies there",
    "needs_dish": "it needs a dish in its hands",
    "pot_full": "the pot is full",
    "pot_cooks": "the soup in the pot cooks, or is cooked",
    "not_cooking": "no soup cooks in the pot",
    "pot_empty": "nothing is in the pot",
    "starts_by_itself": "the pots of this kitchen start by themselves",
    "gate_open": "the gate is open",
}
"""The kinds of FAILs, each with the reason."""

TARGETS: Mapping[str, tuple[str, ...]] = {
    PICK_UP: (*GIVEN, COUNTER, POT),
    PUT: (POT,),
    START: (POT,),
    PLACE: (COUNTER,),
    DELIVER: (SERVING,),
    OPEN: (GATE,),
}
"""The kinds of places to which each action can lead."""


def refusal(sight: OvercookedSight, action: MediumAction) -> str | None:
    """Return the kind of FAIL of an action of a cook; None if the action can be done."""
    if action.verb == MOVE_AWAY:
        return None
    if action.item and action.item not in ITEMS:
        return "unknown_item"
    cell = places_of(sight.kitchen).get(action.place)
    if cell is None:
        return "unknown_place"
    if sight.kitchen.kinds[cell] not in TARGETS[action.verb]:
        return "wrong_place"
    return _check_place(sight, action, cell) or _check_way(sight, cell)


def _check_place(sight: OvercookedSight, action: MediumAction, cell: Cell) -> str | None:
    verb, held = action.verb, sight.held
    if verb == PICK_UP:
        return _check_pick_up(sight, action.item, cell)
    if verb in (START, OPEN):
        if held is not None:
            return "hands_full"
        return _check_start(sight, cell) if verb == START else _check_gate(sight, cell)
    if verb == PUT and action.item not in ("onion", "tomato"):
        return "wrong_place"
    if verb == DELIVER and action.item != "soup":
        return "wrong_place"
    if held is None:
        return "hands_empty"
    if held.kind != action.item:
        return "holds_other"
    if verb == PLACE:
        return "occupied" if cell in sight.scene.counters else None
    if verb == PUT:
        content = sight.scene.pots.get(cell)
        if content is None:
            return None
        if content.ticks >= 0:
            return "pot_cooks"
        return "pot_full" if len(content.ingredients) == CAPACITY else None
    return None


def _check_pick_up(sight: OvercookedSight, item: str, cell: Cell) -> str | None:
    kind, held = sight.kitchen.kinds[cell], sight.held
    if kind == POT:
        content = sight.scene.pots.get(cell)
        if item != "soup":
            return "wrong_place"
        if held is None or held.kind != "dish":
            return "needs_dish"
        return "not_cooking" if content is None or content.ticks < 0 else None
    if kind in GIVEN and item != GIVEN[kind]:
        return "wrong_place"
    if held is not None:
        return "hands_full"
    if kind in GIVEN:
        return None
    there = sight.scene.counters.get(cell)
    return "not_there" if there is None or there.kind != item else None


def _check_start(sight: OvercookedSight, cell: Cell) -> str | None:
    if sight.kitchen.starts_by_itself:
        return "starts_by_itself"
    content = sight.scene.pots.get(cell)
    if content is None:
        return "pot_empty"
    return "pot_cooks" if content.ticks >= 0 else None


def _check_gate(sight: OvercookedSight, cell: Cell) -> str | None:
    return "gate_open" if sight.scene.gates[cell].open else None


def _check_way(sight: OvercookedSight, cell: Cell) -> str | None:
    if cell not in sight.reached:
        return "unreachable"
    if sight.scene.gates and sight.way_through(cell) is None:
        return "gate_closed"
    return None
