"""The actions of cooks: their forms, and how they are read from text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from cookmas.episodes.conversation import requests_in
from cookmas.worlds.collab_overcooked.rules.kitchen import STARTERS
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
