"""The actions of cooks: low-level acts of one timestep, and medium-level ones of several.

The medium-level actions are those of the papers, in the notation of calls: "put onion in c0"
is `put(onion,c0)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.overcooked.rules.kitchen import ACTS

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
