"""A recipe in prose to components: the pipeline from end to end."""

from __future__ import annotations

from dataclasses import dataclass

from kitchen.components import Component, DonenessTable
from worlds.restaurant.reading2.clauses import clauses_of
from worlds.restaurant.reading2.ending import Ending, ended
from worlds.restaurant.reading2.events import events_of, shared
from worlds.restaurant.reading2.marking import marks_of
from worlds.restaurant.reading2.story import Story
from worlds.restaurant.reading2.text import sentences
from worlds.restaurant.reading2.values import Choices, Clause, Doubt, Event, ReadStep
from worlds.restaurant.reading2.words import lexicon_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """What each stage of a reading came to."""

    clauses: tuple[Clause, ...]
    events: tuple[Event, ...]
    story: Story
    ending: Ending


def read(prose: str, ingredients: frozenset[str], doneness: DonenessTable) -> Stages:
    """Read a recipe once."""
    lexicon = lexicon_of(ingredients)
    said = sentences(prose)
    first = next((i for i, sentence in enumerate(said) if sentence.step), 0)
    said = said[first:]
    clauses: list[Clause] = []
    marked = [marks_of(sentence, lexicon) for sentence in said]
    for number, sentence in enumerate(said):
        answer = marked[number + 1] if number + 1 < len(said) else ()
        clauses += clauses_of(number, sentence, marked[number], answer)
    events = shared([event for clause in clauses for event in events_of(clause)])
    named = frozenset(
        mark.value for clause in clauses if clause.mode != "remark"
        for mark in clause.marks if mark.kind == "food"
    )  # fmt: skip
    story = Story(lexicon=lexicon, doneness=doneness, named=named)
    for event, upcoming in zip(events, [*events[1:], None], strict=True):
        story.tell(event, upcoming)
    return Stages(clauses=tuple(clauses), events=tuple(events), story=story, ending=ended(story))
