"""The pipeline from end to end: a recipe to components, a note to customizations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from kitchen.components import Component, DonenessTable
from kitchen.customizations import Customization
from worlds.restaurant.reading.clauses import clauses_of
from worlds.restaurant.reading.doubting import WEIGHTS, Finding, findings, looseness
from worlds.restaurant.reading.ending import Ending, ended
from worlds.restaurant.reading.events import events_of
from worlds.restaurant.reading.linking import linked
from worlds.restaurant.reading.marking import marks_of
from worlds.restaurant.reading.notes import hear
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.telling import tell
from worlds.restaurant.reading.text import sentences
from worlds.restaurant.reading.values import Clause, Doubt, Event, ReadStep, Words
from worlds.restaurant.reading.words import lexicon_of

TRIES, PRICE = 12, 1
"""How many remarks are tried as told, and how much more such a reading must explain."""
LONGEST = 300
"""Clauses of a text beyond which nothing is tried."""
_MEATY = frozenset({"process", "place", "time", "cut", "move", "shape"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Larder:
    """What a reader may know of the kitchen: its ingredients, and how doneness is read."""

    ingredients: frozenset[str]
    doneness: DonenessTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a recipe asks for, where each step stands in it, and what was not understood."""

    components: tuple[Component, ...]
    doubts: tuple[Doubt, ...]
    steps: tuple[ReadStep, ...] = ()
    skipped: tuple[Words, ...] = ()
    """What was passed over as a remark."""


class Stages(NamedTuple):
    """What each stage of a reading came to."""

    clauses: Sequence[Clause]
    events: Sequence[Event]
    story: Story
    ending: Ending
    findings: Sequence[Finding]


def read_note(
    note: str, components: Sequence[Component], larder: Larder
) -> tuple[tuple[Customization, ...], tuple[Doubt, ...]]:
    """What a customer's note asks for of a dish made of `components`, and what stays doubtful.

    A note that asks for nothing a kitchen can do yields no customization.
    """
    wishes, doubts = hear(note, components, larder.ingredients, larder.doneness)
    return tuple(sorted(wishes, key=str)), tuple(dict.fromkeys(doubts))


def read_recipe(prose: str, larder: Larder) -> Reading:
    """Read a recipe. Never fails: what cannot be understood is a doubt."""
    stages = read(prose, larder)
    doubts = [
        Doubt(f"{subject}: {reason}" if subject else reason, words, words.of(prose))
        for reason, subject, words in stages.findings
    ]
    return Reading(
        components=tuple(stages.ending.components),
        doubts=tuple(dict.fromkeys(doubts)),
        steps=tuple(sorted(stages.ending.steps, key=lambda step: min(step.words))),
        skipped=tuple(clause.words for clause in stages.clauses if clause.mode == "remark"),
    )


def read(prose: str, larder: Larder) -> Stages:
    """Read a recipe in the way that leaves the least unexplained."""
    lexicon = lexicon_of(larder.ingredients)
    said = sentences(prose)
    first = next((i for i, sentence in enumerate(said) if sentence.step), 0)
    marked = [(sentence, marks_of(sentence, lexicon)) for sentence in said[first:]]
    answers = [*(marks for _, marks in marked), []][1:]
    clauses = [
        clause
        for number, ((sentence, marks), answer) in enumerate(zip(marked, answers, strict=True))
        for clause in clauses_of(number, sentence, marks, answer)
    ]
    best = told(clauses, larder)
    for at in islice(_remarks(best), TRIES) if len(clauses) <= LONGEST else ():
        other = [*best.clauses]
        other[at] = replace(other[at], mode="told")
        reading = told(other, larder)
        if looseness(reading.findings) + PRICE < looseness(best.findings):
            best = reading
    return best


def told(clauses: Sequence[Clause], larder: Larder) -> Stages:
    """Tell the story of clauses as they are meant, and see what is left unexplained."""
    events = linked([event for clause in clauses for event in events_of(clause)])
    named = frozenset(
        mark.value for clause in clauses if clause.mode != "remark"
        for mark in clause.marks if mark.kind == "food"
    )  # fmt: skip
    lexicon = lexicon_of(larder.ingredients)
    story = Story(lexicon=lexicon, doneness=larder.doneness, named=named)
    for event, upcoming in zip(events, [*events, None][1:], strict=True):
        tell(story, event, upcoming)
    ending = ended(story)
    return Stages(clauses, events, story, ending, findings(story, ending, clauses))


def _remarks(reading: Stages) -> Iterator[int]:
    """Which remarks near what is doubtful may be told after all."""
    clauses = reading.clauses
    near = {
        max((c.sentence for c in clauses if c.words <= found.words), default=0)
        for found in reading.findings
        if WEIGHTS[found.reason]
    }
    for at, clause in enumerate(clauses):
        kinds = {mark.kind for mark in clause.marks}
        close = any(abs(clause.sentence - number) <= 1 for number in near)
        says = kinds & {"food", "time", "level"} and kinds & _MEATY and "wholly" not in kinds
        if clause.mode == "remark" and close and says:
            yield at
