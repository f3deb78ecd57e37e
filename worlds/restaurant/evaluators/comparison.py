"""Comparing foods with the components they should be, food by food and step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from kitchen.components import Component, DonenessTable, StepSpec, fits, maximum_matching
from kitchen.foods import Food, Step
from kitchen.layout import WORK


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One food that is not as wanted.

    `missing`: nothing served for `wanted`; `extra`: nothing wanted for `served`; `wrong`: made of
    what was wanted, but not as it was wanted: `differences` say in what.
    """

    kind: Literal["missing", "wrong", "extra"]
    wanted: Component | None = None
    served: Food | None = None
    differences: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == "wrong":
            return "; ".join(self.differences)
        return f"{self.kind} {self.wanted or self.served}"


def compare(
    foods: Sequence[Food], components: Sequence[Component], doneness: DonenessTable
) -> list[Finding]:
    """How foods differ from what they should be; nothing where they are exactly that.

    As many foods as possible are matched with components they fit. Of the rest, a food and a
    component belong together if they share more than half of their ingredients, the most alike
    first.
    """
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
    findings: list[Finding] = []
    for _, _, f, c, why in sorted(candidates):
        if f in left_foods and c in left_components:
            left_foods.remove(f)
            left_components.remove(c)
            findings.append(
                Finding(kind="wrong", wanted=components[c], served=foods[f], differences=why)
            )
    findings += [Finding(kind="missing", wanted=components[c]) for c in left_components]
    findings += [Finding(kind="extra", served=foods[f]) for f in left_foods]
    return findings


def _shares_most(food: Food, component: Component) -> bool:
    mine, wanted = Counter(food.ingredients()), Counter(component.ingredients())
    return 2 * (mine & wanted).total() > max(mine.total(), wanted.total())


def _differences(food: Food, component: Component, doneness: DonenessTable) -> Iterator[str]:
    for finding in compare(food.parts, component.parts, doneness):
        if finding.kind == "wrong":
            yield from finding.differences
        else:
            yield f"{component.name}: {finding}"
    processes = [step.process for step in component.steps]
    done = [step.process for step in food.steps]
    opcodes = SequenceMatcher(None, processes, done, autojunk=False).get_opcodes()
    for tag, low, high, first, last in opcodes:
        if tag == "equal":
            for spec, step in zip(component.steps[low:high], food.steps[first:last], strict=True):
                if not spec.low <= step.minutes <= spec.high:
                    yield _other_minutes(component.name, step, spec, doneness)
        else:
            for spec in component.steps[low:high]:
                yield f"{component.name}: no {spec.process}, expected {_expected(spec)}"
            for step in food.steps[first:last]:
                yield f"{component.name}: {step}, not asked for"


def _expected(spec: StepSpec) -> str:
    minutes = f"{spec.low}" if spec.low == spec.high else f"{spec.low}-{spec.high}"
    return f"{minutes} for {spec.level}" if spec.level else minutes


def _other_minutes(name: str, step: Step, spec: StepSpec, doneness: DonenessTable) -> str:
    word = _fault(name, step, spec, doneness)
    return f"{name}: {step}, expected {_expected(spec)} ({word})"


def _fault(name: str, step: Step, spec: StepSpec, doneness: DonenessTable) -> str:
    """Underdone, overdone or burnt, for minutes outside of what was wanted.

    Only what cooks unattended burns: from the minutes of the doneness table, or, for a food
    without an entry, from twice the most that was wanted.
    """
    if step.minutes < spec.low:
        return "underdone"
    entry = doneness.get((name, step.process))
    burnt = entry.burnt if entry else 2 * spec.high
    return "burnt" if step.minutes >= burnt and step.process not in WORK else "overdone"
