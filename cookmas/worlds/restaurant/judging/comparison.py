"""Comparison of the served foods with the wanted components, food by food and step by step.

Foods assembled in one go and foods assembled one after the other are the same dish. For example,
ham on buttered bread is the same as bread, butter and ham assembled at once. If foods were only
assembled, and then assembled with others, they count as if all had been assembled at once. Plating
is assembling too, so foods that were only assembled count as single foods on a plate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal, TypeVar

from cookmas.kitchen.components import (
    Component,
    DonenessTable,
    StepSpec,
    fits,
    maximum_matching,
)
from cookmas.kitchen.foods import Food, FoodStep
from cookmas.kitchen.layout import ASSEMBLE, WORK

Node = TypeVar("Node", Food, Component)


def on_plate(foods: Iterable[Node]) -> tuple[Node, ...]:
    """Return the foods of a dish, or its wanted components, with assembled foods taken apart."""
    return tuple(single for food in foods for single in _singles(food))


def in_one_go(food: Node) -> Node:
    """Return a food or component with its nested layers merged into one."""
    if not food.parts:
        return food
    assembled = bool(food.steps) and food.steps[0].process == ASSEMBLE
    parts = on_plate(food.parts) if assembled else map(in_one_go, food.parts)
    return replace(food, parts=tuple(sorted(parts, key=str)))


def _singles(food: Node) -> Iterator[Node]:
    if food.parts and [step.process for step in food.steps] == [ASSEMBLE]:
        yield from on_plate(food.parts)
    else:
        yield in_one_go(food)


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


DONE = {
    "chop": "chopped",
    "slice": "sliced",
    "peel": "peeled",
    "grate": "grated",
    "mix": "mixed",
    "blend": "blended",
    "knead": "kneaded",
    "assemble": "put together",
    "grill": "grilled",
    "fry": "fried",
    "deep-fry": "deep-fried",
    "boil": "boiled",
    "bake": "baked",
}
"""The participle of each process, for the food that it was applied to."""


def describe(food: Food | Component) -> str:
    """Return a food or component with its steps in words: `tomato, sliced for 1 minute`."""
    return ", ".join((_describe_parts(food), *map(describe_step, food.steps)))


def name_ingredients(food: Food | Component) -> str:
    """Return a food's ingredients in words."""
    return join_words(food.name.split("+"))


def join_words(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: `oil`, `oil and vinegar`, `oil, salt and vinegar`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def describe_step(step: FoodStep | StepSpec) -> str:
    """Return a step in words.

    Examples: `boiled for 10 to 12 minutes`, `grilled rare (4 to 5 minutes)`, `put together`.
    """
    done = DONE[step.process]
    if step.process == "assemble":
        return done
    if isinstance(step, StepSpec) and step.level:
        return f"{done} {step.level} ({describe_minutes(step)})"
    return f"{done} for {describe_minutes(step)}"


def describe_minutes(step: FoodStep | StepSpec) -> str:
    """Return the minutes of a step in words: `1 minute`, `6 minutes`, `10 to 12 minutes`."""
    low, high = (step.low, step.high) if isinstance(step, StepSpec) else (step.minutes,) * 2
    if low < high:
        return f"{low} to {high} minutes"
    return "1 minute" if low == 1 else f"{low} minutes"


def name_fault(name: str, step: FoodStep, spec: StepSpec, doneness: DonenessTable) -> str:
    """Return the word for a step whose minutes are out of range: `underdone`, `overdone`, `burnt`.

    For attended work, which burns nothing, the word is `too short` or `too long`. Food is burnt
    from the minutes that the doneness table gives for it. A food without an entry there is burnt
    from twice the longest wanted minutes.
    """
    short = step.minutes < spec.low
    if step.process in WORK:
        return "too short" if short else "too long"
    if short:
        return "underdone"
    entry = doneness.get((name, step.process))
    burnt = entry.burnt if entry else 2 * spec.high
    return "burnt" if step.minutes >= burnt else "overdone"


def _describe_parts(food: Food | Component) -> str:
    if not food.parts:
        return food.name
    parts = [f"({describe(p)})" if p.steps or p.parts else p.name for p in food.parts]
    return join_words(parts)
