"""The values that pass from stage to stage of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Source = Literal["told", "inferred", "house"]
"""Whether a value stands in the text, was concluded from it, or is a standard of the house."""

Extent = Literal["plain", "last", "after", "more", "total"]
"""What a time counts: the step, its end, what passed before, what is added, or all of it."""

PREP = frozenset({"chop", "slice", "peel", "grate"})
MIXING = frozenset({"mix", "blend", "knead"})
HEAT = frozenset({"grill", "fry", "deep-fry", "boil", "bake"})
JOINING = frozenset({"fry", "boil"})
"""Cooking in a pan or pot: what shares it becomes one food."""


class Words(NamedTuple):
    """A stretch of the text, by the positions of its characters; `end` is not in it."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words themselves, on one line."""
        return " ".join(text[self.start : self.end].split())

    def to(self, last: Words) -> Words:
        """From the beginning of this stretch to the end of another."""
        return Words(self.start, last.end)


class Span(NamedTuple):
    """Minutes, both ends included, and what they count."""

    low: int
    high: int
    extent: Extent
    words: Words
    sure: bool = True
    """Whether a unit or its place makes sure that the number is a time."""


class Token(NamedTuple):
    """A word, number or sign, in lower case, and where it stands."""

    text: str
    words: Words


class Sentence(NamedTuple):
    """Tokens up to a full stop or the end of a line that is one."""

    tokens: tuple[Token, ...]
    words: Words
    asks: bool
    """Whether it is a question."""
    step: str = ""
    """The number of the step that it belongs to, where steps are numbered."""


MarkKind = Literal[
    "food", "kind", "mixture", "whole", "part", "pronoun", "process", "cook", "cut", "move",
    "place", "shape", "level", "time", "negation", "remark", "wholly", "reason", "until", "times",
    "before", "earlier", "afterwards", "same", "own", "uncut", "together", "likewise",
    "yes", "no", "sign", "and", "preposition", "step", "word", "stranger", "cue",
]  # fmt: skip
Form = Literal["", "base", "finite", "ing", "past"]

VERBS = frozenset({"process", "cook", "cut", "move"})
NOUNS = frozenset({"food", "kind", "mixture", "whole", "pronoun"})


class Mark(NamedTuple):
    """A word or fixed phrase and what it is; `value` is what it means for its kind."""

    kind: MarkKind
    word: str
    words: Words
    value: str = ""
    form: Form = ""
    span: Span | None = None


Mode = Literal["told", "remark", "denied", "while", "asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Marks with at most one predicate, and how they are meant."""

    marks: tuple[Mark, ...]
    opened: str
    """The sign or word before it."""
    words: Words
    sentence: int
    mode: Mode
    earlier: bool
    step: str


class Ref(NamedTuple):
    """Words that stand for foods."""

    kind: MarkKind
    value: str
    words: Words
    word: str = ""
    role: str = ""
    """The preposition before it."""


EventKind = Literal["name", "work", "heat", "join", "add", "time", "drop", "uncut", "serve"]

Cue = Literal[
    "base", "finite", "ing", "past",
    "earlier", "afterwards", "same", "own", "together", "likewise", "uncut", "no",
    "while", "instead", "and", "in", "on", "stir",
    "plate", "bowl", "dish", "vessel",
    "add", "coat", "build",
    "attribute", "asked", "aside", "focus", "corrects",
]  # fmt: skip
"""What an event is told with: the form of its verb, small words, where things come together, what
the table of events says of joining, and how the clause is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that a recipe tells: the closed set of what can happen is `EventKind`."""

    kind: EventKind
    words: Words
    sentence: int
    process: str = ""
    foods: Sequence[Ref] = ()
    others: Sequence[Ref] = ()
    """Foods that the others are joined with, put on or into."""
    span: Span | None = None
    level: str = ""
    cues: frozenset[Cue] = frozenset()
    jump: str = ""
    """The number of the step that the text goes back to."""
    step: str = ""

    def has(self, *cues: Cue) -> bool:
        """Return whether it has one of the cues."""
        return not self.cues.isdisjoint(cues)

    def with_cues(self, *cues: Cue) -> Event:
        """Return the event with more cues."""
        return replace(self, cues=self.cues.union(cues))


class Doubt(NamedTuple):
    """Something that was not understood, and the words it is about."""

    reason: str
    words: Words
    quote: str

    def __str__(self) -> str:
        return f"{self.reason}: {self.quote!r}" if self.quote else self.reason


class ReadStep(NamedTuple):
    """A step of a component, the words it was read from, and where its minutes come from."""

    food: str
    step: str
    words: tuple[Words, ...]
    source: Source
