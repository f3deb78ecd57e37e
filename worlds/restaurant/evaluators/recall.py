"""Recall: how much of each dish was read as it should be, apart from how it was scheduled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from evals.verdict import Check
from kitchen.components import Component, StepSpec
from worlds.restaurant.evaluators.evidence import KitchenEvidence
from worlds.restaurant.evaluators.reading import understood


class Node(NamedTuple):
    """A step of a recipe: what is done with which food; `of` are its ingredients.

    To fetch an ingredient is a step, and to join foods into one.
    """

    of: tuple[str, ...]
    what: str

    def __str__(self) -> str:
        return f"{self.what} {'+'.join(self.of)}"


class Facts(NamedTuple):
    """What is in a reading: its steps, which directly follows which, and their minutes."""

    steps: Counter[str]
    dependencies: Counter[str]
    minutes: Counter[str]


KINDS = Facts._fields


def recall(evidence: KitchenEvidence) -> Iterator[Check]:
    """Of each standing line, as far as the planner says what it understood and the truth knows it.

    With the steps M that were read and the steps T of the truth, as multisets: `steps_recalled` is
    |M and T| / |T|, `steps_invented` is |M without T| / |M|. Likewise of `dependencies`, pairs of
    steps of which one directly follows the other, and of `minutes`, steps with the minutes they
    take at least and at most (a level of doneness counts as its minutes). What has nothing to be
    recalled or invented from is left out.
    """
    for line in evidence.standing:
        read = understood(line, evidence)
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


def facts(components: Iterable[Component]) -> Facts:
    """What stands in the components of a dish."""
    found = Facts(Counter(), Counter(), Counter())
    for component in components:
        _collect(component, found)
    return found


def _collect(component: Component, found: Facts) -> Node:
    """Count what is in a component; returns its last step."""
    of = component.ingredients()
    last = Node(of, "join" if component.parts else "fetch")
    found.steps[str(last)] += 1
    for part in component.parts:
        found.dependencies[f"{_collect(part, found)} -> {last}"] += 1
    for step in component.steps:
        node = Node(of, step.process)
        found.steps[str(node)] += 1
        found.dependencies[f"{last} -> {node}"] += 1
        found.minutes[f"{node} {_window(step)}"] += 1
        last = node
    return last


def _window(step: StepSpec) -> str:
    return str(step._replace(level=None)).removeprefix(f"{step.process} ")
