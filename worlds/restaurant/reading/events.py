"""A clause to events: what it says is done to which foods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from worlds.restaurant.reading.frames import Frame, frames_of, ref_of
from worlds.restaurant.reading.values import (
    HEAT,
    MIXING,
    PREP,
    Clause,
    Event,
    EventKind,
    Ref,
    Span,
)

_BESIDE = frozenset({"of", "for", "at", "by", "from", "against", "under", "beside"})
_ATTACHED = frozenset({"of", "for", "at", "off"})
_ON = frozenset({"on", "over", "between", "onto", "upon"})
_COATS = frozenset({"batter", "coat", "coating", "liquid", "custard", "breadcrumbs", "crumb"})
_COATINGS = frozenset({"coat", "coating"})
_BARE = frozenset({"nothing", "nobody", "neither", "never", "don't", "cannot"})
_REJECTING = frozenset({"nah", "skip", "none", "leave out", "omit"})
_PLACED = HEAT - {"fry", "boil"}
_WORKED = MIXING | PREP - {"chop", "slice"}
_STIRRING = ("stir", "toss", "turn", "fold", "swirl", "crush")


class _Row(NamedTuple):
    """A row of the decision table: the first whose facts a frame has says what it tells."""

    needs: str
    lacks: str
    kind: EventKind | None
    cues: str = ""


_TABLE = [
    _Row("cut finite", "named shape", None),
    _Row("cut", "", "work"),
    _Row("shape", "verb", "work"),
    _Row("shape move", "heat plate", "work"),
    _Row("prep", "", "work"),
    _Row("mixing heat stir", "", "heat"),
    _Row("mixing", "", "work"),
    _Row("heating", "", "heat"),
    _Row("machine move", "", "work"),
    _Row("machine", "verb", "work"),
    _Row("heat named only-for", "verb same", "name"),
    _Row("heat plate =serve", "", "serve"),
    _Row("heat =add", "", "heat", "add"),
    _Row("heat", "", "heat"),
    _Row("cook span", "", "heat"),
    _Row("cook level", "", "heat"),
    _Row("cook", "named", None),
    _Row("coating move", "", "join", "coat"),
    _Row("giving foods company", "", "add"),
    _Row("=be foods on-company", "", "join", "build"),
    _Row("=coat", "", "join", "coat"),
    _Row("=strew plate", "", "serve"),
    _Row("=build", "", "join", "build"),
    _Row("=strew", "", "join", "strew"),
    _Row("move bowl with-company", "", "add"),
    _Row("=serve", "", "serve"),
    _Row("move plate", "", "serve"),
    _Row("=add on", "", "join", "strew"),
    _Row("=add", "", "add"),
    _Row("=put in", "company", "add"),
    _Row("=put dish foods", "", "join", "build"),
    _Row("=put in-coat", "", "join", "coat"),
    _Row("=put last", "", "add"),
    _Row("=put foods in-company", "", "add"),
    _Row("=put foods on-company", "", "join", "build"),
    _Row("move", "", "name"),
    _Row("plate", "", "serve"),
    _Row("vessel", "named verb", "join", "build"),
    _Row("dish foods", "", "join", "build"),
    _Row("last named", "", "add"),
    _Row("foods on-company", "place", "join", "build"),
    _Row("same foods", "", "add"),
    _Row("in foods", "", "add"),
    _Row("named", "", "name"),
    _Row("uncut", "", "uncut"),
    _Row("", "", "time"),
]
_RULES = [(frozenset(row.needs.split()), frozenset(row.lacks.split()), row) for row in _TABLE]


class _Parts(NamedTuple):
    """The foods of a frame: what it is about, what it is joined with, and all of them."""

    foods: Sequence[Ref]
    company: Sequence[Ref]
    named: Sequence[Ref]


def events_of(clause: Clause) -> list[Event]:
    """What a clause tells, in order."""
    if clause.mode in ("remark", "asked"):
        cue, kinds = ("asked", {"food", "kind"}) if clause.mode == "asked" else ("aside", {"food"})
        foods = [ref_of(mark) for mark in clause.marks if mark.kind in kinds]
        return [_event(clause, "name", {cue}, foods=foods)] if foods else []
    if clause.mode == "denied":
        return _denied(clause)
    attributes, frames = frames_of(clause)
    cues = {"earlier", "attribute"}
    events = [
        _event(clause, "work", cues, attribute.process, foods=[attribute.food])
        for attribute in attributes if attribute.process not in HEAT
    ]  # fmt: skip
    return events + [event for frame in frames for event in _of_frame(clause, frame)]


def _event(
    clause: Clause, kind: EventKind, cues: Iterable[str], process: str = "", *,
    foods: Sequence[Ref] = (), others: Sequence[Ref] = (), span: Span | None = None,
    level: str = "",
) -> Event:  # fmt: skip
    return Event(
        kind=kind, words=clause.words, sentence=clause.sentence, cues=frozenset(cues),
        process=process, foods=tuple(foods), others=tuple(others), span=span, level=level,
        speaker=clause.speaker, step=clause.step,
    )  # fmt: skip


def _of_frame(clause: Clause, frame: Frame) -> list[Event]:
    """The events of one predicate and what stands around it, by the table."""
    parts, verb = _parts(frame), frame.verb
    out: list[Event] = []
    for ref in parts.named if verb else ():
        if ref.kind == "mixture" and ref.role == "for":
            out.append(_event(clause, "name", {"make"}, foods=[ref]))
            parts = _Parts(*([r for r in refs if r is not ref] for refs in parts))
    facts = _facts(frame, parts)
    row = next(row for needs, lacks, row in _RULES if needs <= facts and not lacks & facts)
    cues = {*frame.cues, *row.cues.split()} | ({"stir"} & facts)
    cues |= {verb.form} if verb else set()
    cues |= {"and"} if clause.opened in ("and", "n", "plus", "&", "+") else set()
    naming = row.kind in ("name", "serve")
    foods = _plain(parts.named, listed=verb is None) if naming else parts.foods
    told = parts.named or frame.span or frame.level or cues
    if row.kind is None or (row.kind == "time" and not told):
        return out
    event = _event(
        clause, row.kind, cues, _process(row.kind, frame), span=frame.span, level=frame.level,
        foods=[ref for ref in foods if row.cues != "coat" or ref.value not in _COATINGS],
        others=() if naming else parts.company,
    )  # fmt: skip
    return [*out, event]


def _process(kind: EventKind, frame: Frame) -> str:
    """Which process it is: where something cooks, or what it is cut into, says more than a verb."""
    value = frame.verb.value if frame.verb else ""
    if kind == "heat":
        return frame.place if frame.place in HEAT and value not in _PLACED else value
    if kind != "work" or value in _WORKED:
        return value
    return frame.shape or (value if value in PREP else frame.place or "cut")


def _plain(refs: Sequence[Ref], *, listed: bool) -> Sequence[Ref]:
    """Without pronouns, where anything else is named: `that plus mayo` is listed with it."""
    others = [ref for ref in refs if ref.kind != "pronoun"]
    if listed or all(ref.role == "with" for ref in others):
        return [ref for ref in refs if ref in others or not ref.role] if others else refs
    return others


def _parts(frame: Frame) -> _Parts:
    """Which foods a frame is about, by what stands before them."""
    verb = frame.verb
    foods = [r for r in frame.refs if not r.role or (r.kind != "pronoun" and r.role in _ATTACHED)]
    company = [r for r in frame.refs if r not in foods and r.role not in _BESIDE]
    if verb is not None and verb.value == "add":
        foods += [ref for ref in company if ref.role == "in"]
        company = [ref for ref in company if ref.role != "in"]
    named = [ref for ref in frame.refs if ref in foods or ref in company]
    things = [ref for ref in foods if ref.kind != "pronoun"]
    if verb is not None and verb.value == "be" and things:
        company += [ref for ref in foods if ref not in things]  # give them the butter
    foods = things or foods
    return _Parts(foods, company, named)


def _facts(frame: Frame, parts: _Parts) -> set[str]:
    """What the table may ask of a frame."""
    verb, cues = frame.verb, frame.cues
    process = verb is not None and verb.kind == "process"
    value = verb.value if verb else ""
    heat = frame.place in HEAT and ("cold" not in cues or process)
    roles = {ref.role for ref in parts.company}
    coats = [r for r in parts.company if r.value in _COATS and r.role in ("in", "into", "through")]
    tests = {
        "heat": heat,
        "machine": bool(frame.place) and frame.place not in HEAT,
        "place": bool(frame.place),
        "prep": process and value in PREP,
        "mixing": process and value in MIXING,
        "heating": process and value in HEAT,
        "stir": verb is not None and verb.word.startswith(_STIRRING),
        "shape": bool(frame.shape),
        "plate": frame.plate,
        "span": frame.span is not None,
        "level": bool(frame.level),
        "last": frame.span is not None and frame.span.extent == "last",
        "foods": bool(parts.foods),
        "company": bool(parts.company),
        "named": bool(parts.named),
        "only-for": all(ref.role == "for" for ref in parts.named),
        "on-company": bool(roles & _ON),
        "in-company": bool(roles & {"in", "into", "to"}),
        "with-company": "with" in roles,
        "giving": verb is not None and verb.word.startswith(("give", "gave", "giving")),
        "in-coat": bool(coats),
        "coating": any(
            r.kind == "mixture" and r.value in _COATINGS and not r.role for r in parts.named
        ),
    }  # fmt: skip
    facts = cues | {name for name, holds in tests.items() if holds}
    return facts | ({"verb", verb.kind, verb.form, f"={value}"} if verb else set())


def _denied(clause: Clause) -> list[Event]:
    """What is told not to be done: foods after `no` or `without` are not in the dish."""
    at = next(i for i, mark in enumerate(clause.marks) if mark.kind == "negation")
    word, after = clause.marks[at].word, clause.marks[at + 1 :]
    undone = [m.value for m in after if m.kind in ("process", "shape") and m.form != "base"]
    if word == "not" and undone:
        return [_event(clause, "drop", (), undone[0])]
    foods = [ref_of(mark) for mark in after if mark.kind in ("food", "kind")]
    doing = {mark.kind for mark in clause.marks} & {"process", "cook", "cut", "place", "move"}
    if foods and word not in _BARE:
        far = after.index(next(m for m in after if m.kind in ("food", "kind"))) > 2
        return [] if doing else [_event(clause, "name" if far else "drop", (), foods=foods)]
    return [_event(clause, "drop", {"focus"})] if word in _REJECTING else []
