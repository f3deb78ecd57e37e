"""Work with the hands: cutting, peeling, mixing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worlds.restaurant.reading.foods import Node, Step
from worlds.restaurant.reading.referring import resolve
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import MIXING, Event

_CUTS = frozenset({"chop", "slice", "grate", "cut"})


def work(story: Story, event: Event) -> None:
    """Do something to foods with the hands or a machine."""
    named = resolve(story, event.foods, event)
    if event.process in MIXING:
        _mix(story, event, named, resolve(story, event.others, event))
        return
    nodes = named or list(story.focus)
    if not nodes and story.aside is not None:
        nodes = [story.food(ref.value, ref, event) for ref in story.aside.foods]
    if {ref.value for ref in event.foods} == {"one"}:
        nodes = nodes[-1:]
    nodes = [node for node in nodes if node.name not in story.lexicon.sets["uncut"]]
    if not nodes:
        story.loose += [event] if event.foods else []
        return
    last = story.previous
    if event.span is None and "likewise" in event.cues and last and last.kind == "work":
        event = replace(event, span=last.span)
    steps = [_prepared(part, event) for node in nodes for part in _cuttable(node, event)]
    if "attribute" not in event.cues:
        story.speak(nodes, steps)


def _cuttable(node: Node, event: Event) -> Sequence[Node]:
    """What a knife goes to: of things put together, or told to be mixed, what was named last."""
    if node.kind == "group" and not node.firm and not node.coat:
        return node.parts[-1:]
    if node.kind == "mix" and "past" in event.cues:
        return [max(node.leaves(), key=lambda leaf: leaf.last)]
    return [] if event.process == "cut" and node.kind in ("group", "mix") else [node]


def _prepared(node: Node, event: Event) -> Step:
    """Let a node be cut or peeled: a new step, or one that was told of already."""
    process, heat, early = event.process, node.heat(), _is_early(node, event)
    for step in node.steps:
        free = step.soft or "corrects" in event.cues or "cut" in (process, step.process)
        swapped = free and process in _CUTS and step.process in _CUTS
        later = heat is None or node.steps.index(step) > node.steps.index(heat)
        if (step.process == process or swapped) and (process == "cut" or early or later):
            step.process = step.process if process == "cut" else process
            step.words.append(event.words)
            step.span = event.span or step.span
            return step
    soft = bool({"while", "attribute"} & event.cues)
    step = Step(process, [event.words], event.sentence, span=event.span, soft=soft)
    node.insert(step, early=early)
    return step


def _is_early(node: Node, event: Event) -> bool:
    """Whether work that is told after a cooking was done before it."""
    heat, cues = node.heat(), event.cues
    if "earlier" in cues or heat is None or heat.batch is None:
        return "earlier" in cues or event.process == "peel"
    if not heat.batch.timed and not heat.batch.level:
        return True
    if "afterwards" in cues:
        return False
    elsewhere = heat.sentence != event.sentence
    return len(heat.batch.members) > 1 or (elsewhere and not {"base", "finite"} & cues)


def _mix(story: Story, event: Event, named: list[Node], others: list[Node]) -> None:
    """Mix what is named or spoken of, and what comes to it."""
    nodes = [*(named or story.focus), *others]
    tops = list(dict.fromkeys(node.top() for node in nodes))
    for top in tops if len(tops) > 1 else ():  # what was beaten and is mixed again is mixed once
        if top.kind == "food" and top.steps and top.steps[-1].process == event.process:
            event = replace(event, span=event.span or top.steps.pop().span)
    if len(tops) == 1 and tops[0].kind == "food" and tops[0].heat() is None:
        tops = _joined(story, event) or tops
    if not tops:
        story.loose.append(event)
    elif len(tops) == 1:
        _mix_one(story, event, tops[0])
    else:
        mix = next((top for top in tops if top.kind == "mix" and _is_open(top, event)), None)
        if mix is None:
            mix = Node("mix", sentence=event.sentence, words=[event.words])
            mix.steps.append(Step(event.process, [event.words], event.sentence, span=event.span))
        mix.take(top for top in tops if top is not mix)
        story.made(mix)
        story.speak([mix], mix.steps[-1:])


def _is_open(mix: Node, event: Event) -> bool:
    """Whether what was just mixed may still take something."""
    last = mix.steps[-1]
    return mix.sentence >= event.sentence - 1 and last.span is None and not event.span


def _joined(story: Story, event: Event) -> list[Node]:
    """A food by itself is not mixed: what it is mixed with was named shortly before."""
    for since in (event.sentence, event.sentence - 1):
        near = [
            node.top() for node in story.nodes
            if node.kind == "food" and node.said >= since and not node.asked
            and node.heat() is None
        ]  # fmt: skip
        if len(set(near)) > 1:
            return list(dict.fromkeys(near))
    return []


def _mix_one(story: Story, event: Event, top: Node) -> None:
    """Mash or blend what is one already, or mix what was only put together."""
    known = top.find(event.process)
    cooked = top.kind == "batch" or top.heat() is not None
    if known is None and "stir" in event.cues and cooked and event.span is None:
        return
    if top.kind == "group" and not top.firm:
        top.kind, top.firm, top.steps = "mix", True, []
        story.group = None
    if known is not None and top.steps[-1:] == [known]:
        known.words.append(event.words)
        known.span = event.span or known.span
    else:
        known = Step(event.process, [event.words], event.sentence, span=event.span)
        top.steps.append(known)
    story.speak([top], [known])
