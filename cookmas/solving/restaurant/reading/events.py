"""Events of a clause: what is done to which foods.

A clause is split into frames, one for each predicate or attribute: a frame has its foods, place,
shape, time and level. A decision table turns each frame into an event.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from cookmas.solving.restaurant.reading.clauses import WORDS
from cookmas.solving.restaurant.reading.values import (
    HEAT,
    MIXING,
    NOUNS,
    PREP,
    VERBS,
    Clause,
    Cue,
    Event,
    EventKind,
    Mark,
    Ref,
    Span,
)

_CUES: Sequence[Cue] = (
    "earlier", "afterwards", "same", "own", "together", "likewise", "uncut", "no",
)  # fmt: skip
"""The cues that are also kinds of marks."""
_VESSELS: Mapping[str, str] = {
    "pot": "boil", "pan": "fry", "fryer": "deep-fry", "tin": "bake", "tray": "bake",
}  # fmt: skip
MACHINES = frozenset({"blend", "grate"})
_BESIDE_SHAPES = frozenset({"food", "kind", "shape", "word", "part", "afterwards", "same"})
"""If a clause has only marks of these kinds, a shape in it needs no preposition."""


@dataclass(slots=True)
class ClauseFrame:
    """The elements of a clause around one predicate."""

    verb: Mark | None = None
    """The predicate; None if the clause has none."""
    refs: list[Ref] = field(default_factory=list)
    """References to the foods."""
    place: str = ""
    """The process that the cooking place or the machine implies."""
    shape: str = ""
    """The cut that a shape implies."""
    span: Span | None = None
    """Minutes."""
    level: str = ""
    """Level of doneness."""
    cues: set[Cue] = field(default_factory=set)
    """Details of the frame, such as `earlier` or `together`."""
    jump: str = ""
    """Number of the recipe step that the text returns to."""


def ref_of(mark: Mark, role: str = "", word: str = "") -> Ref:
    """Return the reference that a mark for foods makes; `role` is the preposition before it.

    If `word` is given, it replaces the text of the mark.
    """
    return Ref(mark.kind, mark.value, mark.words, word or mark.word, role)


def frames_of(clause: Clause) -> list[ClauseFrame]:
    """Return the frames of a clause: first those of attributes, then those of predicates.

    An attribute is a word such as `chopped` in `the chopped onion`.
    """
    gathering = _Gathering(clause)
    for at in range(len(clause.marks)):
        gathering.take(at)
    return [*gathering.attributes, *gathering.frames]


def _attribute(process: str, food: Mark) -> ClauseFrame:
    """Return the frame of an attribute: `the chopped onion`."""
    return ClauseFrame(refs=[ref_of(food)], shape=process, cues={"earlier", "attribute"})


class _Gathering:
    """A single pass over the marks of a clause, which builds the clause's frames."""

    def __init__(self, clause: Clause) -> None:
        self.marks = clause.marks
        self.base: set[Cue] = {"while"} if clause.mode == "while" else set()
        if clause.earlier:
            self.base.add("earlier")
        self.attributes: list[ClauseFrame] = []
        self.frames = [ClauseFrame(cues=set(self.base))]
        self.role = ""
        self.sliced = next((at for at, mark in enumerate(self.marks) if _slices(mark)), None)
        self.names_shapes = all(mark.kind in _BESIDE_SHAPES for mark in self.marks)

    def take(self, at: int) -> None:
        """Process the mark at a position."""
        mark, marks, frame = self.marks[at], self.marks, self.frames[-1]
        before = marks[at - 1] if at else None
        after = marks[at + 1] if at + 1 < len(marks) else None
        the = before is not None and before.word == "the"
        if mark.kind in VERBS:
            self._verb(mark, before, after)
        elif attribute := _shape_attribute_at(marks, at):
            self.attributes.append(attribute)
        elif mark.kind == "mixture" and after is not None and after.kind == "place":
            pass  # in `a soup bowl` no soup is meant
        elif mark.kind in NOUNS or (mark.kind == "shape" and the):
            self._noun(mark, at)
        elif mark.kind == "preposition":
            self._preposition(mark, before, after)
        elif mark.kind == "place":
            self._place(mark)
        elif mark.kind == "shape" and self._shapes(at):
            frame.shape = mark.value
        elif mark.kind == "time":
            frame.span, self.role = mark.span, ""
        elif mark.kind == "level":
            frame.level = mark.value
        elif mark.kind == "step" and self.role == "to" and frame.verb is None and not frame.refs:
            frame.cues.add("no")
            frame.jump, self.role = mark.value, ""
        elif mark.kind in _CUES:
            self._cue(mark, frame)
        elif mark.kind == "word":
            if mark.word == "instead":
                frame.cues.add("instead")
            self.role = "on" if mark.word in WORDS["topping"] else self.role

    def _verb(self, mark: Mark, before: Mark | None, after: Mark | None) -> None:
        frame = self.frames[-1]
        timed = before is not None and before.kind == "time" and mark.value in HEAT
        named = mark.form == "past" and after is not None and after.kind in NOUNS - {"pronoun"}
        if named and not timed:  # but a `seven-minute boiled egg` is cooked here
            work = mark.kind == "process" and mark.value not in HEAT
            if after is not None and after.kind in ("food", "kind") and work:
                self.attributes.append(_attribute(mark.value, after))
            return
        self.role = ""
        if frame.verb is None or mark.form == "ing":
            frame.verb = mark
        else:
            self.frames.append(ClauseFrame(verb=mark, cues=set(self.base)))

    def _noun(self, mark: Mark, at: int) -> None:
        sliced = self.sliced is not None and self.sliced < at
        self.frames[-1].refs.append(ref_of(mark, self.role, word="slice" if sliced else ""))
        if mark.kind == "pronoun":
            self.role = ""

    def _preposition(self, mark: Mark, before: Mark | None, after: Mark | None) -> None:
        if before is not None and before.kind == "part":
            return
        self.role = mark.value
        put = before is not None and before.value == "put"
        if self.role == "in" and (put or after is None or after.kind in ("process", "move", "and")):
            self.frames[-1].cues.add("in")
            self.role = ""
        if self.role == "on":
            self.frames[-1].cues.add("on")

    def _place(self, mark: Mark) -> None:
        frame = self.frames[-1]
        if mark.value == "plate":
            frame.cues.add("plate")
            if "bowl" in mark.word:
                frame.cues.add("bowl")
            if mark.word.endswith(("next to", "beside")):
                self.role = "beside"
        elif mark.value == "dish":
            frame.cues.add("dish")
            if self.role == "into" or mark.word.startswith("into"):
                frame.cues.add("vessel")
        elif mark.value in HEAT | MACHINES | {"rest"}:
            frame.place = "" if self.role in ("from", "off") else mark.value
            self.role = ""

    def _cue(self, mark: Mark, frame: ClauseFrame) -> None:
        frame.cues.update(cue for cue in _CUES if cue == mark.kind)
        if mark.word.endswith("with"):
            self.role = "with"
        vessel = next((_VESSELS[word] for word in mark.word.split() if word in _VESSELS), "")
        frame.place = frame.place or vessel

    def _shapes(self, at: int) -> bool:
        """Return whether the shape at a position is one that food is cut into."""
        marks = self.marks
        if at and marks[at - 1].word in WORDS["owners"]:
            return False
        for mark in reversed(marks[max(0, at - 3) : at]):
            if mark.value in ("in", "into", "to"):
                return True
            if mark.kind not in ("word", "level", "and", "sign", "pronoun"):
                break
        return marks[at].word.endswith("s") and self.names_shapes


def _shape_attribute_at(marks: Sequence[Mark], at: int) -> ClauseFrame | None:
    """Return the frame of an attribute at a position; None if there is none.

    Examples are `lemon wedges`, `a wedge of lemon` and `sticks of potato`.
    """
    mark = marks[at]
    if mark.kind == "shape" and at and marks[at - 1].kind == "food":
        return _attribute(mark.value, marks[at - 1])
    wedge = mark.word.startswith("wedge")
    if (mark.kind == "shape" or wedge) and [m.value for m in marks[at + 1 : at + 2]] == ["of"]:
        food = next((later for later in marks[at + 2 : at + 5] if later.kind == "food"), None)
        return _attribute("slice" if wedge else mark.value, food) if food else None
    return None


def _slices(mark: Mark) -> bool:
    """Return whether foods after a mark are named by their slices: `a slice of bread`."""
    return mark.kind == "part" and mark.word.startswith("slice")


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
