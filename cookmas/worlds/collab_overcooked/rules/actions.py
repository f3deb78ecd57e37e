"""The actions of cooks: their forms, how they are read, and what each verb does.

A verb is a row: when it is refused, where it leads, and when it is done. The faults of the original
replace some rows. The requests in a cook's message are read as actions too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from cookmas.episodes.conversation import requests_in
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    DELIVERY,
    DISH,
    DISHES,
    INGREDIENTS,
    STARTERS,
    TICKS,
    CollabKitchen,
    CollabSight,
)
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.lasting import UnableError

PICKUP = "pickup"
PLACE = "place_obj_on_counter"
PUT = "put_obj_in_utensil"
FILL = "fill_dish_with_food"
DELIVER = "deliver"
WAIT = "wait"

STARTED: Mapping[str, str] = {verb: kind for kind, verb in STARTERS.items()}
"""The kind of utensil that a verb starts."""

LONGEST_WAIT = 5
"""Greatest number of timesteps of one wait."""

LONGEST_PATIENCE = 20
"""Greatest number of timesteps for which a cook waits for what it is to pick up."""

PATIENT = "pickup(FOOD,PLACE,N)"
"""The form of a pickup that waits, which the original does not have."""

FORMS: Mapping[str, str] = {
    "pickup(FOOD,PLACE)": (
        "take FOOD, or a dish, into an empty hand: from the counter, a dispenser, or a utensil "
        "that has finished. It is refused while FOOD is not there."
    ),
    PATIENT: (
        "the same, but wait up to N timesteps until FOOD is there, 1 to "
        f"{LONGEST_PATIENCE}. You wait beside a utensil; for the counter, where you stand."
    ),
    "put_obj_in_utensil(UTENSIL)": "put what you hold into a utensil that has not been started.",
    "cut(CHOPPING_BOARD)": "with an empty hand, start a chopping board that has food on it.",
    "stir(BLENDER)": "with an empty hand, start a blender that has food in it.",
    "cook(POT)": "with an empty hand, start a pot that has food in it.",
    "bake(OVEN)": "with an empty hand, start an oven that has food in it.",
    "place_obj_on_counter()": "lay what you hold on the nearest free counter, a shared one first.",
    "fill_dish_with_food(UTENSIL)": (
        "fill the dish in your hand from a utensil; wait there until it has finished."
    ),
    "deliver()": (
        "deliver what you hold. A wrong food that can be ordered is lost; any other food is "
        "refused."
    ),
    "wait(N)": f"do nothing for N timesteps, 1 to {LONGEST_WAIT}.",
}
"""The forms of all actions, each with its effect."""


class Action(NamedTuple):
    """An action that can be read."""

    verb: str
    place: str = ""
    """Name of a place or utensil."""
    food: str = ""
    """What is picked up."""
    timesteps: int = 0
    """Timesteps of a wait, or the most for which a pickup waits; 0 for other actions."""

    @property
    def waits(self) -> bool:
        """True if the action is a pickup that waits for the food."""
        return self.verb == PICKUP and self.timesteps > 0

    @property
    def at_once(self) -> Action:
        """The action without the waiting of a pickup, as it is when it is done."""
        return self._replace(timesteps=0) if self.verb == PICKUP else self

    def __str__(self) -> str:
        """Return the action as text."""
        if self.verb == PICKUP:
            longest = f",{self.timesteps}" if self.timesteps else ""
            return f"{PICKUP}({self.food},{self.place}{longest})"
        if self.verb == WAIT:
            return f"{WAIT}({self.timesteps})"
        return f"{self.verb}({self.place})"


_CALL = re.compile(r"\s*([a-z_]+)\s*\(([^()]*)\)\s*")
_NUMBER = re.compile(r"[0-9]{1,3}")
_WITHOUT_WORDS = {PLACE: PLACE, DELIVER: DELIVER, "deliver_soup": DELIVER}


@lru_cache(maxsize=4096)
def read_action(text: str) -> Action:
    """Return the action of a text. Raise UnableError if there is none."""
    matched = _CALL.fullmatch(text)
    if matched is None:
        raise UnableError("unreadable")
    verb = matched[1]
    words = [word.strip() for word in matched[2].split(",")] if matched[2].strip() else []
    if verb == PICKUP:
        if len(words) == 3 and _NUMBER.fullmatch(words[2]) and int(words[2]):
            return Action(PICKUP, food=words[0], place=words[1], timesteps=int(words[2]))
        if len(words) != 2:
            raise UnableError("words")
        return Action(PICKUP, food=words[0], place=words[1])
    if verb in STARTED or verb in (PUT, FILL):
        if len(words) != 1:
            raise UnableError("words")
        return Action(verb, words[0])
    if verb == WAIT and len(words) == 1 and _NUMBER.fullmatch(words[0]):
        return Action(WAIT, timesteps=int(words[0]))
    if verb in _WITHOUT_WORDS and not words:
        return Action(_WITHOUT_WORDS[verb])
    raise UnableError("unreadable")


def is_wait(text: str) -> bool:
    """Return whether a text is a wait, of whatever length."""
    try:
        return read_action(text).verb == WAIT
    except UnableError:
        return False


def read_requests(text: str) -> list[Action]:
    """Return the actions that a message asks for with `request('...')`, if they can be read.

    How long the other cook waits for what it picks up is left to it.
    """
    found = []
    for each in requests_in(text):
        try:
            found.append(read_action(each).at_once)
        except UnableError:
            continue
    return found


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

Cells = tuple[Cell, ...]
Refuse = Callable[[CollabSight, Action], str | None]


class Verb(NamedTuple):
    """What a cook can do, but for the timesteps of a wait."""

    refuse: Refuse
    """Returns why a cook cannot begin: the first check that fails; None if it can."""
    find_targets: Callable[[CollabSight, Action], Sequence[Cells]]
    """Returns groups of cells; the nearest cell of the first group with a way is the target."""
    is_done: Callable[[CollabSight, Action, Sequence[str]], bool]
    """Whether the action is done after a timestep that destroyed the mix in some utensils."""
    empty: bool | None
    """Whether it needs an empty hand, or a full one; None if the hand plays no part."""
    utensils: Sequence[str] = ()
    """The kinds of utensils of which it needs one; empty if it needs none."""


# Checks that several verbs have


def check_reach(sight: CollabSight, action: Action) -> str | None:
    """Return whether the place of an action is out of reach."""
    return None if sight.reaches(action.place) else "unreachable"


def check_busy(sight: CollabSight, action: Action) -> str | None:
    """Return whether the utensil of an action works."""
    content = sight.content_of(action.place)
    works = content is not None and content.product is not None and content.ticks < TICKS
    return "busy" if works else None


def check_empty_hand(sight: CollabSight, action: Action) -> str | None:
    """Return whether the hand is full."""
    return None if sight.held is None else "hands_full"


# Pickup


def refuse_pickup(sight: CollabSight, action: Action) -> str | None:
    """Return why a cook cannot begin to pick something up, or to wait for it."""
    kind = check_names(sight.kitchen, action)
    if kind is not None:
        return kind
    in_utensil = action.place in sight.kitchen.utensils
    needs_dish = "needs_dish" if in_utensil and action.food in sight.kitchen.plated else None
    if action.waits and not sight.has(action.food, action.place):
        return check_reach(sight, action) or needs_dish or check_empty_hand(sight, action)
    if not in_utensil:
        return check_place(sight, action)
    return (
        check_busy(sight, action)
        or check_reach(sight, action)
        or needs_dish
        or check_empty_hand(sight, action)
        or check_inside(sight, action)
    )


def check_names(kitchen: CollabKitchen, action: Action) -> str | None:
    """Return why a pickup can never be begun in a kitchen, whatever is in there now."""
    food, place = action.food, action.place
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


def check_place(sight: CollabSight, action: Action) -> str | None:
    """Return why nothing can be taken from a dispenser, or from a counter within reach."""
    if action.place != COUNTER:
        return check_reach(sight, action) or check_empty_hand(sight, action)
    there = sight.has(action.food, COUNTER)
    return check_empty_hand(sight, action) if there else "not_on_counter"


def check_inside(sight: CollabSight, action: Action) -> str | None:
    """Return whether the utensil of a pickup has not made the food."""
    content = sight.content_of(action.place)
    return None if content is not None and content.product == action.food else "not_inside"


def _find_food(sight: CollabSight, action: Action) -> Sequence[Cells]:
    if action.place == COUNTER:
        return (sight.find_on_counters(action.food),)
    return find_place(sight, action)


def _has_food(sight: CollabSight, action: Action, _: Sequence[str]) -> bool:
    return sight.held is not None and sight.held.name == action.food


# What is held goes elsewhere


def _has_nothing(sight: CollabSight, _: Action, __: Sequence[str]) -> bool:
    return sight.held is None


def check_takes(sight: CollabSight, action: Action) -> str | None:
    """Return why the utensil of an action takes nothing from the cook."""
    content = sight.content_of(action.place)
    if content is not None and content.product is not None:
        return "busy" if content.ticks < TICKS else "ready"
    return check_reach(sight, action)


def _refuse_put(sight: CollabSight, action: Action) -> str | None:
    kind = check_takes(sight, action)
    if kind is not None:
        return kind
    held, content = sight.held, sight.content_of(action.place)
    if held is None:
        return "hands_empty"
    if held.name == DISH or held.kind == "with_dish":
        return "dish_in_utensil"
    return "full" if content is not None and content.filled >= CAPACITY else None


def _refuse_place(sight: CollabSight, _: Action) -> str | None:
    if sight.held is None:
        return "hands_empty"
    counters = sight.scene.counters
    free = any(cell not in counters for cell in sight.kitchen.counters[sight.number])
    return None if free else "no_counter"


def _find_free(sight: CollabSight) -> Sequence[Cells]:
    """Return the free counters within reach: the shared ones, and the others."""
    kitchen, counters = sight.kitchen, sight.scene.counters
    free = [cell for cell in kitchen.counters[sight.number] if cell not in counters]
    shared = tuple(cell for cell in free if cell in kitchen.shared)
    return shared, tuple(cell for cell in free if cell not in kitchen.shared)


def _refuse_deliver(sight: CollabSight, _: Action) -> str | None:
    if sight.held is None:
        return "hands_empty"
    if sight.held.name not in sight.kitchen.menu:
        return "not_final"
    return None if sight.reaches(DELIVERY) else "unreachable"


def find_place(sight: CollabSight, action: Action) -> Sequence[Cells]:
    """Return the cells of the place of an action, or of the delivery."""
    place = DELIVERY if action.verb == DELIVER else action.place
    return (sight.kitchen.within[sight.number].get(place, ()),)


# At a utensil


def _refuse_start(sight: CollabSight, action: Action) -> str | None:
    kind = check_reach(sight, action)
    if kind is not None:
        return kind
    content = sight.content_of(action.place)
    if content is None:
        return "empty"
    return "busy" if content.product is not None else check_empty_hand(sight, action)


def has_started(sight: CollabSight, action: Action, destroyed: Sequence[str]) -> bool:
    """Return whether the utensil of an action has been started, or its mix was destroyed."""
    content = sight.content_of(action.place)
    return (content is not None and content.product is not None) or action.place in destroyed


def check_fill(sight: CollabSight, action: Action) -> str | None:
    """Return why a cook cannot fill its dish, wherever the utensil is."""
    if sight.order not in sight.kitchen.plated:
        return "no_dish_needed"
    if sight.held is None or sight.held.kind != "dish":
        return "no_dish"
    content = sight.content_of(action.place)
    return "not_ready" if content is None or content.product is None else None


def _has_filled(sight: CollabSight, _: Action, __: Sequence[str]) -> bool:
    return sight.held is not None and sight.held.kind == "with_dish"


VERBS: Mapping[str, Verb] = {
    WAIT: Verb(
        lambda _, action: None if 1 <= action.timesteps <= LONGEST_WAIT else "wait_too_long",
        lambda *_: (),
        lambda *_: False,
        empty=None,
    ),
    PICKUP: Verb(refuse_pickup, _find_food, _has_food, empty=True),
    PUT: Verb(_refuse_put, find_place, _has_nothing, empty=False, utensils=(*STARTERS,)),
    PLACE: Verb(_refuse_place, lambda sight, _: _find_free(sight), _has_nothing, empty=False),
    DELIVER: Verb(_refuse_deliver, find_place, _has_nothing, empty=False),
    FILL: Verb(
        lambda sight, action: check_fill(sight, action) or check_reach(sight, action),
        find_place,
        _has_filled,
        empty=False,
        utensils=(*STARTERS,),
    ),
    **{
        verb: Verb(_refuse_start, find_place, has_started, empty=True, utensils=(kind,))
        for verb, kind in STARTED.items()
    },
}
"""All verbs, each with its row."""


# Lists of actions


def list_actions(
    kitchen: CollabKitchen,
    raw: Iterable[str],
    lying: Iterable[str],
    made: Callable[[Cell], Iterable[str]],
) -> Iterator[Action]:
    """Yield the actions of a kitchen that could be legal.

    They take the ingredients `raw`, what is `lying` on counters, and what is `made` in a utensil.
    """
    yield Action(WAIT, timesteps=1)
    yield Action(PLACE)
    yield Action(DELIVER)
    yield from (Action(PICKUP, INGREDIENTS, food) for food in sorted(raw))
    yield Action(PICKUP, DISHES, DISH)
    yield from (Action(PICKUP, COUNTER, food) for food in lying)
    for name, cell in kitchen.utensils.items():
        yield Action(PUT, name)
        yield Action(FILL, name)
        yield Action(STARTERS[kitchen.kinds[cell]], name)
        yield from (Action(PICKUP, name, food) for food in made(cell))


def every_action(kitchen: CollabKitchen) -> list[str]:
    """Return all actions that can be legal in some state, as text."""
    foods = sorted(kitchen.foods)
    return [*map(str, list_actions(kitchen, kitchen.raw, [*foods, DISH], lambda _: foods))]
