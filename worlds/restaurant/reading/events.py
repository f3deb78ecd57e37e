"""A clause to events: what it says is done to which foods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict, cast

from worlds.restaurant.reading.clauses import attributive
from worlds.restaurant.reading.values import Clause, Event, EventKind, Mark, Ref, RefKind, Span

PREP = frozenset({"chop", "slice", "peel", "grate"})
MIXING = frozenset({"mix", "blend", "knead"})
HEAT = frozenset({"grill", "fry", "deep-fry", "boil", "bake"})
_NOUNS = frozenset({"food", "kind", "mixture", "whole", "pronoun"})
_COMPANY = frozenset(
    [
        "with",
        "into",
        "to",
        "in",
        "through",
        "among",
        "under",
        "inside",
        "onto",
        "on",
        "over",
        "between",
        "around",
        "from",
        "of",
    ]
)
_FLAGS = ("earlier", "afterwards", "same", "own", "together", "likewise", "uncut", "yes", "no")


class _Timed(TypedDict):
    """The time and level of a clause."""

    span: Span | None
    level: str


_UNTIMED: _Timed = {"span": None, "level": ""}


@dataclass(slots=True)
class _Frame:
    """What is gathered of a clause around one predicate."""

    verb: Mark | None = None
    before: list[Ref] = field(default_factory=list)
    after: list[Ref] = field(default_factory=list)
    place: Mark | None = None
    plate: bool = False
    dish: bool = False
    shape: Mark | None = None
    span: Span | None = None
    level: str = ""
    flags: set[str] = field(default_factory=set)


def events_of(clause: Clause) -> list[Event]:
    """What a clause tells, in order."""
    if clause.mode == "remark":
        foods = tuple(
            Ref(kind="food", value=m.value, words=m.words) for m in clause.marks if m.kind == "food"
        )
        return [_event(clause, "name", {"aside"}, foods=foods)] if foods else []
    if clause.mode == "denied":
        return _denied(clause)
    if clause.mode == "asked":
        return _asked(clause)
    out: list[Event] = []
    frame = _Frame()
    role = ""
    marks = clause.marks
    base = {"while"} if clause.mode == "while" else set()
    foods_named = [m for m in clause.marks if m.kind in ("food", "kind")]
    if (
        base
        and clause.marks[0].kind == "before"
        and len(foods_named) == 2
        and not any(m.kind in ("process", "move", "place", "cook") for m in clause.marks)
    ):
        last = foods_named[-1]
        ref = Ref(kind=ref_kind(last), value=last.value, words=last.words)
        return [_event(clause, "name", set(), foods=(ref,))]
    if clause.step:
        base.add("at " + clause.step)
    if clause.speaker:
        base.add("by " + clause.speaker)
    if clause.earlier:
        base.add("earlier")
    frame.flags |= base
    for at, mark in enumerate(marks):
        following = marks[at + 1] if at + 1 < len(marks) else None
        if mark.kind == "shape" and at and marks[at - 1].kind == "food" and not frame.place:
            food = marks[at - 1]
            ref = Ref(kind="food", value=food.value, words=food.words)
            out.append(
                _event(
                    clause,
                    "work",
                    base | {"attribute", "earlier"},
                    process=mark.value,
                    foods=(ref,),
                )
            )
            continue
        if mark.kind in ("food", "kind") and following is not None and following.kind == "mixture":
            continue
        if mark.kind == "mixture" and following is not None and following.kind == "place":
            continue
        if mark.kind == "mixture" and at and marks[at - 1].kind in ("food", "kind"):
            first = marks[at - 1]
            ref = (
                Ref(kind="kind", value=first.value, words=mark.words, role=role, word="whole")
                if first.kind == "kind"
                else Ref(
                    kind="mixture", value=f"{first.value} {mark.value}", words=mark.words, role=role
                )
            )
            (frame.after if frame.verb is not None else frame.before).append(ref)
            continue
        if mark.word.startswith("wedge") and _names(marks, at + 1):
            food = marks[_names(marks, at + 1)]
            ref = Ref(kind="food", value=food.value, words=food.words)
            out.append(
                _event(
                    clause, "work", base | {"attribute", "earlier"}, process="slice", foods=(ref,)
                )
            )
            continue
        if mark.kind in _NOUNS or (mark.kind == "shape" and _refers(marks, at, frame)):
            hint = any(
                m.word.startswith("slice") and m.kind in ("part", "shape") for m in marks[:at]
            )
            ref = Ref(
                kind=ref_kind(mark), value=mark.value, words=mark.words, role=role,
                word="slice" if hint and mark.kind == "food" else mark.word,
            )  # fmt: skip
            (frame.after if frame.verb is not None else frame.before).append(ref)
            if mark.kind == "pronoun":
                role = ""
        elif mark.kind == "preposition":
            if mark.value == "of" and at and marks[at - 1].kind == "part":
                continue
            role = mark.value
            if role == "in" and (following is None or following.kind in ("process", "move", "and")):
                frame.flags.add("in")
                role = ""
            if role == "on" and following is None:
                frame.flags.add("on")
        elif mark.kind in ("process", "cut", "cook", "move"):
            if (
                mark.kind == "move"
                and mark.form == "past"
                and attributive(marks, at)
                and following is not None
                and (following.kind in _NOUNS)
            ):
                continue
            if (
                mark.kind == "process"
                and mark.form == "past"
                and following is not None
                and (following.kind in ("food", "kind") and attributive(marks, at))
            ):
                ref = Ref(kind=ref_kind(following), value=following.value, words=following.words)
                out.append(
                    _event(
                        clause,
                        "work" if mark.value not in HEAT else "heat",
                        base | {"earlier", "attribute"},
                        process=mark.value,
                        foods=(ref,),
                    )
                )
                continue
            if (
                mark.form == "ing"
                and at
                and marks[at - 1].kind == "preposition"
                and frame.verb is not None
            ):
                frame.verb = mark
                continue
            if frame.verb is not None and not (
                frame.verb.kind == "move" and not frame.after and not frame.place
            ):
                out += _of_frame(clause, frame)
                frame = _Frame(flags=set(base))
            elif frame.verb is not None:
                frame.before += frame.after
                frame.after = []
            frame.verb = mark
            role = ""
        elif mark.kind == "place":
            if mark.value == "plate":
                frame.plate = True
                if "bowl" in mark.word:
                    frame.flags.add("bowl")
                if mark.word.endswith(("next to", "beside")):
                    role = "beside"
                    continue
            elif mark.value == "dish":
                frame.dish = True
                if role == "into" or mark.word.startswith("into"):
                    frame.flags.add("vessel")
            elif mark.value in HEAT | {"blend", "grate"}:
                if frame.place is not None and frame.place.value != mark.value:
                    out += _of_frame(clause, frame)
                    frame = _Frame(flags=set(base))
                frame.place = mark
                if role in ("from", "off"):
                    frame.place = None
                    frame.flags.add("from " + mark.value)
                role = ""
        elif mark.kind == "shape" and _shapes(marks, at):
            frame.shape = mark
        elif mark.kind == "time":
            assert mark.span is not None
            if frame.span is None or mark.span.extent != "plain":
                frame.span = mark.span
            role = ""
        elif mark.kind == "level":
            frame.level = mark.value
        elif mark.kind == "step":
            if role == "to" and frame.verb is None and not frame.before:
                out.append(_event(clause, "time", {"jump " + mark.value, "no"}))
                role = ""
        elif mark.kind in _FLAGS:
            frame.flags.add(mark.kind)
            if mark.kind == "uncut" and ("skin" in mark.word or mark.word == "unpeeled"):
                frame.flags.add("skin")
            if mark.word.endswith("with"):
                role = "with"
            if mark.kind == "own" and "place" in mark.word:
                frame.flags.add("own")
            place = _place_in(mark)
            if place and frame.place is None:
                frame.place = mark.__class__(
                    kind="place", word=mark.word, words=mark.words, value=place
                )
        elif mark.kind == "word" and mark.word in ("last", "final"):
            frame.flags.add("last")
        elif mark.kind == "word" and mark.word == "instead":
            frame.flags.add("instead")
        elif mark.kind == "word" and mark.word in ("cold", "raw", "uncooked"):
            frame.flags.add("cold")
        elif mark.kind == "word" and mark.word in ("top", "over"):
            role = "on"
    out += _of_frame(clause, frame)
    return out


def ref_kind(mark: Mark) -> RefKind:
    """What a mark that stands for foods refers to them as."""
    return cast("RefKind", mark.kind)


def shared(events: Sequence[Event]) -> list[Event]:
    """Give a verb the food of the verb it is joined with: `peel and chop an onion`."""
    out = list(events)
    for at in range(len(out) - 1):
        event, after = out[at], out[at + 1]
        if (
            event.kind in ("work", "heat") and not event.foods and event.span is None
            and "base" in event.flags and {"base", "and"} <= after.flags
            and after.kind in ("work", "heat") and event.sentence == after.sentence
            and any(ref.kind in ("food", "kind") for ref in after.foods)
        ):  # fmt: skip
            out[at] = replace(event, foods=after.foods)
    return out


def _refers(marks: Sequence[Mark], at: int, frame: _Frame) -> bool:
    """Whether a shape stands for the food of that shape: `the rounds are boiled`."""
    before = marks[at - 1] if at else None
    if before is not None and before.kind == "preposition" and before.value in ("in", "into"):
        return False
    if frame.verb is not None and frame.verb.kind == "cut":
        return False
    later = [m for m in marks[at + 1 :] if m.kind in ("process", "place", "move")]
    foods = any(m.kind in ("food", "kind") for m in marks[:at]) or (
        at + 1 < len(marks) and marks[at + 1].kind in ("food", "kind")
    )
    word = before is not None and before.kind == "word" and before.word == "the"
    if (
        frame.verb is not None
        and word
        and not any(m.kind in ("food", "kind", "pronoun") for m in marks)
    ):
        return True
    return bool(later) and word and not foods


def _names(marks: Sequence[Mark], at: int) -> int:
    """Where a food is named right after `of`; 0 where none is."""
    if at < len(marks) and marks[at].kind == "preposition" and marks[at].value == "of":
        for index in range(at + 1, min(at + 4, len(marks))):
            if marks[index].kind == "food":
                return index
    return 0


def _shapes(marks: Sequence[Mark], at: int) -> bool:
    """Whether a shape says what food is cut into."""
    if at and marks[at - 1].word in ("his", "her", "your", "my", "their"):
        return False
    for back in range(at - 1, max(-1, at - 4), -1):
        if marks[back].kind == "preposition" and marks[back].value in ("in", "into"):
            return True
        if marks[back].kind not in ("word", "level", "and", "sign", "pronoun"):
            break
    return len(marks) <= 4 and all(
        m.kind in ("food", "kind", "shape", "word", "part", "afterwards", "same") for m in marks
    )


def _place_in(mark: Mark) -> str:
    for word, place in (
        ("pot", "boil"),
        ("pan", "fry"),
        ("fryer", "deep-fry"),
        ("tin", "bake"),
        ("tray", "bake"),
    ):
        if word in mark.word.split():
            return place
    return ""


def _event(
    clause: Clause,
    kind: EventKind,
    flags: set[str],
    *,
    process: str = "",
    foods: tuple[Ref, ...] = (),
    others: tuple[Ref, ...] = (),
    span: Span | None = None,
    level: str = "",
) -> Event:
    return Event(
        kind=kind,
        words=clause.words,
        sentence=clause.sentence,
        flags=frozenset(flags),
        process=process,
        foods=foods,
        others=others,
        span=span,
        level=level,
    )


def _of_frame(clause: Clause, frame: _Frame) -> list[Event]:
    """The events of one predicate and what stands around it."""
    out: list[Event] = []
    verb = frame.verb
    named = [*frame.before, *frame.after]
    plain = [
        ref
        for ref in named
        if not ref.role or (ref.kind != "pronoun" and ref.role in ("of", "for", "at", "off"))
    ]
    company = [
        ref
        for ref in named
        if ref not in plain
        and ref.role not in ("of", "for", "at", "by", "from", "against", "under", "beside")
    ]
    if verb is not None and verb.word.endswith(" in") and frame.before and frame.after:
        company = [*company, *(ref for ref in frame.after if ref in plain)]
        plain = [ref for ref in plain if ref in frame.before]
    elif verb is not None and verb.value == "add":
        plain += [ref for ref in company if ref.role in ("in", "")]
        company = [ref for ref in company if ref not in plain]
    named = [ref for ref in named if ref in plain or ref in company]
    if clause.opened in ("and", "n", "plus", "&", "+"):
        frame.flags.add("and")
    value = verb.value if verb is not None else ""
    heat = frame.place.value if frame.place is not None and frame.place.value in HEAT else ""
    if "cold" in frame.flags and (verb is None or verb.kind != "process"):
        heat = ""
    flags = frame.flags
    if verb is not None:
        for ref in named:
            if ref.kind == "mixture" and ref.role == "for":
                out.append(_event(clause, "name", {"make"}, foods=(ref,)))
                plain = [r for r in plain if r is not ref]
        named = [ref for ref in named if ref.kind != "mixture" or ref.role != "for"]
    more: _Timed = {"span": frame.span, "level": frame.level}
    passive = verb is not None and verb.form in ("past", "finite")
    if verb is not None and not passive and frame.after:
        direct = [ref for ref in frame.after if ref in plain]
        subjects = [ref for ref in frame.before if ref in plain and ref.kind != "pronoun"]
        if subjects and direct and all(ref.kind == "pronoun" for ref in direct):
            company, direct = [*company, *direct], []
        foods = direct or subjects or [ref for ref in frame.before if ref in plain]
    else:
        foods = plain
    if any(ref.kind != "pronoun" for ref in foods):
        foods = [ref for ref in foods if ref.kind != "pronoun"]
    if (
        (verb is not None and verb.kind == "cut")
        or (verb is None and frame.shape is not None)
        or (
            verb is not None
            and verb.kind == "move"
            and frame.shape is not None
            and not heat
            and not frame.plate
        )
    ):
        value = frame.shape.value if frame.shape is not None else "cut"
        if verb is not None and verb.form == "finite" and not named and frame.shape is None:
            return out
        out.append(
            _event(
                clause,
                "work",
                flags | _form(verb),
                process=value,
                foods=tuple(foods),
                others=(),
                **(_UNTIMED if heat else more),
            )
        )
        if heat:
            out.append(_event(clause, "heat", flags, process=heat, foods=(), others=(), **more))
        return out
    if verb is not None and verb.kind == "process":
        if value in PREP:
            process = (
                frame.shape.value
                if frame.shape is not None and value in ("chop", "slice")
                else value
            )
            out.append(
                _event(
                    clause,
                    "work",
                    flags | _form(verb),
                    process=process,
                    foods=tuple(foods),
                    **(_UNTIMED if heat else more),
                )
            )
            if heat:
                out.append(
                    _event(clause, "heat", flags, process=heat, others=tuple(company), **more)
                )
            return out
        if value in MIXING and heat and "stir" in _form(verb):
            return [
                *out,
                _event(
                    clause,
                    "heat",
                    flags,
                    process=heat,
                    foods=tuple(foods),
                    others=tuple(company),
                    **more,
                ),
            ]
        if value in MIXING:
            return [
                *out,
                _event(
                    clause,
                    "work",
                    flags | _form(verb),
                    process=value,
                    foods=tuple(foods),
                    others=tuple(company),
                    **more,
                ),
            ]
        if frame.shape is not None:
            out.append(
                _event(
                    clause, "work", flags | {"past"}, process=frame.shape.value, foods=tuple(foods)
                )
            )
        process = value
        if heat and heat != value and value in ("fry", "boil"):
            process = heat
        out.append(
            _event(
                clause,
                "heat",
                flags | _form(verb),
                process=process,
                foods=tuple(foods),
                others=tuple(company),
                **more,
            )
        )
        return out
    if (
        frame.place is not None
        and frame.place.value in ("blend", "grate")
        and (verb is None or verb.kind == "move")
    ):
        return [
            *out,
            _event(
                clause,
                "work",
                flags,
                process=frame.place.value,
                foods=tuple(foods),
                others=tuple(company),
                **more,
            ),
        ]
    if (
        heat
        and verb is None
        and named
        and "same" not in flags
        and all(ref.role == "for" for ref in named)
    ):
        return [*out, _event(clause, "name", flags, foods=tuple(named))]
    if heat and not (frame.plate and verb is not None and value == "serve"):
        if frame.shape is not None:
            out.append(
                _event(
                    clause, "work", flags | {"past"}, process=frame.shape.value, foods=tuple(foods)
                )
            )
        out.append(
            _event(
                clause,
                "heat",
                flags | ({"add"} if value == "add" else set()) | _form(verb),
                process=heat,
                foods=tuple(foods),
                others=tuple(company),
                **more,
            )
        )
        return out
    if verb is not None and verb.kind == "cook":
        if frame.span or frame.level:
            return [
                *out,
                _event(
                    clause,
                    "heat",
                    flags,
                    process="cook",
                    foods=tuple(foods),
                    others=tuple(company),
                    **more,
                ),
            ]
        return [*out, _event(clause, "name", flags, foods=tuple(named), **more)] if named else []
    coats = [
        r for r in named if r.kind == "mixture" and r.value in ("coat", "coating") and not r.role
    ]
    if coats and verb is not None and value in ("be", "put", "serve"):
        coated = tuple(r for r in named if r not in coats)
        return [*out, _event(clause, "join", flags | {"coat"}, foods=coated, **more)]
    if verb is not None and verb.kind == "move":
        if (
            value == "be"
            and company
            and foods
            and {r.role for r in company} & {"on", "over", "between", "onto"}
        ):
            return [
                *out,
                _event(
                    clause,
                    "join",
                    flags | {"build"},
                    foods=tuple(foods),
                    others=tuple(company),
                    **more,
                ),
            ]
        if value == "coat":
            return [
                *out,
                _event(
                    clause,
                    "join",
                    flags | {"coat"},
                    foods=tuple(foods),
                    others=tuple(company),
                    **more,
                ),
            ]
        if value in ("build", "strew"):
            kind: EventKind = "join" if not frame.plate else "serve"
            return [
                *out,
                _event(
                    clause,
                    kind,
                    flags | {value} | ({"dish"} if frame.dish else set()),
                    foods=tuple(foods),
                    others=tuple(company),
                    **more,
                ),
            ]
        if "bowl" in flags and value == "put" and any(r.role == "with" for r in company):
            return [
                *out,
                _event(clause, "add", flags, foods=tuple(foods), others=tuple(company), **more),
            ]
        if value == "serve" or frame.plate:
            return [*out, _event(clause, "serve", flags, foods=tuple(named), **more)]
        if value == "add" and "on" in flags:
            return [
                *out,
                _event(
                    clause,
                    "join",
                    flags | {"strew"},
                    foods=tuple(foods),
                    others=tuple(company),
                    **more,
                ),
            ]
        if value == "add":
            return [
                *out,
                _event(clause, "add", flags, foods=tuple(foods), others=tuple(company), **more),
            ]
        if value == "put":
            if "in" in flags and not company:
                return [*out, _event(clause, "add", flags, foods=tuple(foods), **more)]
            if frame.dish and foods:
                return [
                    *out,
                    _event(
                        clause,
                        "join",
                        flags | {"build", "dish"},
                        foods=tuple(foods),
                        others=tuple(company),
                        **more,
                    ),
                ]
            if (
                not plain
                and company
                and not frame.place
                and all(ref.role == "in" for ref in company)
            ):
                return [*out, _event(clause, "add", flags, foods=tuple(company), **more)]
            if any(
                ref.value
                in ("batter", "coat", "coating", "liquid", "custard", "breadcrumbs", "crumb")
                and ref.role in ("in", "into", "through")
                for ref in company
            ):
                return [
                    *out,
                    _event(
                        clause,
                        "join",
                        flags | {"coat"},
                        foods=tuple(foods),
                        others=tuple(company),
                        **more,
                    ),
                ]
            if (frame.span is not None and frame.span.extent == "last") or "same" in flags:
                return [
                    *out,
                    _event(clause, "add", flags, foods=tuple(foods), others=tuple(company), **more),
                ]
            if company and foods and {ref.role for ref in company} & {"in", "into", "to"}:
                return [
                    *out,
                    _event(
                        clause,
                        "add",
                        flags | {"into"},
                        foods=tuple(foods),
                        others=tuple(company),
                        **more,
                    ),
                ]
            if company and foods:
                return [
                    *out,
                    _event(
                        clause,
                        "join",
                        flags | {"build"},
                        foods=tuple(foods),
                        others=tuple(company),
                        **more,
                    ),
                ]
        if value == "make":
            return [*out, _event(clause, "name", flags | {"make"}, foods=tuple(named), **more)]
        return [*out, _event(clause, "name", flags, foods=tuple(named), **more)]
    if frame.plate:
        return [*out, _event(clause, "serve", flags, foods=tuple(named), **more)]
    if "vessel" in flags and not named and verb is None:
        return [*out, _event(clause, "join", flags | {"build", "dish"}, **more)]
    flags.discard("vessel")
    if frame.dish and foods:
        return [
            *out,
            _event(
                clause,
                "join",
                flags | {"build", "dish"},
                foods=tuple(foods),
                others=tuple(company),
                **more,
            ),
        ]
    if frame.span is not None and frame.span.extent == "last" and named:
        return [
            *out,
            _event(clause, "add", flags, foods=tuple(foods), others=tuple(company), **more),
        ]
    if named:
        if (
            frame.place is None
            and company
            and plain
            and {r.role for r in company} & {"on", "over", "between", "onto"}
        ):
            return [
                *out,
                _event(
                    clause,
                    "join",
                    flags | {"build"},
                    foods=tuple(plain),
                    others=tuple(company),
                    **more,
                ),
            ]
        if len(named) > 1 and any(r.kind not in ("pronoun",) for r in named):
            named = [r for r in named if r.kind != "pronoun"]
        adding = (flags & {"same"} or "in" in flags) and foods
        return [
            *out,
            _event(clause, "add" if adding else "name", flags, foods=tuple(named), **more),
        ]
    if "uncut" in flags:
        return [*out, _event(clause, "uncut", flags)]
    if (
        frame.span
        or frame.level
        or flags & {"likewise", "own", "same", "earlier", "afterwards", "together", "no"}
    ):
        return [*out, _event(clause, "time", flags, **more)]
    return out


def _form(verb: Mark | None) -> set[str]:
    if verb is None or not verb.form:
        return set()
    stirring = verb.word.split()[0].startswith(("stir", "toss", "turn", "fold", "swirl", "crush"))
    return {verb.form, "stir"} if stirring else {verb.form}


def _asked(clause: Clause) -> list[Event]:
    """What a question is about, where it is not told."""
    out = []
    role = ""
    for mark in clause.marks:
        if mark.kind == "preposition" or mark.word.endswith("with"):
            role = mark.value or "with"
        if mark.kind in ("food", "kind", "mixture"):
            out.append(Ref(kind=ref_kind(mark), value=mark.value, words=mark.words, role=role))
    return [_event(clause, "name", {"asked"}, foods=tuple(out))] if out else []


def _denied(clause: Clause) -> list[Event]:
    """What is told not to be done: foods after `no` or `without` are not in the dish."""
    at = next(i for i, mark in enumerate(clause.marks) if mark.kind == "negation")
    before, after = clause.marks[:at], clause.marks[at + 1 :]
    predicate = any(mark.kind in ("process", "cook", "cut") for mark in clause.marks)
    out: list[Event] = []
    foods = tuple(
        Ref(kind=ref_kind(m), value=m.value, words=m.words)
        for m in after
        if m.kind in ("food", "kind", "pronoun")
    )
    named = tuple(
        Ref(kind=ref_kind(m), value=m.value, words=m.words) for m in before if m.kind in _NOUNS
    )
    if named:
        out.append(_event(clause, "name", {"known"}, foods=named))
    if clause.marks[at].word in ("nothing", "nobody", "neither", "never", "don't", "cannot"):
        return [_event(clause, "name", {"known"}, foods=(*named, *foods))] if foods or named else []
    undone = next((m for m in after if m.kind in ("process", "shape") and m.form != "base"), None)
    if clause.marks[at].word == "not" and undone is not None and not foods and not named:
        return [_event(clause, "drop", set(), process=undone.value)]
    if (
        any(r.kind != "pronoun" for r in foods)
        and not predicate
        and clause.mode == "denied"
        and not any(m.kind in ("place", "move") for m in after)
    ):
        out.append(_event(clause, "drop", set(), foods=foods))
    elif (
        all(r.kind == "pronoun" for r in foods)
        and len(clause.marks) <= 4
        and clause.marks[at].word in ("nah", "skip", "none", "leave out", "omit")
        and not named
    ):
        out.append(_event(clause, "drop", {"focus"}))
    return out
