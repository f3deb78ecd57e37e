"""The planner's reader: recipe English to components, customers' words to customizations.

A recipe passes through stages, each a function of plain values that can be printed and tested
alone: `text` (sentences), `times` and `marking` (what each word is), `clauses` (told, denied or
only remarked), `events` (a small closed set), `story` (the graph of foods), `ending` (components)
and `doubting` (what is left unexplained). `reader` puts them together and, where something is
left unexplained, tries a clause the other way. The words are data, in `words/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kitchen.components import Component, DonenessTable
from kitchen.customizations import Customization
from worlds.restaurant.reading.notes import hear
from worlds.restaurant.reading.reader import read
from worlds.restaurant.reading.values import Doubt, ReadStep, Words

__all__ = ["Doubt", "Larder", "ReadStep", "Reading", "Words", "read_note", "read_recipe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Larder:
    """What a reader may know of the kitchen: its ingredients, and how doneness is read."""

    ingredients: frozenset[str]
    doneness: DonenessTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a recipe asks for, where each step stands in it, and what was not understood."""

    components: tuple[Component, ...]
    doubts: tuple[Doubt, ...]
    steps: tuple[ReadStep, ...] = ()
    skipped: tuple[Words, ...] = ()
    """What was passed over as a remark."""


def read_recipe(prose: str, larder: Larder) -> Reading:
    """Read a recipe. Never fails: what cannot be understood is a doubt."""
    told = read(prose, larder.ingredients, larder.doneness)
    doubts = [
        Doubt(
            f"{finding.subject}: {finding.reason}" if finding.subject else finding.reason,
            finding.words,
            finding.words.of(prose),
        )
        for finding in told.findings
    ]
    return Reading(
        components=tuple(told.ending.components),
        doubts=tuple(dict.fromkeys(doubts)),
        steps=tuple(sorted(told.ending.steps, key=lambda step: min(step.words))),
        skipped=tuple(clause.words for clause in told.clauses if clause.mode == "remark"),
    )


def read_note(
    note: str, components: Sequence[Component], larder: Larder
) -> tuple[tuple[Customization, ...], tuple[Doubt, ...]]:
    """What a customer's note asks for of a dish made of `components`, and what stays doubtful.

    A note that asks for nothing a kitchen can do yields no customization.
    """
    wishes, doubts = hear(note, components, larder.ingredients, larder.doneness)
    return tuple(sorted(wishes, key=str)), tuple(dict.fromkeys(doubts))
