"""A recipe in prose to components: the pipeline from end to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kitchen.components import DonenessTable
from worlds.restaurant.reading.clauses import clauses_of
from worlds.restaurant.reading.doubting import Finding, findings, looseness
from worlds.restaurant.reading.ending import Ending, ended
from worlds.restaurant.reading.events import events_of, shared
from worlds.restaurant.reading.marking import marks_of
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.text import sentences
from worlds.restaurant.reading.values import Clause, Sentence
from worlds.restaurant.reading.words import Lexicon, lexicon_of

ROUNDS, TRIES = 2, 8
"""How often a reading is improved by taking one clause otherwise, and how many are tried."""
LONGEST = 300
"""Clauses of a text beyond which nothing is tried."""
_MEATY = frozenset({"process", "place", "time", "cut", "move", "shape"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """What each stage of a reading came to."""

    sentences: tuple[Sentence, ...]
    clauses: tuple[Clause, ...]
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
    clauses: list[Clause] = []
    for number, sentence in enumerate(said):
        answer = marked[number + 1] if number + 1 < len(said) else ()
        clauses += clauses_of(number, sentence, marked[number], answer)
    if not clauses:
        said = []
    best = tell(said, clauses, lexicon, doneness)
    for _ in range(ROUNDS if len(clauses) <= LONGEST else 0):
        before = best
        for at in _doubtful(best)[:TRIES]:
            if best.looseness == 0:
                return best
            clause = before.clauses[at]
            other = list(before.clauses)
            other[at] = replace(clause, mode="told" if clause.mode == "remark" else "remark")
            reading = tell(said, other, lexicon, doneness)
            price = 1 if clause.mode == "remark" else 8
            if reading.looseness + price < best.looseness:
                best = reading
        if best is before:
            break
    return best


def _doubtful(reading: Stages) -> list[int]:
    """Clauses that may be meant otherwise, those near what is doubtful first."""
    near: set[int] = set()
    for finding in reading.findings:
        near |= {
            i for i, s in enumerate(reading.sentences)
            if s.words.start <= finding.words.start < s.words.end
        }  # fmt: skip
    out = []
    for at, clause in enumerate(reading.clauses):
        distance = min((abs(clause.sentence - n) for n in near), default=9)
        kinds = {mark.kind for mark in clause.marks}
        if distance > 1 or not kinds & {"food", "time", "level"} or "wholly" in kinds:
            continue
        if clause.mode == "remark" and kinds & _MEATY:
            out.append((0, distance, at))
        elif clause.mode == "told" and distance == 0 and "food" in kinds:
            out.append((1, distance, at))
    return [at for _, _, at in sorted(out)]


def tell(
    said: Sequence[Sentence], clauses: Sequence[Clause], lexicon: Lexicon, doneness: DonenessTable
) -> Stages:
    """Tell the story of clauses as they are meant, and see what is left unexplained."""
    events = shared([event for clause in clauses for event in events_of(clause)])
    named = frozenset(
        mark.value for clause in clauses if clause.mode != "remark"
        for mark in clause.marks if mark.kind == "food"
    )  # fmt: skip
    story = Story(lexicon=lexicon, doneness=doneness, named=named)
    for event, upcoming in zip(events, [*events, None][1:], strict=True):
        story.tell(event, upcoming)
    ending = ended(story)
    return Stages(
        sentences=tuple(said), clauses=tuple(clauses), story=story, ending=ending,
        findings=tuple(findings(story, ending, clauses)),
    )  # fmt: skip
