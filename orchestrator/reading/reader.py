"""A recipe in prose to components: told clause by clause, in the way that makes most sense."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kitchen.components import Component, DonenessTable
from orchestrator.reading.alternatives import READINGS, Choices, most_plausible
from orchestrator.reading.ending import plated
from orchestrator.reading.leftovers import (
    leftover_times,
    settle_levels,
    settle_places,
    settle_times,
    untimed,
)
from orchestrator.reading.phrases import Clause, clauses_of
from orchestrator.reading.plausible import loose_ends, of_time
from orchestrator.reading.recipe import Teller
from orchestrator.reading.terms import Lexicon, lexicon_of
from orchestrator.reading.text import sentences

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
    said = [_ways(sentence, table) for sentence in sentences(prose)]
    named = _named(ways[0] for ways in said)

    def tell(choices: Choices) -> Tale:
        teller = Teller(named, doneness, choices)
        told = [
            ways[choices.choose(("remark", index + 1, 0, 0), len(ways))]
            for index, ways in enumerate(said)
        ]
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

    clauses = sum(len(ways[0]) for ways in said)
    tale = most_plausible(tell, min(READINGS, EFFORT // (clauses + 1)))
    return tale.components, tale.doubts


def _ways(sentence: str, table: Lexicon) -> list[list[Clause]]:
    """What a sentence may say: without its remarks, or with them."""
    told = [clauses_of(sentence, table)]
    full = clauses_of(sentence, table, remarks=True)
    if [clause.text for clause in full] != [clause.text for clause in told[0]]:
        told.append(full)
    return told
