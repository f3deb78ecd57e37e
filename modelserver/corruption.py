"""How right answers are made wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from episodes.world import Json
from modelserver.faults import Faults

Entry = dict[str, str]
Cell = tuple[int, str]
"""A place in a schedule: how many timesteps from now, and the worker."""

_PICK = re.compile(r"pick\((?!slot)([^,)]+)(.*)\)")
_SENTENCES = (
    ("Here is the schedule you asked for:", "Tell me if anything should be changed."),
    ("Let me think about it. The longest dish should be begun first.", "That serves everything."),
    ("Sure!", "Good luck in the kitchen!"),
)
REFUSAL = "I'm sorry, but I can't help with that."


def corrupt_schedule(
    schedule: Sequence[Mapping[str, str]],
    setup: Json,
    faults: Faults,
    digest: str,
    only: Collection[Cell] | None = None,
) -> list[Entry]:
    """The schedule with the faults that strike it; with `only`, at no other places than these."""
    made = [dict(entry) for entry in schedule]
    names = ("illegal", "wrong_item", "forbidden_station", "missing_worker", "off_by_one")
    if not faults.any_of(names):
        return made
    places = [
        (number, worker)
        for number, entry in enumerate(made)
        for worker in list(entry)
        if only is None or (number, worker) in only
    ]
    for number, worker in places:
        following = (number + 1, worker)
        if following in places and faults.strikes("off_by_one", digest, number, worker):
            made[number][worker], made[number + 1][worker] = (
                made[number + 1][worker],
                made[number][worker],
            )
    for number, worker in places:
        wrong = _corrupt_action(made[number][worker], setup, faults, (digest, number, worker))
        if wrong is None:
            del made[number][worker]
        else:
            made[number][worker] = wrong
    return made


def _corrupt_action(
    action: str, setup: Json, faults: Faults, place: tuple[object, ...]
) -> str | None:
    """The action that stands at a place in the end; None if the worker is left out."""
    if faults.strikes("missing_worker", *place):
        return None
    if faults.strikes("illegal", *place):
        return _illegal(action, setup, faults, place)
    picked = _PICK.fullmatch(action)
    if picked and faults.strikes("wrong_item", *place):
        return f"pick({unknown_food(picked[1], setup)}{picked[2]})"
    if action.startswith("navigate(") and faults.strikes("forbidden_station", *place):
        return f"navigate({_unknown_station(action[9:-1], setup)})"
    return action


def _illegal(action: str, setup: Json, faults: Faults, place: tuple[object, ...]) -> str:
    """An action that FAILs wherever the worker stands, of the kind of the right one if it can."""
    if picked := _PICK.fullmatch(action):
        return f"pick({unknown_food(picked[1], setup)})"
    if action.startswith("navigate("):
        return f"navigate({_unknown_station(action[9:-1], setup)})"
    if action.startswith("serve("):
        return f"serve({action[6:-1]}.1)"
    draw = faults.draw("which", *place)
    station = draw.choice(sorted(setup["stations"]))
    food = draw.choice(sorted(f for foods in setup["larder"].values() for f in foods))
    return draw.choice(
        [f"navigate({_unknown_station(station, setup)})", f"pick({unknown_food(food, setup)})"]
    )


def unknown_food(name: str, setup: Json) -> str:
    """A name like that of a food, but of none in this kitchen, also not of a joined one."""
    known = {food for foods in setup["larder"].values() for food in foods}
    wrong = f"fresh {name}"
    while wrong in known:
        wrong = f"fresh {wrong}"
    return wrong


def _unknown_station(name: str, setup: Json) -> str:
    """The next number of a kind of station that the kitchen does not have."""
    kind = setup["stations"].get(name, [name])[0]
    number = 1
    while f"{kind}_{number}" in setup["stations"]:
        number += 1
    return f"{kind}_{number}"


def corrupt_reading(
    lines: Mapping[str, Sequence[str]], setup: Json, faults: Faults, digest: str
) -> dict[str, list[str]]:
    """The components that were read, with wrong names of ingredients where that strikes."""
    known = sorted((f for foods in setup["larder"].values() for f in foods), key=len, reverse=True)
    name = re.compile("|".join(rf"\b{re.escape(food)}\b" for food in known))

    def corrupt(line: str, number: int, text: str) -> str:
        def renamed(match: re.Match[str]) -> str:
            struck = faults.strikes("wrong_item", digest, line, number, match.start())
            return unknown_food(match[0], setup) if struck else match[0]

        return name.sub(renamed, text)

    return {
        line: [corrupt(line, number, text) for number, text in enumerate(components)]
        for line, components in lines.items()
    }


class Said(NamedTuple):
    """What the model says in the end, and how it ended."""

    text: str
    finish_reason: str = "stop"
    refusal: str | None = None


def corrupt_text(text: str, faults: Faults, digest: str) -> Said:
    """The text of an answer with the faults that strike it as a whole."""
    if faults.strikes("refusal", digest):
        return Said("", refusal=REFUSAL)
    draw = faults.draw("text", digest)
    if faults.strikes("invalid_json", digest):
        text = _broken(text, draw.randrange(3))
    if faults.strikes("prose", digest):
        before, after = draw.choice(_SENTENCES)
        text = f"{before}\n\n```json\n{text}\n```\n\n{after}"
    if faults.strikes("truncation", digest):
        return Said(text[: int(len(text) * draw.uniform(0.2, 0.9))], "length")
    return Said(text)


def _broken(text: str, how: int) -> str:
    """JSON as models break it: a comma or the last bracket left out, or the wrong quotes."""
    broken = (text.replace('", "', '" "', 1), text[:-1], text.replace('"', "'"))[how]
    try:
        json.loads(broken)
    except ValueError:
        return broken
    return text[:-1]
