"""Who knew where a bell hangs, and told whoever rings it?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from episodes.trace import MessageRecord
from evals.evidence import Evidence
from evals.talk import Collaboration, capabilities, is_team
from evals.verdict import Check

_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen twenty"""
NUMBERS = _WORDS.split()

_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[.,;!?\n]|\band\b")


def collaborations(evidence: Evidence) -> Iterator[Check]:
    """`initiated` and `responded` of each bell that one walker knows and another one rings.

    Initiated if whoever knows said in time, in one clause, its name and no other place than its
    own; responded if it was, and the other one then rang it there. Of a team alone.
    """
    if is_team(evidence):
        yield from capabilities(_needed(evidence))


def _needed(evidence: Evidence) -> Iterator[Collaboration]:
    """The bells that one walker knows and another one rings."""
    rung = {act.action: act.timestep for act in evidence.acts if act.outcome.done}
    for name, bell in evidence.final["bells"].items():
        ringer, knower = bell["ringer"], bell["knower"]
        if ringer and knower and ringer != knower:
            until = rung.get(f"ring({name})", len(evidence.frames))
            place = evidence.truth[name]
            told = any(
                said.agent == knower and said.timestep <= until and tells(said.text, name, place)
                for said in evidence.trace.of(MessageRecord)
            )
            yield Collaboration(name, f"{knower} for {ringer}", told, bell["rung"] == place)


def tells(text: str, name: str, place: int) -> bool:
    """Whether a clause of a text names a bell, and this place alone."""
    for clause in _CLAUSE.split(text):
        words = _WORD.findall(clause.casefold())
        named = f" {name.casefold()} " in f" {' '.join(words)} "
        if named and {found for word in words for found in _places(word, place)} == {place}:
            return True
    return False


def _places(word: str, place: int) -> list[int]:
    """The place that a word may stand for; "the blue one" is none, unless it is that place."""
    if word in NUMBERS:
        found = NUMBERS.index(word)
        return [found] if found != 1 or place == 1 else []
    return [int(word)] if word.isdecimal() and len(word) < 4 else []
