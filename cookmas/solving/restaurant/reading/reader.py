"""The whole pipeline: from a recipe to components, from a note to customizations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cookmas.kitchen.components import Component, DonenessTable
from cookmas.kitchen.customizations import Customization
from cookmas.solving.restaurant.reading.clauses import clauses_of
from cookmas.solving.restaurant.reading.discourse import Discourse, ReadingResult, conclude
from cookmas.solving.restaurant.reading.doubting import ReadingDoubt, findings
from cookmas.solving.restaurant.reading.events import events_of
from cookmas.solving.restaurant.reading.marking import marks_of, sentences
from cookmas.solving.restaurant.reading.notes import parse_note
from cookmas.solving.restaurant.reading.recipe_events import interpret
from cookmas.solving.restaurant.reading.values import Clause, Doubt, Event, ReadStep, Span, Words
from cookmas.solving.restaurant.reading.words import lexicon_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Larder:
    """The reader's knowledge of the kitchen."""

    ingredients: frozenset[str]
    """Names of all ingredients."""
    doneness: DonenessTable
    """Minutes for each food, process and level of doneness."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The result of reading a recipe."""

    components: tuple[Component, ...]
    """The components that the recipe describes."""
    doubts: tuple[Doubt, ...]
    """The texts that the reader did not understand, as doubts."""
    steps: tuple[ReadStep, ...] = ()
    """The steps of the components with their words."""
    skipped: tuple[Words, ...] = ()
    """Clauses that were skipped as remarks."""


class Stages(NamedTuple):
    """The result of each stage of a reading."""

    clauses: Sequence[Clause]
    events: Sequence[Event]
    discourse: Discourse
    result: ReadingResult
    findings: Sequence[ReadingDoubt]


def read_note(
    note: str, components: Sequence[Component], larder: Larder
) -> tuple[tuple[Customization, ...], tuple[Doubt, ...]]:
    """Return the customizations that a note requests for a dish of `components`, and the doubts.

    A note without a request that a kitchen can fulfil yields no customization.
    """
    wishes, doubts = parse_note(note, components, larder.ingredients, larder.doneness)
    return tuple(sorted(wishes, key=str)), tuple(dict.fromkeys(doubts))


def read_recipe(prose: str, larder: Larder) -> Reading:
    """Return the reading of a recipe, in which text that was not understood is a doubt.

    Reading never fails.
    """
    stages = read(prose, larder)
    doubts = [
        Doubt(f"{subject}: {reason}" if subject else reason, words, words.of(prose))
        for reason, subject, words in stages.findings
    ]
    return Reading(
        components=tuple(stages.result.components),
        doubts=tuple(dict.fromkeys(doubts)),
        steps=tuple(sorted(stages.result.steps, key=lambda step: min(step.words))),
        skipped=tuple(clause.words for clause in stages.clauses if clause.mode == "remark"),
    )


def read(prose: str, larder: Larder) -> Stages:
    """Read a recipe, and return the result of each stage."""
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
    events = link([event for clause in clauses for event in events_of(clause)])
    named = frozenset(
        mark.value for clause in clauses if clause.mode != "remark"
        for mark in clause.marks if mark.kind == "food"
    )  # fmt: skip
    discourse = Discourse(lexicon=lexicon, doneness=larder.doneness, named=named)
    interpret(discourse, events)
    result = conclude(discourse)
    return Stages(clauses, events, discourse, result, findings(discourse, result, clauses))


def link(events: Sequence[Event]) -> list[Event]:
    """Return the events, completed with times, foods and corrections from their neighbours."""
    out: list[Event] = []
    late: Span | None = None
    building, denied = False, -9
    events = _share_foods(events)
    for event, after in zip(events, [*events, None][1:], strict=True):
        soon = after if after and after.sentence == event.sentence else None
        denied = event.sentence if event.has("no") else denied
        if event.sentence - denied <= 1:
            event = event.with_cues("corrects")
        if late is not None:
            event, late = replace(event, span=late), None
        if soon and event.span and event.span.extent == "last" and not event.foods:
            late = event.span  # `for the last four minutes, add the peas`
            continue
        if building and event.kind == "name":
            event = replace(event, kind="join").with_cues("build", "dish")
        announced = soon and event.has("build") and not event.foods and not event.others
        building = soon is not None and bool(building or announced)
        if not announced:  # `build it: dough, sauce, cheese`
            out.append(event)
    return out


def _share_foods(events: Sequence[Event]) -> list[Event]:
    """In a series of verbs, give each verb the foods of the last verb.

    For example, in `peel, slice and boil the carrots` all three verbs get the carrots.
    """
    out: list[Event] = []
    shared = False
    for event in reversed(events):
        soon = out[-1] if out and out[-1].sentence == event.sentence else None
        both = soon and event.has("base") and soon.has("base")
        row = soon and both and (shared or soon.has("and"))
        shared = bool(row and not event.foods)
        out.append(replace(event, foods=soon.foods) if soon and shared else event)
    return out[::-1]
