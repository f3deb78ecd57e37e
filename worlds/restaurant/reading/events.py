"""A clause to events: what it says is done to which foods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, NamedTuple

from worlds.restaurant.reading.frames import Frame, frames_of, ref_of
from worlds.restaurant.reading.values import (
    HEAT,
    MIXING,
    NOUNS,
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
_STIRRING = ("stir", "toss", "turn", "fold", "swirl", "crush")


class _Row(NamedTuple):
    """A row of the decision table: the first whose facts a frame has says what it tells."""

    needs: str
    lacks: str
    kind: EventKind | None
    process: Literal["", "verb", "place", "shape", "prep", "heating", "cook"] = ""
    """Where its process is from."""
    cues: str = ""


_TABLE = [
    _Row("cut finite", "named shape", None),
    _Row("cut", "", "work", "shape"),
    _Row("shape", "verb", "work", "shape"),
    _Row("shape move", "heat plate", "work", "shape"),
    _Row("prep", "", "work", "prep"),
    _Row("mixing heat stir", "", "heat", "place"),
    _Row("mixing", "", "work", "verb"),
    _Row("heating", "", "heat", "heating"),
    _Row("machine move", "", "work", "place"),
    _Row("machine", "verb", "work", "place"),
    _Row("heat named only-for", "verb same", "name"),
    _Row("heat plate =serve", "", "serve"),
    _Row("heat =add", "", "heat", "place", "add"),
    _Row("heat", "", "heat", "place"),
    _Row("cook span", "", "heat", "cook"),
    _Row("cook level", "", "heat", "cook"),
    _Row("cook", "named", None),
    _Row("coating move", "", "join", "", "coat"),
    _Row("giving foods company", "", "add"),
    _Row("=be foods on-company", "", "join", "", "build"),
    _Row("=coat", "", "join", "", "coat"),
    _Row("=strew plate", "", "serve"),
    _Row("=build", "", "join", "", "build"),
    _Row("=strew", "", "join", "", "strew"),
    _Row("move bowl with-company", "", "add"),
    _Row("=serve", "", "serve"),
    _Row("move plate", "", "serve"),
    _Row("=add on", "", "join", "", "strew"),
    _Row("=add", "", "add"),
    _Row("=put in", "company", "add"),
    _Row("=put dish foods", "", "join", "", "build"),
    _Row("=put in-coat", "", "join", "", "coat"),
    _Row("=put last", "", "add"),
    _Row("=put foods in-company", "", "add"),
    _Row("=put foods on-company", "", "join", "", "build"),
    _Row("move", "", "name"),
    _Row("plate", "", "serve"),
    _Row("vessel", "named verb", "join", "", "build"),
    _Row("dish foods", "", "join", "", "build"),
    _Row("last named", "", "add"),
    _Row("foods on-company", "place", "join", "", "build"),
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
    foods = [ref_of(mark) for mark in clause.marks if mark.kind == "food"]
    if clause.mode == "remark":
        return [_event(clause, "name", {"aside"}, foods=foods)] if foods else []
    if clause.mode == "denied":
        return _denied(clause)
    if clause.mode == "asked":
        return _asked(clause)
    attributes, frames = frames_of(clause)
    base = {"earlier", "attribute"} | ({"while"} if clause.mode == "while" else set())
    events = [
        _event(clause, "work", base, attribute.process, foods=[attribute.food])
        for attribute in attributes if attribute.process not in HEAT
    ]  # fmt: skip
    return events + [event for frame in frames for event in _of_frame(clause, frame)]


def shared(events: Sequence[Event]) -> list[Event]:
    """Give a verb the food of the verb it is joined with: `peel and chop an onion`."""
    out = list(events)
    for at, (event, after) in enumerate(pairwise(events)):
        working = event.kind in ("work", "heat") and after.kind in ("work", "heat")
        joined = "base" in event.cues and {"base", "and"} <= after.cues
        bare = not event.foods and event.span is None and event.sentence == after.sentence
        if working and joined and bare and any(r.kind in ("food", "kind") for r in after.foods):
            out[at] = replace(event, foods=after.foods)
    return out


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
        clause, row.kind, cues, _process(frame, row.process), span=frame.span, level=frame.level,
        foods=[ref for ref in foods if row.cues != "coat" or ref.value not in _COATINGS],
        others=() if naming else parts.company,
    )  # fmt: skip
    return [*out, event]


def _process(frame: Frame, source: str) -> str:
    value = frame.verb.value if frame.verb else ""
    match source:
        case "shape":
            return frame.shape or "cut"
        case "prep":
            return frame.shape if frame.shape and value in ("chop", "slice") else value
        case "heating":
            return frame.place if frame.place in HEAT and value in ("fry", "boil") else value
        case "place":
            return frame.place
    return value if source else ""


def _plain(refs: Sequence[Ref], *, listed: bool) -> Sequence[Ref]:
    """Without pronouns, where anything else is named: `that plus mayo` is listed with it."""
    others = [ref for ref in refs if ref.kind != "pronoun"]
    if listed or all(ref.role == "with" for ref in others):
        return [ref for ref in refs if ref in others or not ref.role] if others else refs
    return others


def _parts(frame: Frame) -> _Parts:
    """Which foods a frame is about, by what stands before them."""
    verb, named = frame.verb, frame.named
    foods = [r for r in named if not r.role or (r.kind != "pronoun" and r.role in _ATTACHED)]
    company = [r for r in named if r not in foods and r.role not in _BESIDE]
    if verb is not None and verb.word.endswith(" in") and frame.before and frame.after:
        company += [ref for ref in frame.after if ref in foods]
        foods = [ref for ref in foods if ref in frame.before]
    elif verb is not None and verb.value == "add":
        foods += [ref for ref in company if ref.role == "in"]
        company = [ref for ref in company if ref.role != "in"]
    given = [r for r in frame.after if r.kind == "pronoun" and not r.role]
    if verb is not None and verb.value == "be" and given and len(frame.after) > len(given):
        company += given  # give them the butter
        foods = [ref for ref in foods if ref not in given]
    named = [ref for ref in named if ref in foods or ref in company]
    if verb is not None and verb.form not in ("past", "finite") and frame.after:
        direct = [ref for ref in frame.after if ref in foods]
        subjects = [ref for ref in frame.before if ref in foods and ref.kind != "pronoun"]
        if subjects and direct and all(ref.kind == "pronoun" for ref in direct):
            company, direct = [*company, *direct], []
        foods = direct or subjects or [ref for ref in frame.before if ref in foods]
    foods = [ref for ref in foods if ref.kind != "pronoun"] or foods
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


def _asked(clause: Clause) -> list[Event]:
    """What a question is about, where it is not told."""
    refs: list[Ref] = []
    role = ""
    for mark in clause.marks:
        if mark.kind == "preposition" or mark.word.endswith("with"):
            role = mark.value or "with"
        if mark.kind in ("food", "kind", "mixture"):
            refs.append(ref_of(mark, role))
    return [_event(clause, "name", {"asked"}, foods=refs)] if refs else []


def _denied(clause: Clause) -> list[Event]:
    """What is told not to be done: foods after `no` or `without` are not in the dish."""
    at = next(i for i, mark in enumerate(clause.marks) if mark.kind == "negation")
    before, after = clause.marks[:at], clause.marks[at + 1 :]
    word = clause.marks[at].word
    named = [ref_of(mark) for mark in before if mark.kind in NOUNS]
    foods = [ref_of(mark) for mark in after if mark.kind in ("food", "kind", "pronoun")]
    if word in ("nothing", "nobody", "neither", "never", "don't", "cannot"):
        foods = []
    undone = next((m for m in after if m.kind in ("process", "shape") and m.form != "base"), None)
    if word == "not" and undone is not None and not foods and not named:
        return [_event(clause, "uncut", (), undone.value)]
    out = [_event(clause, "name", {"asked"}, foods=named)] if named else []
    doing = any(mark.kind in ("process", "cook", "cut") for mark in clause.marks) or any(
        mark.kind in ("place", "move") for mark in after
    )
    between = next((i for i, mark in enumerate(after) if mark.kind in ("food", "kind")), 0)
    if any(ref.kind != "pronoun" for ref in foods):
        if between > 2 and not doing:
            return [*out, _event(clause, "name", (), foods=foods)]
        return out if doing else [*out, _event(clause, "drop", (), foods=foods)]
    rejecting = word in ("nah", "skip", "none", "leave out", "omit")
    if rejecting and not named and len(clause.marks) <= 4:
        out.append(_event(clause, "drop", {"focus"}))
    return out
