"""The actions of cooks: how they are read, and when they are refused.

There are low-level acts of one timestep, and medium-level actions of several, which are those of
the papers, in the notation of calls: "put onion in c0" is `put(onion,c0)`.

Rows say what a verb does at a kind of place. It follows from them which medium-level actions there
are, when a cook can do them, and when it waits at the place. Where the other cooks stand plays no
part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.overcooked.rules.kitchen import (
    ACTS,
    CAPACITY,
    COUNTER,
    GATE,
    GIVEN,
    POT,
    SERVING,
    STAY,
    OvercookedKitchen,
)
from cookmas.worlds.overcooked.rules.places import OvercookedSight, cells_reached, places_of

PICK_UP = "pick_up"
PUT = "put"
START = "start"
PLACE = "place"
DELIVER = "deliver"
OPEN = "open"
MOVE_AWAY = "move_away"

ITEMS = ("onion", "tomato", "dish", "soup")
"""What can be held."""

FORMS: Mapping[str, str] = {
    "pick_up(ITEM,PLACE)": (
        "take an onion, a tomato or a dish from its dispenser, or anything that lies on a "
        "counter, with empty hands; or, with a dish in your hands, take the soup of a pot, "
        "pick_up(soup,c0): you wait there until it is cooked."
    ),
    "put(ITEM,POT)": "put the onion or tomato in your hands into a pot.",
    "start(POT)": "with empty hands, start a pot that does not start by itself.",
    "place(ITEM,COUNTER)": "lay what is in your hands on an empty counter.",
    "deliver(soup,WINDOW)": "deliver the soup in your hands at a serving window.",
    "open(GATE)": "open a closed gate, with empty hands.",
    "move_away": "take one step away from the other cooks.",
    "stay": "wait for one timestep.",
    "north": "one step up, or only a turn if nobody can stand there.",
    "south": "one step down, or only a turn.",
    "east": "one step to the right, or only a turn.",
    "west": "one step to the left, or only a turn.",
    "interact": "use the place in front of you with what is in your hands.",
}
"""The forms of all actions, each with its effect."""

MEDIUM = tuple(form for form in FORMS if form not in ACTS)
"""The forms of the medium-level actions."""


class MediumAction(NamedTuple):
    """A medium-level action."""

    verb: str
    """What is done."""
    item: str = ""
    """What is taken, put, placed or delivered; empty for other verbs."""
    place: str = ""
    """Name of the place; empty if there is none."""

    def __str__(self) -> str:
        """Return the action as text."""
        words = ",".join(word for word in (self.item, self.place) if word)
        return f"{self.verb}({words})" if words else self.verb


AWAY = MediumAction(MOVE_AWAY)

_WORDS: Mapping[str, int] = {
    form.partition("(")[0]: form.count(",") + ("(" in form) for form in MEDIUM
}
"""The number of words in the brackets of each verb: the item, if there is one, and the place."""

_CALL = re.compile(r"\s*([a-z_]{1,20})\s*(?:\(([^()]{0,80})\))?\s*")


@lru_cache(maxsize=4096)
def read_action(text: str) -> MediumAction | str:
    """Return the medium-level action of a text, or the low-level act that it names.

    Raise UnableError if it is neither.
    """
    matched = _CALL.fullmatch(text)
    if matched is None:
        raise UnableError("unknown_action")
    verb, inside = matched[1], matched[2]
    words = [word.strip() for word in inside.split(",")] if inside and inside.strip() else []
    if verb in ACTS and not words:
        return verb
    if _WORDS.get(verb) != len(words):
        raise UnableError("unknown_action")
    item, place = ("", "", *words)[-2:]
    return MediumAction(verb, item, place)


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

RAW = ("onion", "tomato")
NO_ITEM = ("",)
ANY_ITEM = ()

Hands = Literal["empty", "dish", "item"]
"""What must be in the hands: nothing, a dish, or the item that the action names."""

Check = Callable[[OvercookedSight, str, Cell], str | None]
"""Returns the kind of FAIL of an action with an item at a cell; None if the place allows it."""


class Use(NamedTuple):
    """What can be done with a verb at a kind of place."""

    verb: str
    kind: str
    """The kind of place."""
    items: tuple[str, ...]
    """The items that the action can name; ANY_ITEM for all that can be held."""
    hands: Hands
    check: Check | None = None
    """What the place allows now; None if it allows it always."""
    is_ready: Callable[[OvercookedSight, Cell], bool] = lambda sight, cell: True
    """Whether the interaction has its effect now; a cook waits for it at the place."""


def _check_start(sight: OvercookedSight, _: str, cell: Cell) -> str | None:
    if sight.kitchen.starts_by_itself:
        return "starts_by_itself"
    content = sight.scene.pots.get(cell)
    if content is None:
        return "pot_empty"
    return "pot_cooks" if content.ticks >= 0 else None


def _check_put(sight: OvercookedSight, _: str, cell: Cell) -> str | None:
    content = sight.scene.pots.get(cell)
    if content is None:
        return None
    if content.ticks >= 0:
        return "pot_cooks"
    return "pot_full" if len(content.ingredients) == CAPACITY else None


def _check_soup(sight: OvercookedSight, _: str, cell: Cell) -> str | None:
    content = sight.scene.pots.get(cell)
    return "not_cooking" if content is None or content.ticks < 0 else None


def _is_cooked(sight: OvercookedSight, cell: Cell) -> bool:
    content = sight.scene.pots.get(cell)
    return content is None or sight.kitchen.is_ready(content.ingredients, content.ticks)


def _check_lying(sight: OvercookedSight, item: str, cell: Cell) -> str | None:
    there = sight.scene.counters.get(cell)
    return "not_there" if there is None or there.kind != item else None


def _check_free(sight: OvercookedSight, _: str, cell: Cell) -> str | None:
    return "occupied" if cell in sight.scene.counters else None


def _check_gate(sight: OvercookedSight, _: str, cell: Cell) -> str | None:
    return "gate_open" if sight.scene.gates[cell].open else None


USES = (
    *(Use(PICK_UP, kind, (item,), "empty") for kind, item in GIVEN.items()),
    Use(PUT, POT, RAW, "item", _check_put),
    Use(START, POT, NO_ITEM, "empty", _check_start),
    Use(PICK_UP, POT, ("soup",), "dish", _check_soup, _is_cooked),
    Use(PICK_UP, COUNTER, ANY_ITEM, "empty", _check_lying),
    Use(PLACE, COUNTER, ANY_ITEM, "item", _check_free),
    Use(DELIVER, SERVING, ("soup",), "item"),
    Use(OPEN, GATE, NO_ITEM, "empty", _check_gate),
)
"""What can be done at each kind of place, in the order in which it is listed."""

_USES: Mapping[tuple[str, str], Use] = {(use.verb, use.kind): use for use in USES}


def use_of(kitchen: OvercookedKitchen, action: MediumAction) -> tuple[Use, Cell]:
    """Return what an action that is not refused does, and the cell of its place."""
    cell = places_of(kitchen)[action.place]
    return _USES[action.verb, kitchen.kinds[cell]], cell


def refusal(sight: OvercookedSight, action: MediumAction) -> str | None:
    """Return the kind of FAIL of an action of a cook; None if the action can be done."""
    if action == AWAY:
        return None
    if action.item and action.item not in ITEMS:
        return "unknown_item"
    cell = places_of(sight.kitchen).get(action.place)
    if cell is None:
        return "unknown_place"
    use = _USES.get((action.verb, sight.kitchen.kinds[cell]))
    if use is None or (use.items and action.item not in use.items):
        return "wrong_place"
    return (
        _check_hands(use, action.item, _held_kind(sight))
        or (use.check and use.check(sight, action.item, cell))
        or _check_way(sight, cell)
    )


def _held_kind(sight: OvercookedSight) -> str:
    held = sight.held
    return "" if held is None else held.kind


def _check_hands(use: Use, item: str, held: str) -> str | None:
    if use.hands == "empty":
        return "hands_full" if held else None
    if use.hands == "dish":
        return None if held == "dish" else "needs_dish"
    if not held:
        return "hands_empty"
    return None if held == item else "holds_other"


def _check_way(sight: OvercookedSight, cell: Cell) -> str | None:
    if cell not in sight.reached:
        return "unreachable"
    if sight.scene.gates and sight.way_through(cell) is None:
        return "gate_closed"
    return None


def medium_actions(sight: OvercookedSight) -> list[MediumAction]:
    """Return the medium-level actions that a cook can do now."""
    return [choice.action for choice in _list_possible(sight)]


def legal_actions(sight: OvercookedSight) -> list[str]:
    """Return the medium-level actions that a cook can do now, and `stay`, as text.

    `move_away` is among them if there is a free cell to which it leads.
    """
    away = [MOVE_AWAY] if sight.step_away() else []
    return [*[choice.text for choice in _list_possible(sight)], *away, STAY]


def every_action(kitchen: OvercookedKitchen) -> list[str]:
    """Return all actions that can be legal in some state, as text."""
    return [*(choice.text for choice in _choices(kitchen)), MOVE_AWAY, STAY]


class _Choice(NamedTuple):
    """An action of a kitchen, with what follows from it."""

    action: MediumAction
    text: str
    use: Use
    cell: Cell


def _list_possible(sight: OvercookedSight) -> list[_Choice]:
    """Return what is not refused to a cook."""
    choices = _choices_for(sight.kitchen, sight.body.at, _held_kind(sight))
    found = [
        each
        for each in choices
        if each.use.check is None or not each.use.check(sight, each.action.item, each.cell)
    ]
    if sight.scene.gates:
        return [each for each in found if sight.way_through(each.cell) is not None]
    return found


@lru_cache(maxsize=4096)
def _choices_for(kitchen: OvercookedKitchen, at: Cell, held: str) -> tuple[_Choice, ...]:
    """Return the actions that places within reach allow, if at all, to a cook who holds an item.

    `held` is the kind of the item; empty for no item.
    """
    reached = cells_reached(kitchen, at)
    return tuple(
        each
        for each in _choices(kitchen)
        if each.cell in reached and not _check_hands(each.use, each.action.item, held)
    )


@lru_cache(maxsize=64)
def _choices(kitchen: OvercookedKitchen) -> tuple[_Choice, ...]:
    """Return all actions that can be done in some state."""
    return tuple(_list_choices(kitchen))


def _list_choices(kitchen: OvercookedKitchen) -> Iterator[_Choice]:
    known = {*_list_known(kitchen)}
    for name, cell in places_of(kitchen).items():
        for use in USES:
            started = use.verb == START and kitchen.starts_by_itself
            if use.kind == kitchen.kinds[cell] and not started:
                for item in use.items or ITEMS:
                    if item in known:
                        action = MediumAction(use.verb, item, name)
                        yield _Choice(action, str(action), use, cell)


def _list_known(kitchen: OvercookedKitchen) -> Iterator[str]:
    """Yield what dispensers give, what is there at the beginning, and what is always possible."""
    yield from ("", "dish", "soup")
    yield from (item for kind, item in GIVEN.items() if kitchen.places[kind])
    yield from (item.kind for item in kitchen.opening.counters.values())
    yield from (cook.held.kind for cook in kitchen.opening.cooks if cook.held is not None)
