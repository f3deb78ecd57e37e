"""The graph of foods to components, and where each step comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kitchen.components import Component, DonenessTable, StepSpec, combine
from worlds.restaurant.reading.events import HEAT
from worlds.restaurant.reading.foods import Batch, Entry, Node, Step
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import Event, ReadStep, Source, Words

STANDARD: Mapping[str, int] = {
    "peel": 1, "slice": 1, "chop": 2, "grate": 1, "mix": 2, "blend": 1, "assemble": 1, "knead": 4,
    "cut": 2,
}  # fmt: skip
"""Minutes of attended work where the text tells none: the house conventions."""


@dataclass(slots=True)
class Ending:
    """The components of a story, and what is wrong with them."""

    components: list[Component] = field(default_factory=list)
    steps: list[ReadStep] = field(default_factory=list)
    untimed: list[tuple[Node, Step]] = field(default_factory=list)
    tops: list[Node] = field(default_factory=list)


def ended(story: Story) -> Ending:
    """What a story comes to."""
    _finish(story)
    ending = Ending()
    for node in story.nodes:
        if (
            node.within is None
            and not (node.kind == "group" and not node.firm)
            and node.kind != "promise"
        ):
            if node.kind != "food" and not any(True for _ in node.leaves()):
                continue
            ending.tops.append(node)
            ending.components.append(_component(node, story.doneness, ending))
    ending.components.sort(key=str)
    return ending


def _finish(story: Story) -> None:
    """Keep promises, take loose groups apart, forget what was only asked about."""
    told = next((e for nodes, e in story.waiting if e.kind == "heat" and not nodes), None)
    if told is not None and story.group is not None and not story.group.firm:
        story.focus = [story.group]
        story.tell(replace(told, foods=(), others=(), flags=frozenset()))
    if story.placed is not None:
        story.tell(Event(kind="time", words=Words(0, 0), sentence=10**6))
    for nodes, event in list(story.waiting):
        for node in nodes:
            ways = [
                p for (food, p), entry in story.doneness.items()
                if food == node.name and event.level in entry.levels
            ]  # fmt: skip
            if event.level and len(ways) == 1 and node.heat() is None:
                batch = Batch(ways[0], event.sentence, level=event.level)
                batch.admit(node, Step(ways[0], [event.words], event.sentence), Entry(0))
                story.waiting.remove((nodes, event))
    for promise in [n for n in story.nodes if n.kind == "promise"]:
        typical = story.lexicon.mixtures.get(promise.name, [])
        could = [
            n for n in story.nodes
            if n.within is None and n.kind in ("mix", "batch") and (
                promise.name in n.labels or any(leaf.name in typical for leaf in n.leaves())
                or not typical
            ) and n is not promise
        ]  # fmt: skip
        if could:
            story.fulfil(promise, could[-1])
        else:
            story.unkept.append(promise)
            if promise.within is not None:
                promise.within.parts.remove(promise)
            story.nodes.remove(promise)
    for group in [n for n in story.nodes if n.kind == "group"]:
        if len(group.parts) == 1 and group.firm:
            only = group.parts[0]
            only.steps += [s for s in group.steps if s.process != "assemble"]
            for step in only.steps:
                if step.batch is not None and group in step.batch.members:
                    step.batch.members[only] = step.batch.members.pop(group)
            group.firm = False
        if not group.firm:
            for part in list(group.parts):
                part.within = group.within
                if group.within is not None:
                    group.within.parts.append(part)
            if group.within is not None:
                group.within.parts.remove(group)
            group.parts.clear()
    for node in story.asked:
        if node in story.nodes and not node.steps and node.within is None:
            story.nodes.remove(node)


def _component(node: Node, doneness: DonenessTable, ending: Ending) -> Component:
    if node.kind == "food":
        component = Component(node.name)
    else:
        inner = [part for part in node.parts if node not in part.walk()]
        component = combine(_component(part, doneness, ending) for part in inner)
    for step in node.steps:
        spec, source, words = _spec(node, step, doneness, ending)
        if spec is None:
            continue
        again = component.steps and component.steps[-1].process == spec.process
        if again and spec.process not in HEAT:
            continue
        component = component.with_steps((*component.steps, spec))
        ending.steps.append(
            ReadStep(food=component.name, step=str(spec), words=tuple(words), source=source)
        )
    return component


def _spec(
    node: Node, step: Step, doneness: DonenessTable, ending: Ending
) -> tuple[StepSpec | None, Source, list[Words]]:
    words = list(step.words)
    batch = step.batch
    if batch is None:
        process = step.process
        if process == "cut":
            process = "slice" if "slice" in node.labels else "chop"
        if step.span is not None:
            return (
                StepSpec(process, step.span.low, step.span.high),
                "told",
                [*words, step.span.words],
            )
        minutes = STANDARD[process]
        return StepSpec(process, minutes, minutes), "house", words
    level = step.level or batch.level
    entry = doneness.get((node.name, step.process))
    if level and entry is not None and level in entry.levels:
        return StepSpec(step.process, *entry.levels[level], level), "told", words
    found = batch.minutes(node)
    if found is None:
        if not step.soft:
            ending.untimed.append((node, step))
        return None, "told", words
    low, high, source, more = found
    return StepSpec(step.process, low, high), source, [*words, *more]
