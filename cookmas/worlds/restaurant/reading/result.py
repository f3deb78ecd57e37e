"""The final stage: from the graph of foods to components, with the source of each step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from cookmas.kitchen.components import Component, DonenessTable, StepSpec, combine
from cookmas.kitchen.layout import STANDARD_WORK
from cookmas.worlds.restaurant.reading.cooking import heat
from cookmas.worlds.restaurant.reading.discourse import Discourse, FoodNode, ProcessingStep
from cookmas.worlds.restaurant.reading.values import ReadStep, Source, Words


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
    _settle(discourse)
    for group in [node for node in discourse.nodes if node.is_loose]:
        _take_apart(group)
    result = ReadingResult()
    for node in discourse.nodes:
        served = node.steps or not node.asked
        if served and node.within is None and node.leaves():
            component = _component(node, discourse.doneness, result)
            result.components += [component] if component.name else []
    result.components.sort(key=str)
    return result


def _settle(discourse: Discourse) -> None:
    """Assign the minutes and levels that do not belong to any cooking step yet.

    Minutes without a food belong to the group. A level implies its process if only one is possible.
    """
    for nodes, event in list(discourse.waiting):
        told = replace(event, kind="heat", foods=(), others=(), cues=frozenset())
        if event.kind == "heat" and not nodes and discourse.group is not None:
            discourse.set_focus([discourse.group])
            heat(discourse, told)
        for node in nodes:
            ways = discourse.processes_for(node, event.level)
            if len(ways) == 1 and node.heat() is None:
                discourse.set_focus([node])
                heat(discourse, replace(told, process=ways[0]))


def _take_apart(group: FoodNode) -> None:
    """Dissolve a group that is merely put together: its parts are served separately."""
    for part in group.parts:
        part.within = group.within
    if group.within is not None:
        group.within.parts += group.parts
    group.parts = []


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
