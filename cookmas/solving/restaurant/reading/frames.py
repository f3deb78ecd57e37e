"""Frames of a clause: each is a predicate with its foods, place, shape, time and level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cookmas.solving.restaurant.reading.clauses import WORDS
from cookmas.solving.restaurant.reading.values import (
    HEAT,
    NOUNS,
    VERBS,
    Clause,
    Cue,
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
