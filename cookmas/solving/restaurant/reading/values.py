"""The values that pass between the stages of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Source = Literal["told", "inferred", "house"]
"""The origin of a value: stated in the text, inferred from it, or a standard of the kitchen."""

Extent = Literal["plain", "last", "after", "more", "total"]
"""What a time measures, in this order: the step, the end of the step, the time that passes before
the step, additional time, or the total."""

PREP = frozenset({"chop", "slice", "peel", "grate"})
MIXING = frozenset({"mix", "blend", "knead"})
HEAT = frozenset({"grill", "fry", "deep-fry", "boil", "bake"})
JOINING = frozenset({"fry", "boil"})
"""Processes in a pan or pot: foods that share the pan or pot become one item."""


class Words(NamedTuple):
    """A stretch of the text."""

    start: int
    """Position of its first character."""
    end: int
    """Position after its last character."""

    def of(self, text: str) -> str:
        """Return the text of this stretch, on one line."""
        return " ".join(text[self.start : self.end].split())

    def extend_to(self, last: Words) -> Words:
        """Return the stretch from the beginning of this one to the end of another."""
        return Words(self.start, last.end)


class Span(NamedTuple):
    """A range of minutes."""

    low: int
    """Lower end, included."""
    high: int
    """Upper end, included."""
    extent: Extent
    """What the minutes measure."""
    words: Words
    """Its words in the text."""
    sure: bool = True
    """Whether a unit or the position proves that the number is a time."""
    whole: bool = True
    """True if the text states a whole number of minutes; otherwise both ends are rounded."""


class Token(NamedTuple):
    """A word, number or sign."""

    text: str
    """Its text in lower case."""
    words: Words
    """Where it stands in the text."""


class Sentence(NamedTuple):
    """Tokens up to a full stop, or to the end of a line that ends a sentence."""

    tokens: tuple[Token, ...]
    words: Words
    asks: bool
    """Whether it is a question."""
    step: str = ""
    """Number of its recipe step, if steps are numbered."""


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
    """A word or fixed phrase with its kind."""

    kind: MarkKind
    """The kind of the word or phrase; a `stranger` is an unknown word that must be a food."""
    word: str
    """Its text."""
    words: Words
    """Where it stands in the text."""
    value: str = ""
    """Its meaning, such as the name of a food or process."""
    form: Form = ""
    """Form of a verb."""
    span: Span | None = None
    """Minutes of a time."""


Mode = Literal["told", "remark", "denied", "while", "asked"]
"""The mode of a clause: a statement, a remark, a denial, a circumstance (`while ...`) or a
question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """Marks with at most one predicate."""

    marks: tuple[Mark, ...]
    """The marks, in order."""
    opened: str
    """The sign or word before the clause."""
    words: Words
    """Where it stands in the text."""
    sentence: int
    """Number of its sentence."""
    mode: Mode
    """Its mode, such as a statement or a denial."""
    earlier: bool
    """Whether it is about earlier work."""
    step: str
    """Number of its recipe step."""


class Ref(NamedTuple):
    """A reference to foods."""

    kind: MarkKind
    """Kind of the mark."""
    value: str
    """Meaning of the mark, such as the name of a food."""
    words: Words
    """Where it stands in the text."""
    word: str = ""
    """The text of the reference."""
    role: str = ""
    """The preposition before the reference."""


EventKind = Literal["name", "work", "heat", "join", "add", "time", "drop", "uncut", "serve"]
"""All kinds of events."""

Cue = Literal[
    "base", "finite", "ing", "past",
    "earlier", "afterwards", "same", "own", "together", "likewise", "uncut", "no",
    "while", "instead", "and", "in", "on", "stir",
    "plate", "bowl", "dish", "vessel",
    "add", "coat", "build",
    "attribute", "asked", "aside", "focus", "corrects",
]  # fmt: skip
"""Details of an event: the form of its verb, small words, the place of joining, results of the
decision table for events, and the mode of its clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event of a recipe: foods are cooked or worked on, or a fact about them is stated."""

    kind: EventKind
    """Kind of event."""
    words: Words
    """Where it stands in the text."""
    sentence: int
    """Number of its sentence."""
    process: str = ""
    """Name of the process."""
    foods: Sequence[Ref] = ()
    """The foods that the event is about."""
    others: Sequence[Ref] = ()
    """The foods that `foods` are joined with, or put on or into."""
    span: Span | None = None
    """Minutes."""
    level: str = ""
    """Level of doneness."""
    cues: frozenset[Cue] = frozenset()
    """The details of the event."""
    jump: str = ""
    """Number of the recipe step that the text returns to."""
    step: str = ""
    """Number of its recipe step."""

    def has(self, *cues: Cue) -> bool:
        """Return whether the event has one of these cues."""
        return not self.cues.isdisjoint(cues)

    def with_cues(self, *cues: Cue) -> Event:
        """Return the event with further cues."""
        return replace(self, cues=self.cues.union(cues))


class Doubt(NamedTuple):
    """A diagnostic: something that the reader did not understand."""

    reason: str
    """The kind of doubt, in words."""
    words: Words
    """Where it stands in the text."""
    quote: str
    """The doubtful words."""

    def __str__(self) -> str:
        return f"{self.reason}: {self.quote!r}" if self.quote else self.reason


class ReadStep(NamedTuple):
    """A step of a component with its origin in the text."""

    food: str
    """Name of the food."""
    step: str
    """The step in notation."""
    words: tuple[Words, ...]
    """The words that it was read from."""
    source: Source
    """Source of its minutes."""
