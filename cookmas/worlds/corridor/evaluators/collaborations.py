"""The evaluator of collaborations: is a walker told the place of a bell that only another knows?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cookmas.episodes.trace import MessageRecord
from cookmas.evals.evidence import Evidence
from cookmas.evals.planning import is_team
from cookmas.evals.verdict import Check, make_check

_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen twenty"""
NUMBERS = _WORDS.split()

_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[.,;!?\n]|\band\b")


def collaborations(evidence: Evidence) -> Iterator[Check]:
    """Yield `initiated` and `responded` for each bell that one walker knows and another one rings.

    A walker knows a bell if only this walker may read the text about the bell. `initiated` is
    passed if this walker told the bell's place before the bell was rung. A clause of the message
    must have the bell's name, the right place and no other place. `responded` is passed if
    `initiated` is passed, and the other walker rang the bell at the right place.
    Episodes without a team yield nothing.
    """
    if not is_team(evidence):
        return
    rung = {act.action: act.timestep for act in evidence.acts if act.outcome.done}
    for name, bell in evidence.final["bells"].items():
        ringer, knower = bell["ringer"], bell["knower"]
        if ringer and knower and ringer != knower:
            until = rung.get(f"ring({name})", len(evidence.frames))
            place = evidence.truth[name]
            was_told = any(
                message.agent == knower
                and message.timestep <= until
                and tells(message.text, name, place)
                for message in evidence.trace.of(MessageRecord)
            )
            answered = was_told and bell["rung"] == place
            yield make_check("initiated", name, was_told, evidence=f"{knower} for {ringer}")
            yield make_check("responded", name, answered, evidence=f"{knower} for {ringer}")


def tells(text: str, name: str, place: int) -> bool:
    """Return whether a clause of a text has the name of the bell, and `place` as its only place."""
    for clause in _CLAUSE.split(text):
        words = _WORD.findall(clause.casefold())
        named = f" {name.casefold()} " in f" {' '.join(words)} "
        if named and {found for word in words for found in _places(word, place)} == {place}:
            return True
    return False


def _places(word: str, place: int) -> list[int]:
    """Return a list of the place that a word names; the list is empty if the word names none.

    `place` is the right place. "One" counts only if the right place is 1, because the word may be a
    pronoun ("the blue one").
    """
    if word in NUMBERS:
        found = NUMBERS.index(word)
        return [found] if found != 1 or place == 1 else []
    return [int(word)] if word.isdecimal() and len(word) < 4 else []
