"""The planner's reader: recipe English to components, customers' words to customizations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kitchen.components import Component, DonenessTable
from kitchen.customizations import Customization
from worlds.restaurant.reading.notes import Dish, NoteReader
from worlds.restaurant.reading.reader import read
from worlds.restaurant.reading.terms import lexicon_of

__all__ = ["Larder", "Reading", "read_note", "read_recipe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Larder:
    """What a reader may know of the kitchen: its ingredients, and how doneness is read."""

    ingredients: frozenset[str]
    doneness: DonenessTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a recipe asks for, and one sentence for each thing that could not be understood."""

    components: tuple[Component, ...]
    doubts: tuple[str, ...]


def read_recipe(prose: str, larder: Larder) -> Reading:
    """Read a recipe. Never fails: what cannot be understood is a doubt."""
    components, doubts = read(prose, larder.ingredients, larder.doneness)
    return Reading(components=tuple(components), doubts=tuple(dict.fromkeys(doubts)))


def read_note(
    note: str, components: Sequence[Component], larder: Larder
) -> tuple[tuple[Customization, ...], tuple[str, ...]]:
    """What a customer's note asks for of a dish made of `components`, and what stays doubtful.

    A note that asks for nothing a kitchen can do yields no customization.
    """
    reader = NoteReader(Dish(tuple(components)), lexicon_of(larder.ingredients), larder.doneness)
    reader.read(note)
    return tuple(sorted(reader.found, key=str)), tuple(dict.fromkeys(reader.doubts))
