"""A recipe in prose to components: the pipeline from end to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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

TRIES, PRICE = 12, 1
"""How many remarks are tried as told, and how much more such a reading must explain."""
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
    for at in _remarks(best)[:TRIES] if len(clauses) <= LONGEST else ():
        other = [*best.clauses]
        other[at] = replace(other[at], mode="told")
        reading = told(said, other, lexicon, doneness)
        if reading.looseness + PRICE < best.looseness:
            best = reading
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


def _remarks(reading: Stages) -> list[int]:
    """Which remarks near what is doubtful may be told after all."""
    starts = [sentence.words.start for sentence in reading.sentences]
    near = {sum(start <= f.words.start for start in starts) - 1 for f in reading.findings}
    found = []
    for at, clause in enumerate(reading.clauses):
        kinds = {mark.kind for mark in clause.marks}
        close = any(abs(clause.sentence - number) <= 1 for number in near)
        says = kinds & {"food", "time", "level"} and kinds & _MEATY and "wholly" not in kinds
        if clause.mode == "remark" and close and says:
            found.append(at)
    return found
