"""Comparison of the served foods with the wanted components, food by food and step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from cookmas.kitchen.components import Component, DonenessTable, fits, maximum_matching
from cookmas.kitchen.foods import Food
from cookmas.worlds.restaurant.evaluators.layers import on_plate
from cookmas.worlds.restaurant.evaluators.wording import (
    DONE,
    describe,
    describe_step,
    name_fault,
    name_ingredients,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoodMismatch:
    """One food that is not as wanted."""

    kind: Literal["missing", "wrong", "extra"]
    """`missing`: no food was served for `wanted`. `extra`: no component asks for `served`. `wrong`:
    `served` has the ingredients of `wanted` but another history, or the two share more than half of
    their ingredients."""
    wanted: Component | None = None
    """The component that the dish should have; None for an extra food."""
    served: Food | None = None
    """The food on the plate; None for a missing food."""
    differences: tuple[str, ...] = ()
    """For a `wrong` food, the differences in words."""

    def __str__(self) -> str:
        if self.kind == "wrong":
            return "; ".join(self.differences)
        food = self.wanted or self.served
        return f"{self.kind}: {describe(food)}" if food else self.kind


def compare(
    foods: Sequence[Food], components: Sequence[Component], doneness: DonenessTable
) -> list[FoodMismatch]:
    """Return how the foods of a dish differ from the wanted components; empty if they do not.

    The order in which layers were assembled makes no difference. As many foods as possible are
    matched with components that they fit. A remaining food and a remaining component belong
    together if they share more than half of their ingredients; the most similar pairs are matched
    first.
    """
    return _compare(on_plate(foods), on_plate(components), doneness)


def _compare(
    foods: Sequence[Food], components: Sequence[Component], doneness: DonenessTable
) -> list[FoodMismatch]:
    exact = maximum_matching(
        [[c for c, component in enumerate(components) if fits(f, component)] for f in foods]
    )
    left_foods = [f for f in range(len(foods)) if f not in exact]
    left_components = [c for c in range(len(components)) if c not in exact.values()]
    candidates: list[tuple[bool, int, int, int, tuple[str, ...]]] = []
    for f in left_foods:
        for c in left_components:
            food, component = foods[f], components[c]
            if _shares_most(food, component):
                why = tuple(_differences(food, component, doneness))
                other = food.ingredients() != component.ingredients()
                candidates.append((other, len(why), f, c, why))
    findings: list[FoodMismatch] = []
    for _, _, f, c, why in sorted(candidates):
        if f in left_foods and c in left_components:
            left_foods.remove(f)
            left_components.remove(c)
            findings.append(
                FoodMismatch(kind="wrong", wanted=components[c], served=foods[f], differences=why)
            )
    findings += [FoodMismatch(kind="missing", wanted=components[c]) for c in left_components]
    findings += [FoodMismatch(kind="extra", served=foods[f]) for f in left_foods]
    return findings


def _shares_most(food: Food, component: Component) -> bool:
    mine, wanted = Counter(food.ingredients()), Counter(component.ingredients())
    return 2 * (mine & wanted).total() > max(mine.total(), wanted.total())


def _differences(food: Food, component: Component, doneness: DonenessTable) -> Iterator[str]:
    name = name_ingredients(component)
    for finding in _compare(food.parts, component.parts, doneness):
        if finding.kind == "wrong":
            yield from finding.differences
        else:
            yield f"{name}: {finding}"
    processes = [step.process for step in component.steps]
    done = [step.process for step in food.steps]
    opcodes = SequenceMatcher(None, processes, done, autojunk=False).get_opcodes()
    for tag, low, high, first, last in opcodes:
        if tag == "equal":
            for spec, step in zip(component.steps[low:high], food.steps[first:last], strict=True):
                if not spec.low <= step.minutes <= spec.high:
                    word = name_fault(component.name, step, spec, doneness)
                    yield f"{name} {describe_step(step)}, wanted {describe_step(spec)}: {word}"
        else:
            for spec in component.steps[low:high]:
                yield f"{name} not {DONE[spec.process]}, wanted {describe_step(spec)}"
            for step in food.steps[first:last]:
                yield f"{name} {describe_step(step)}, which nobody wanted"
