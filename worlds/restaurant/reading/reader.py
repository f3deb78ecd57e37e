"""A recipe in prose to components: the pipeline from end to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from kitchen.components import DonenessTable
from worlds.restaurant.reading.clauses import clauses_of
from worlds.restaurant.reading.doubting import Finding, findings, looseness
from worlds.restaurant.reading.ending import Ending, ended
from worlds.restaurant.reading.events import events_of
from worlds.restaurant.reading.linking import linked
from worlds.restaurant.reading.marking import marks_of
from worlds.restaurant.reading.naming import tell
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.text import sentences
from worlds.restaurant.reading.values import Clause, Event, Sentence
from worlds.restaurant.reading.words import Lexicon, lexicon_of

ROUNDS, TRIES = 2, 12
"""How often a reading is improved by taking one clause otherwise, and how many are tried."""
LONGEST = 300
"""Clauses of a text beyond which nothing is tried."""
_MEATY = frozenset({"process", "place", "time", "cut", "move", "shape"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """What each stage of a reading came to."""

    sentences: tuple[Sentence, ...]
    clauses: tuple[Clause, ...]
    events: tuple[Event, ...]
    story: Story
    ending: Ending
    findings: tuple[Finding, ...]

    @property
    def looseness(self) -> int:
        """How much it leaves unexplained."""
        return looseness(self.findings)


class Other(NamedTuple):
    """Another way to take a clause, and how much more it must explain than the first."""

    price: int
    at: int
    clause: Clause


def read(prose: str, ingredients: frozenset[str], doneness: DonenessTable) -> Stages:
    """Read a recipe in the way that leaves the least unexplained."""
    lexicon = lexicon_of(ingredients)
    said = sentences(prose)
    first = next((i for i, sentence in enumerate(said) if sentence.step), 0)
    said = said[first:]
    marked = [marks_of(sentence, lexicon) for sentence in said]
    clauses = [
        clause
        for number, (sentence, answer) in enumerate(zip(said, [*marked, []][1:], strict=True))
        for clause in clauses_of(number, sentence, marked[number], answer)
    ]
    best = told(said, clauses, lexicon, doneness)
    for _ in range(ROUNDS if len(clauses) <= LONGEST else 0):
        before = best
        for other in sorted(_others(before), key=lambda other: other.price)[:TRIES]:
            if not best.looseness:
                return best
            changed = [*before.clauses]
            changed[other.at] = other.clause
            reading = told(said, changed, lexicon, doneness)
            if reading.looseness + other.price < best.looseness:
                best = reading
        if best is before:
            break
    return best


def told(
    said: Sequence[Sentence], clauses: Sequence[Clause], lexicon: Lexicon, doneness: DonenessTable
) -> Stages:
    """Tell the story of clauses as they are meant, and see what is left unexplained."""
    events = linked([event for clause in clauses for event in events_of(clause)])
    named = frozenset(
        mark.value for clause in clauses if clause.mode != "remark"
        for mark in clause.marks if mark.kind == "food"
    )  # fmt: skip
    story = Story(lexicon=lexicon, doneness=doneness, named=named)
    for event, upcoming in zip(events, [*events, None][1:], strict=True):
        tell(story, event, upcoming)
    ending = ended(story)
    return Stages(
        sentences=tuple(said), clauses=tuple(clauses), events=tuple(events), story=story,
        ending=ending, findings=tuple(findings(story, ending, clauses)),
    )  # fmt: skip


def _others(reading: Stages) -> Iterator[Other]:
    """How clauses near what is doubtful may be meant otherwise."""
    starts = [sentence.words.start for sentence in reading.sentences]
    near = {sum(start <= f.words.start for start in starts) - 1 for f in reading.findings}
    for at, clause in enumerate(reading.clauses):
        distance = min((abs(clause.sentence - number) for number in near), default=9)
        kinds = {mark.kind for mark in clause.marks}
        if distance > 1 or not kinds & {"food", "time", "level"} or "wholly" in kinds:
            continue
        if clause.mode == "remark" and kinds & _MEATY:
            yield Other(1, at, replace(clause, mode="told"))
        elif clause.mode == "told" and not distance and "food" in kinds:
            yield Other(8, at, replace(clause, mode="remark"))
