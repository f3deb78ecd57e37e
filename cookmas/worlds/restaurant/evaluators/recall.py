"""Recall: how much of each recipe and note the planner understood, apart from scheduling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cookmas.evals.verdict import Check
from cookmas.kitchen.components import Component, StepSpec
from cookmas.worlds.restaurant.evaluators.evidence import KitchenEvidence
from cookmas.worlds.restaurant.evaluators.reading import find_understood


class RecipeNode(NamedTuple):
    """A step of a recipe. Fetching an ingredient and joining foods count as steps too."""

    of: tuple[str, ...]
    """The ingredients of the food, sorted."""
    what: str
    """The process, or `fetch` or `join`."""

    def __str__(self) -> str:
        return f"{self.what} {'+'.join(self.of)}"


class ReadingFacts(NamedTuple):
    """Facts about the making of a dish, in three multisets of texts.

    They are collected from the components that the planner understood, or from those of the truth.
    """

    steps: Counter[str]
    """The steps of all components."""
    dependencies: Counter[str]
    """The pairs of steps in which the second directly follows the first."""
    minutes: Counter[str]
    """The steps with their least and most minutes; a level of doneness counts as its minutes."""


KINDS = ReadingFacts._fields
"""The kinds of fact that the checks compare."""


def recall(evidence: KitchenEvidence) -> Iterator[Check]:
    """Yield the recall checks of each standing line whose reading and truth are known.

    Let M be the steps that the planner read and T those of the truth, as multisets.
    `steps_recalled` is |M and T| / |T|, and `steps_invented` is |M without T| / |M|. The checks of
    `dependencies` and `minutes` are defined in the same way. A check with an empty denominator is
    left out.
    """
    for line in evidence.standing:
        read = find_understood(line, evidence)
        if line.wanted is None or isinstance(read, str):
            continue
        for kind, mine, true in zip(KINDS, facts(read), facts(line.wanted), strict=True):
            yield from _share(f"{kind}_recalled", line.name, mine & true, true, true - mine)
            yield from _share(f"{kind}_invented", line.name, mine - true, mine, mine - true)


def _share(
    name: str, line: str, part: Counter[str], whole: Counter[str], shown: Counter[str]
) -> Iterator[Check]:
    if whole:
        yield Check(
            name=name,
            subject=line,
            value=round(part.total() / whole.total(), 4),
            evidence="; ".join(sorted(shown.elements())),
            reason=f"{part.total()} of {whole.total()}",
        )


def facts(components: Iterable[Component]) -> ReadingFacts:
    """Return the facts in the components of a dish."""
    collected = ReadingFacts(Counter(), Counter(), Counter())
    for component in components:
        _collect(component, collected)
    return collected


def _collect(component: Component, collected: ReadingFacts) -> RecipeNode:
    """Add the facts of a component to `collected`; return its last step."""
    of = component.ingredients()
    last = RecipeNode(of, "join" if component.parts else "fetch")
    collected.steps[str(last)] += 1
    for part in component.parts:
        collected.dependencies[f"{_collect(part, collected)} -> {last}"] += 1
    for step in component.steps:
        node = RecipeNode(of, step.process)
        collected.steps[str(node)] += 1
        collected.dependencies[f"{last} -> {node}"] += 1
        collected.minutes[f"{node} {_window(step)}"] += 1
        last = node
    return last


def _window(step: StepSpec) -> str:
    return str(step._replace(level=None)).removeprefix(f"{step.process} ")
