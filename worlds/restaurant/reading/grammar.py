"""What the words of one clause are to each other."""

from __future__ import annotations

from dataclasses import dataclass, field

from worlds.restaurant.reading.discourse import Thing
from worlds.restaurant.reading.nouns import NounPhrase
from worlds.restaurant.reading.phrases import Clause
from worlds.restaurant.reading.terms import Term
from worlds.restaurant.reading.text import Span


@dataclass(slots=True)
class Role:
    """A noun phrase in its clause: the preposition before it, and what it refers to."""

    position: int
    preposition: str
    phrase: NounPhrase
    things: list[Thing] = field(default_factory=list)


def preposition_before(clause: Clause, position: int) -> str:
    """The preposition that governs what is at `position`; empty where none does."""
    for item in reversed(clause.items[:position]):
        if isinstance(item, NounPhrase) or item.kind in (
            "verb", "move", "time", "be", "place",
        ):  # fmt: skip
            return ""
        if item.kind == "preposition" and item.value != "of":
            return item.value
    return ""


def is_nominal(clause: Clause, position: int) -> bool:
    """Whether the verb at `position` is a noun here: `the slicing`."""
    verb = clause.items[position]
    previous = clause.items[position - 1] if position else None
    return (
        isinstance(verb, Term) and "ing" in verb.forms
        and isinstance(previous, Term) and previous.kind == "determiner"
    )  # fmt: skip


def is_serving(clause: Clause) -> bool:
    """Whether the clause brings food to the guest."""
    return any(t.value == "serve" for t in clause.of("move")) or any(
        t.value == "plate" for t in clause.of("place")
    )


def is_put_away(clause: Clause) -> bool:
    """Whether all that is done is to leave a food out of it: `put the parsley down`."""
    last = clause.items[-1]
    return (
        isinstance(last, Term) and last.word in ("down", "away", "back")
        and any(t.value == "put" for t in clause.of("move")) and bool(clause.phrases())
        and not clause.of("place", "preposition", "time", "verb")
    )  # fmt: skip


def span_in(clause: Clause) -> Span | None:
    """The time that the clause says something takes."""
    spans = [t.span for t in clause.of("time") if t.span is not None and not t.span.later]
    return spans[0] if spans else None


def level_in(clause: Clause) -> str | None:
    """The doneness that the clause names."""
    levels = clause.of("level")
    return levels[0].value if levels else None


def is_made_of(clause: Clause, position: int, roles: list[Role]) -> bool:
    """Whether the foods at `position` are what the mixture before them is made of."""
    before = clause.items[position - 2 : position] if position > 1 else []
    return bool(
        roles and len(before) == 2
        and isinstance(before[1], Term) and before[1].word in ("of", "from")
        and before[0] is roles[-1].phrase and len(roles[-1].phrase.mentions) == 1
        and roles[-1].phrase.mentions[0].term.kind == "mixture"
    )  # fmt: skip
