"""Events of a clause: what is done to which foods.

A clause is split into frames, one for each predicate or attribute (`frames.ClauseFrame`). A
decision table turns each frame into an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from cookmas.solving.restaurant.reading.clauses import WORDS
from cookmas.solving.restaurant.reading.frames import MACHINES, ClauseFrame, frames_of, ref_of
from cookmas.solving.restaurant.reading.values import (
    HEAT,
    MIXING,
    PREP,
    Clause,
    Cue,
    Event,
    EventKind,
    Ref,
)

_PLACED = HEAT - {"fry", "boil"}
_WORKED = MIXING | PREP - {"chop", "slice"}

_TABLE: Sequence[tuple[str, str, EventKind, Cue | Literal[""]]] = [
    ("cut finite", "", "name", ""),
    ("cut", "", "work", ""),
    ("shape", "", "work", ""),
    ("prep", "", "work", ""),
    ("mixing heat stir", "", "heat", ""),
    ("mixing", "", "work", ""),
    ("heating", "", "heat", ""),
    ("machine", "", "work", ""),
    ("named only-for", "verb", "name", ""),
    ("heat =add", "", "heat", "add"),
    ("heat", "", "heat", ""),
    ("cook timed", "", "heat", ""),
    ("coating move", "", "join", "coat"),
    ("giving company", "", "add", ""),
    ("=be foods on-company", "", "join", "build"),
    ("=coat", "", "join", "coat"),
    ("=build", "", "join", "build"),
    ("=strew", "", "join", ""),
    ("move bowl with-company", "", "add", ""),
    ("plate", "", "serve", ""),
    ("=add on", "", "join", ""),
    ("=add", "", "add", ""),
    ("in", "", "add", ""),
    ("=put in-coat", "", "join", "coat"),
    ("=put foods in-company", "", "add", ""),
    ("move", "", "name", ""),
    ("vessel", "", "join", "build"),
    ("dish foods", "", "join", "build"),
    ("last named", "", "add", ""),
    ("foods on-company", "place", "join", "build"),
    ("same foods", "", "add", ""),
    ("named", "", "name", ""),
    ("uncut", "", "uncut", ""),
    ("", "", "time", ""),
]
"""The decision table. Each row has the facts that a frame must have, the facts that it must not
have, and the kind and cue of its event. The first row that fits a frame decides."""
_RULES = [
    (frozenset(needs.split()), frozenset(lacks.split()), kind, cue)
    for needs, lacks, kind, cue in _TABLE
]


def events_of(clause: Clause) -> list[Event]:
    """Return the events of a clause, in order."""
    bare = Event(kind="name", words=clause.words, sentence=clause.sentence, step=clause.step)
    if clause.mode in ("remark", "asked"):
        asked = clause.mode == "asked"
        kinds = {"food", "kind"} if asked else {"food"}
        foods = [ref_of(mark) for mark in clause.marks if mark.kind in kinds]
        return (
            [replace(bare.with_cues("asked" if asked else "aside"), foods=foods)] if foods else []
        )
    if clause.mode == "denied":
        return _denial_events(clause, bare)
    if clause.opened in WORDS["joining"]:
        bare = bare.with_cues("and")
    return [event for frame in frames_of(clause) for event in _of_frame(bare, frame)]


def _of_frame(bare: Event, frame: ClauseFrame) -> list[Event]:
    """Return the event of a frame by the decision table; no event if the frame states nothing.

    `bare` is an event with only the words, the sentence and the recipe step of the clause.
    """
    verb = frame.verb
    if frame.place == "rest" or (verb and verb.value == "rest" and frame.place not in HEAT):
        frame.span = None
    foods, company, named = _parts(frame)
    facts = _facts(frame, foods, company, named)
    kind, cue = next(
        (kind, cue) for needs, lacks, kind, cue in _RULES if needs <= facts and not lacks & facts
    )
    told = bare.with_cues(*frame.cues)
    if cue:
        told = told.with_cues(cue)
    if verb and verb.form:
        told = told.with_cues(verb.form)
    if "stir" in facts:
        told = told.with_cues("stir")
    if kind == "time" and not (frame.span or frame.level or told.cues):
        return []
    if kind in ("name", "serve"):
        foods, company = _drop_pronouns(named, listed=verb is None), []
    elif cue == "coat":
        foods = [ref for ref in foods if ref.value not in WORDS["coatings"]]
    return [
        replace(
            told, kind=kind, process=_process(kind, frame), foods=foods, others=company,
            span=frame.span, level=frame.level, jump=frame.jump,
        )
    ]  # fmt: skip


def _process(kind: EventKind, frame: ClauseFrame) -> str:
    """Return the process of a frame.

    The place of cooking and the shape of a cut take precedence over the verb, because they are more
    specific.
    """
    value = frame.verb.value if frame.verb else ""
    if kind == "heat":
        return frame.place if frame.place in HEAT and value not in _PLACED else value
    if kind != "work" or value in _WORKED:
        return value
    machine = frame.place if frame.place in MACHINES else "cut"
    return frame.shape or (value if value in PREP else machine)


def _drop_pronouns(refs: list[Ref], *, listed: bool) -> list[Ref]:
    """Return the references without pronouns, or all of them if all are pronouns.

    If `listed`, so that the frame has no verb, pronouns without a preposition stay. They also stay
    if all foods follow `with`.
    """
    others = [ref for ref in refs if ref.kind != "pronoun"]
    if listed or all(ref.role == "with" for ref in others):
        keeps = [ref for ref in refs if ref.kind != "pronoun" or not ref.role]
        return keeps if others else refs
    return others


def _parts(frame: ClauseFrame) -> tuple[list[Ref], list[Ref], list[Ref]]:
    """Return the subjects of a frame, the foods that they are joined with, and all foods in it."""
    value = frame.verb.value if frame.verb else ""
    foods = [ref for ref in frame.refs if _is_subject(ref)]
    named = [ref for ref in frame.refs if _is_subject(ref) or ref.role not in WORDS["beside"]]
    company = [ref for ref in named if not _is_subject(ref)]
    if value == "add":
        foods += [ref for ref in company if ref.role == "in"]
        company = [ref for ref in company if ref.role != "in"]
    things = [ref for ref in foods if ref.kind != "pronoun"]
    if value == "be" and things:
        company += [ref for ref in foods if ref.kind == "pronoun"]  # `give them the butter`
    return things or foods, company, named


def _is_subject(ref: Ref) -> bool:
    """Return whether a reference is a subject of its frame, not a food that is joined with one."""
    return not ref.role or (ref.role in WORDS["attached"] and ref.kind in ("food", "kind"))


def _facts(
    frame: ClauseFrame, foods: Sequence[Ref], company: Sequence[Ref], named: Sequence[Ref]
) -> set[str]:
    """Return the facts of a frame that the decision table tests."""
    verb = frame.verb
    value, word = (verb.value, verb.word) if verb else ("", "")
    roles = {ref.role for ref in company}
    tests = {
        "heat": frame.place in HEAT,
        "machine": frame.place in MACHINES,
        "prep": value in PREP,
        "mixing": value in MIXING,
        "heating": value in HEAT,
        "stir": word in WORDS["stirring"],
        "plate": value == "serve",
        "shape": frame.shape,
        "timed": frame.span or frame.level,
        "foods": foods,
        "company": company,
        "named": named,
        "only-for": all(ref.role == "for" for ref in named),
        "on-company": roles & WORDS["upon"],
        "in-company": roles & {"in", "into", "to"},
        "with-company": "with" in roles,
        "giving": word in WORDS["giving"],
        "in-coat": any(ref.value in WORDS["coats"] for ref in company),
        "coating": any(ref.value in WORDS["coatings"] and not ref.role for ref in named),
    }
    facts = frame.cues | {name for name, holds in tests.items() if holds}
    return facts | ({"verb", verb.kind, verb.form, f"={value}"} if verb else set())


def _denial_events(clause: Clause, bare: Event) -> list[Event]:
    """Return the events of a denial: foods after `no` or `without` are not in the dish."""
    at = next(i for i, mark in enumerate(clause.marks) if mark.kind == "negation")
    word, after = clause.marks[at].word, clause.marks[at + 1 :]
    undone = [m.value for m in after if m.kind in ("process", "shape") and m.form != "base"]
    if word == "not" and undone:
        return [replace(bare, kind="uncut", process=undone[0])]
    foods = [ref_of(mark) for mark in after if mark.kind in ("food", "kind")]
    doing = {mark.kind for mark in clause.marks} & {"process", "cook", "cut", "place", "move"}
    if foods and word not in WORDS["bare"]:
        far = after.index(next(m for m in after if m.kind in ("food", "kind"))) > 2
        return [] if doing else [replace(bare, kind="name" if far else "drop", foods=foods)]
    dropped = replace(bare, kind="drop").with_cues("focus")
    return [dropped] if word in WORDS["rejecting"] else []
