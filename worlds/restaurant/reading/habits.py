"""What is always or never done to a food, in dishes that are known.

The habits are data, made by `python -m benchmarks.habits` from the truths of the part of the
corpus that may be learnt from and from the readings of the shipped menu: never from its truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from kitchen.components import Component
from worlds.restaurant.reading.values import HEAT, MIXING
from worlds.restaurant.reading.words import load

Habits = Mapping[str, Mapping[str, Sequence[str]]]
"""A food to what is `always` and what is `never` true of it."""
_CUTS = frozenset({"chop", "slice", "grate"})
FACTS = frozenset({"peel", "cut", "cooked", "mixed", "joined"}) | HEAT | _CUTS


@lru_cache(maxsize=1)
def known() -> Habits:
    """The habits of the data file."""
    return load("habits")


def facts(
    component: Component, above: frozenset[str] = frozenset()
) -> Iterator[tuple[str, set[str]]]:
    """Each food of a component, and what is true of it there."""
    steps = {step.process for step in component.steps}
    around = above | (steps & HEAT) | ({"mixed"} if steps & MIXING else set())
    for part in component.parts:
        yield from facts(part, around | {"joined"})
    if not component.parts:
        cut = {"cut"} if steps & _CUTS else set()
        cooked = {"cooked"} if (steps | above) & HEAT else set()
        yield component.name, steps | above | cut | cooked


def unlike(components: Iterable[Component], habits: Habits) -> Iterator[tuple[str, str]]:
    """Foods that something is or is not done to against all habit, and what."""
    for component in components:
        for food, true in facts(component):
            habit = habits.get(food, {"always": (), "never": ()})
            yield from ((food, f"not {fact}") for fact in habit["always"] if fact not in true)
            yield from ((food, fact) for fact in habit["never"] if fact in true)
