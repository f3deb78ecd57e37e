"""The planner's reader: recipe English to components, customers' words to customizations."""

from __future__ import annotations

from dataclasses import dataclass

from kitchen.components import Component, DonenessTable
from orchestrator.reading.recipe import read

__all__ = ["Larder", "Reading", "read_recipe"]


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
