"""Work with the hands: cutting, peeling, mixing, putting together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worlds.restaurant.reading.foods import Node, Step
from worlds.restaurant.reading.referring import remarked, resolve
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import MIXING, PREP, Event


def work(story: Story, event: Event) -> None:
    """Do something to foods with the hands or a machine."""
    named = resolve(story, event.foods, event)
    if event.process in MIXING:
        _mix(story, event, [*(named or story.focus), *resolve(story, event.others, event)])
        return
    nodes = named or story.focus or remarked(story, event)
    nodes = [node for node in nodes if node.name not in story.lexicon.sets["uncut"]]
    if not nodes:
        story.loose += [event] if event.foods else []
        return
    last = story.previous
    if "likewise" in event.cues and last is not None and last.kind == "work":
        event = replace(event, span=event.span or last.span)
    steps = [_prepared(part, event) for node in nodes for part in _cuttable(node, event)]
    if "attribute" not in event.cues:
        story.speak(nodes, steps)


def _cuttable(node: Node, event: Event) -> Sequence[Node]:
    """What a knife goes to: of things put together, or told to be mixed, what was named last."""
    if node.loose or (node.kind == "mix" and "past" in event.cues):
        return [max(node.leaves(), key=lambda leaf: leaf.last)]
    return [] if event.process == "cut" and node.kind in ("group", "mix") else [node]


def _prepared(node: Node, event: Event) -> Step:
    """Let a node be cut or peeled: a new step, or one that was told of already."""
    process, early, cuts = event.process, _is_early(node, event), PREP - {"peel"} | {"cut"}
    for step in node.steps:
        free = step.soft or "corrects" in event.cues or "cut" in (process, step.process)
        same = step.process == process or (free and {process, step.process} <= cuts)
        if same and (process == "cut" or early or node.heat() is None):
            step.process = step.process if process == "cut" else process
            step.words.append(event.words)
            step.span = event.span or step.span
            return step
    soft = "attribute" in event.cues
    step = Step(process, [event.words], event.sentence, span=event.span, soft=soft)
    node.insert(step, early=early)
    return step


def _is_early(node: Node, event: Event) -> bool:
    """Whether work that is told after a cooking was done before it."""
    heat, cues = node.heat(), event.cues
    if heat is None or heat.batch is None:
        return event.process == "peel"
    untold = not heat.batch.timed and not heat.batch.level
    elsewhere = heat.sentence != event.sentence and "base" not in cues
    shared = len(heat.batch.members) > 1 or elsewhere
    return "earlier" in cues or untold or (shared and "afterwards" not in cues)


def _mix(story: Story, event: Event, nodes: Sequence[Node]) -> None:
    """Mix what is named or spoken of, and what comes to it."""
    tops = list(dict.fromkeys(node.top() for node in nodes))
    if len(tops) == 1:
        tops = _near(story, event) or tops
    if not tops:
        story.loose.append(event)
    elif len(tops) == 1:
        _mix_one(story, event, tops[0])
    else:
        mixes = (top for top in tops if top.kind == "mix" and top.sentence >= event.sentence - 1)
        mix = next(mixes, None)
        if mix is None:
            for top in tops:  # what was beaten and is mixed again is mixed once
                if top.kind == "food" and top.steps and top.steps[-1].process == event.process:
                    event = replace(event, span=event.span or top.steps.pop().span)
            mix = Node("mix", sentence=event.sentence, words=[event.words])
            mix.steps.append(Step(event.process, [event.words], event.sentence, span=event.span))
        mix.take(tops)
        story.made(mix)
        story.speak([mix], mix.steps[-1:])


def _near(story: Story, event: Event) -> list[Node]:
    """A food by itself is not mixed: what it is mixed with was named shortly before."""
    for since in (event.sentence, event.sentence - 1):
        near = [node.top() for node in story.nodes if node.said >= since and not node.heat()]
        if len(set(near)) > 1:
            return list(dict.fromkeys(near))
    return []


def _mix_one(story: Story, event: Event, top: Node) -> None:
    """Mash or blend what is one already, or mix what was only put together."""
    known = top.find(event.process)
    if "stir" in event.cues and (top.kind == "batch" or top.heat() is not None):
        return
    top.firm = True
    if known is not None:
        known.words.append(event.words)
        known.span = event.span or known.span
    else:
        known = Step(event.process, [event.words], event.sentence, span=event.span)
        top.steps.append(known)
    story.speak([top], [known])


def join(story: Story, event: Event) -> None:
    """Put foods together; it becomes one only if it is cooked or worked on as one."""
    named = resolve(story, event.foods, event)
    others = resolve(story, event.others, event)
    coat, group = "coat" in event.cues, story.group
    if group is None or any(ref.kind != "pronoun" for ref in (*event.foods, *event.others)):
        joined = dict.fromkeys([*(named or story.focus), *(others or story.focus)])
        if group is None or (coat and not any(group in (n, n.top()) for n in joined)):
            if len({node.top() for node in joined}) < 2 and "dish" not in event.cues:
                story.focus = list(joined) or story.focus
                return
            group = story.new(Node("group", sentence=event.sentence, coat=coat))
        group.words.append(event.words)
        group.take(node.top() for node in joined)
    story.speak([group])
    if event.span is not None:
        group.assembly().span = event.span
