"""A recipe in prose to components: told clause by clause, in the way that makes most sense."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from kitchen.components import Component, DonenessTable
from worlds.restaurant.reading.alternatives import READINGS, Choices, most_plausible
from worlds.restaurant.reading.ending import plated
from worlds.restaurant.reading.leftovers import (
    leftover_times,
    settle_levels,
    settle_places,
    settle_times,
    untimed,
)
from worlds.restaurant.reading.phrases import Clause, clauses_of, has_remarks
from worlds.restaurant.reading.plausible import loose_ends, of_time
from worlds.restaurant.reading.recipe import Teller
from worlds.restaurant.reading.terms import Lexicon, lexicon_of
from worlds.restaurant.reading.text import sentences

EFFORT = 3000
"""Clauses that are told at most in search of a better reading."""


@dataclass(frozen=True, slots=True)
class Tale:
    """One reading of a recipe."""

    components: list[Component]
    doubts: list[str]
    looseness: int
    choices: Choices
    suspects: frozenset[int]


def _named(told: Iterable[Sequence[Clause]]) -> frozenset[str]:
    """The ingredients that are named."""
    return frozenset(
        mention.term.value
        for clauses in told for clause in clauses for phrase in clause.phrases()
        for mention in phrase.mentions if mention.term.kind == "food"
    )  # fmt: skip


def read(
    prose: str, ingredients: frozenset[str], doneness: DonenessTable
) -> tuple[list[Component], list[str]]:
    """The components a recipe asks for, and what could not be understood."""
    table = lexicon_of(ingredients)
    said = [_Sentence(sentence, table) for sentence in sentences(prose)]
    named = _named(sentence.plainly for sentence in said)

    def tell(choices: Choices) -> Tale:
        teller = Teller(named, doneness, choices)
        told = [sentence.told(number, choices) for number, sentence in enumerate(said, 1)]
        for clauses in told:
            teller.follow(clauses)
        settle_levels(teller)
        settle_places(teller)
        settle_times(teller)
        components, doubts = plated(teller.memory, teller.doneness)
        ends = loose_ends(components, doubts, teller.spoken)
        late = leftover_times(teller)
        return Tale(
            components=components,
            doubts=doubts,
            looseness=sum(end.weight for end in ends)
            + sum(of_time(span) for _, span in late)
            + teller.passed_over,
            choices=choices,
            suspects=teller.sentences_of({food for end in ends for food in end.foods})
            | {sentence for sentence, _ in late}
            | untimed(teller),
        )

    clauses = sum(len(sentence.plainly) for sentence in said)
    tale = most_plausible(tell, min(READINGS, EFFORT // (clauses + 1)))
    return tale.components, tale.doubts


class _Sentence:
    """A sentence, and the ways it can be told: without its remarks, or with them."""

    def __init__(self, text: str, table: Lexicon) -> None:
        self._text, self._table = text, table
        self.remarks = has_remarks(text)

    @cached_property
    def plainly(self) -> list[Clause]:
        """What it says without its remarks."""
        return clauses_of(self._text, self._table)

    @cached_property
    def fully(self) -> list[Clause]:
        """What it says, remarks and all."""
        return clauses_of(self._text, self._table, remarks=True)

    def told(self, index: int, choices: Choices) -> list[Clause]:
        """What it says, if remarks are what they are chosen to be."""
        heard = choices.choose(("remark", index, 0, 0), 2) if self.remarks else 0
        return self.fully if heard else self.plainly
