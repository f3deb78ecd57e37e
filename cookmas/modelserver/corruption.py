"""Corruption: functions that put the drawn faults of a model into right answers."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from cookmas.modelserver.faults import Faults
from cookmas.worlds.base.script import Script, Situation

Entry = dict[str, str]
Cell = tuple[int, str]
"""A place in a schedule: the number of timesteps from now, and the worker."""

_ACTION_FAULTS = (
    *("illegal", "wrong_item", "forbidden_station"),
    *("wrong_comprehension", "wrong_mind", "wrong_planning"),
)
_SENTENCES = (
    ("Here is the schedule you asked for:", "Tell me if anything should be changed."),
    ("Let me think about it. The longest task should be begun first.", "That covers everything."),
    ("Sure!", "Good luck to the workers!"),
)
REFUSAL = "I'm sorry, but I can't help with that."


def corrupt_schedule(
    schedule: Sequence[Mapping[str, str]],
    script: Script,
    situation: Situation,
    faults: Faults,
    digest: str,
    only: Collection[Cell] | None = None,
) -> list[Entry]:
    """Return a schedule, changed by the faults that are drawn for its places.

    `digest` is the digest of the request. If `only` is given, faults are made only at these places.
    """
    corrupted = [dict(entry) for entry in schedule]
    if not faults.any_of((*_ACTION_FAULTS, "missing_worker", "off_by_one")):
        return corrupted
    places = [
        (row, worker)
        for row, entry in enumerate(corrupted)
        for worker in list(entry)
        if only is None or (row, worker) in only
    ]
    for row, worker in places:
        following = (row + 1, worker)
        if following in places and faults.strikes("off_by_one", digest, row, worker):
            corrupted[row][worker], corrupted[row + 1][worker] = (
                corrupted[row + 1][worker],
                corrupted[row][worker],
            )
    for row, worker in places:
        place = (digest, row, worker)
        if faults.strikes("missing_worker", *place):
            del corrupted[row][worker]
        else:
            action = corrupted[row][worker]
            corrupted[row][worker] = _corrupt_action(action, script, situation, faults, place)
    return corrupted


def _corrupt_action(
    action: str, script: Script, situation: Situation, faults: Faults, place: tuple[object, ...]
) -> str:
    for fault in _ACTION_FAULTS:
        if faults.strikes(fault, *place):
            draw = faults.draw("which", *place)
            wrong = script.corrupt(fault, action, situation, draw)
            if wrong != action:
                return wrong
    return action


def corrupt_reading(
    lines: Mapping[str, Sequence[str]],
    script: Script,
    situation: Situation,
    faults: Faults,
    digest: str,
) -> dict[str, list[str]]:
    """Return the texts read for each order line, distorted wherever `wrong_item` strikes.

    `lines` has these texts by the name of the line. `digest`, of the request, seeds the draws.
    """

    def corrupt(line: str, number: int, text: str) -> str:
        strikes = partial(faults.strikes, "wrong_item", digest, line, number)
        return script.distort_reading(text, situation, strikes)

    return {
        line: [corrupt(line, number, text) for number, text in enumerate(texts)]
        for line, texts in lines.items()
    }


class CorruptText(NamedTuple):
    """The final text of an answer, and why it ended."""

    text: str
    """The text; empty in a refusal."""
    finish_reason: str = "stop"
    """The reason in the API's terms: `stop`, or `length` if the text is cut off."""
    refusal: str | None = None
    """The text of a refusal; None if the model does not refuse."""


def corrupt_text(text: str, faults: Faults, digest: str) -> CorruptText:
    """Return the text of an answer, after the drawn faults that concern the whole text."""
    if faults.strikes("refusal", digest):
        return CorruptText("", refusal=REFUSAL)
    draw = faults.draw("text", digest)
    if faults.strikes("invalid_json", digest):
        text = _break_json(text, draw.randrange(3))
    if faults.strikes("prose", digest):
        before, after = draw.choice(_SENTENCES)
        text = f"{before}\n\n```json\n{text}\n```\n\n{after}"
    if faults.strikes("truncation", digest):
        return CorruptText(text[: int(len(text) * draw.uniform(0.2, 0.9))], "length")
    return CorruptText(text)


def _break_json(text: str, how: int) -> str:
    """Return invalid JSON, with a typical mistake of models.

    `how` selects the mistake: 0 for a missing comma, 1 for a missing last bracket, 2 for wrong
    quotes.
    """
    broken = (text.replace('", "', '" "', 1), text[:-1], text.replace('"', "'"))[how]
    try:
        json.loads(broken)
    except ValueError:
        return broken
    return text[:-1]
