"""The final stage: from the graph of foods to components, with the source of each step."""

from __future__ import annotations

from dataclasses import dataclass, field

from cookmas.kitchen.components import Component, DonenessTable, StepSpec, combine
from cookmas.kitchen.layout import STANDARD_WORK
from cookmas.solving.restaurant.reading.discourse import Discourse, FoodNode, ProcessingStep
from cookmas.solving.restaurant.reading.values import ReadStep, Source, Words


@dataclass(slots=True)
class ReadingResult:
    """The components of a discourse, and the problems found while building them."""

    components: list[Component] = field(default_factory=list)
    """The components."""
    steps: list[ReadStep] = field(default_factory=list)
    """The steps of the components, with their words and sources."""
    untimed: list[tuple[FoodNode, ProcessingStep]] = field(default_factory=list)
    """Cooking steps without minutes."""


def conclude(discourse: Discourse) -> ReadingResult:
    """Return the components of a discourse, their steps, and the cooking steps without minutes."""
    result = ReadingResult()
    for node in discourse.nodes:
        served = node.steps or not node.asked
        if served and node.within is None and node.leaves():
            component = _component(node, discourse.doneness, result)
            result.components += [component] if component.name else []
    result.components.sort(key=str)
    return result


def _component(node: FoodNode, doneness: DonenessTable, result: ReadingResult) -> Component:
    component = Component(node.name)
    if node.kind != "food":
        inner = [part for part in node.parts if part.leaves() and node not in part.walk()]
        made = [_component(part, doneness, result) for part in inner]
        component = combine(part for part in made if part.name)
    for step in node.steps:
        found = _spec(node, step, doneness)
        if found is None:
            result.untimed.append((node, step))
        elif not component.steps or component.steps[-1].process != found[0].process:
            spec, source, timed = found
            component = component.with_steps((*component.steps, spec))
            result.steps.append(ReadStep(component.name, str(spec), (*step.words, *timed), source))
    return component


def _spec(
    node: FoodNode, step: ProcessingStep, doneness: DonenessTable
) -> tuple[StepSpec, Source, list[Words]] | None:
    """Return a step with its minutes, and their source and words; None if they are unknown."""
    process = node.cut if step.process == "cut" else step.process
    if step.batch is not None:
        entry, level = doneness.get((node.name, process)), step.batch.level
        if entry is not None and level in entry.levels:
            return StepSpec(process, *entry.levels[level], level), "told", []
        found = step.batch.minutes(node)
        return found and (StepSpec(process, *found[:2]), *found[2:])
    if step.span is not None:
        return StepSpec(process, step.span.low, step.span.high), "told", [step.span.words]
    standard = STANDARD_WORK[process]
    return StepSpec(process, standard, standard), "house", []
