"""The interpreter of events: it updates the story with work, joining, names and times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worlds.restaurant.reading.cooking import add, heat, tell_batches
from worlds.restaurant.reading.referring import remarked, resolve
from worlds.restaurant.reading.story import Node, Step, Story
from worlds.restaurant.reading.values import MIXING, PREP, Event

LONG = 4
"""Maximum minutes of cutting one food."""


def tell(story: Story, event: Event, upcoming: Event | None = None) -> None:
    """Update the story with an event; `upcoming` is the event after it."""
    story.upcoming = upcoming
    if event.jump:
        story.speak(*story.stations.get(event.jump, (story.focus, story.targets)))
        return
    if story.place is not None and event.sentence > story.place.sentence + 1:
        story.place = None
    if event.has("aside"):
        story.aside = event
        return
    {
        "work": work, "heat": heat, "join": join, "add": add, "name": name, "serve": name,
        "drop": Story.drop, "uncut": Story.uncut, "time": time,
    }[event.kind](story, event)  # fmt: skip
    story.worked = event if event.kind == "work" else story.worked
    story.previous, story.aside = event, None
    story.stations[event.step] = (story.focus, story.targets)


def name(story: Story, event: Event) -> None:
    """Interpret foods that are mentioned without a verb, by their context."""
    named = [n for n in resolve(story, event.foods, event) if n.kind != "promise"]
    if named:
        told = event.kind == "name" and _taken_on(story, event, named)
        if told or event.has("while"):
            return
        story.speak(named)
    time(story, event)


def _taken_on(story: Story, event: Event, named: list[Node]) -> bool:
    """Apply the preceding statement to further foods; return whether there was one to apply."""
    roles = {ref.role for ref in event.foods}
    open_ = [step for node in named for step in node.steps[:1]]
    place = story.place
    if place is not None:
        told = replace(event, kind="heat", process=place.process, span=event.span or place.span)
        heat(story, told)
        story.place = place
        return True
    if event.span is not None and roles == {"for"}:
        story.speak(named, open_)  # `two minutes for the potatoes`
        time(story, event)
        return True
    if roles == {"on"} and not event.span:
        return True
    again = _again(story, event, named, together=event.has("and") or roles == {"with"})
    if again is not None:
        tell(story, again, story.upcoming)
    return again is not None


def _again(story: Story, event: Event, named: list[Node], *, together: bool) -> Event | None:
    """Return the preceding event for further foods, as in `same with`; None if none applies."""
    last, done, soon = story.previous, story.worked, story.upcoming
    if last is not None and event.has("likewise") and last.kind in ("work", "heat"):
        return replace(last, words=event.words, foods=event.foods, span=event.span or last.span)
    if event.has("on") and story.group is not None:
        return replace(event, kind="join").with_cues("build")
    joined = last is not None and (last.kind == "join" or last.process in MIXING)
    near = last is not None and last.sentence == event.sentence
    if last is not None and joined and near and (together or event.has("afterwards")):
        return replace(last, foods=(), others=event.foods, span=event.span)
    if done is not None and done.sentence == event.sentence and done.process in PREP:
        timed = event.span is not None or (soon is not None and soon.kind == "time")
        if timed and not any(node.find(done.process) for node in named):
            return replace(done, words=event.words, foods=event.foods, span=event.span)
    return None


def time(story: Story, event: Event) -> None:
    """Assign a time or level without a verb to the last step that lacks one."""
    _level(story, event)
    if event.span is None:
        return
    for node in story.focus:
        node.asked = False
    if story.focus == [story.group]:
        story.focus[0].assembly().span = event.span
        return
    heats = [step for node in story.focus if (step := node.heat())]
    if event.span.extent in ("last", "more") and not heats and story.batches:
        add(story, replace(event, kind="add", foods=(), others=()))
        return
    last = [step for node in story.focus for step in node.steps[-1:]]
    targets = story.targets or heats or last
    if all(step.process in PREP and step.sentence != event.sentence for step in targets):
        # nobody cuts for long, or is timed for it later
        cut = targets if event.span.low <= LONG else []
        targets = [step for step in heats if step.batch and not step.batch.timed] or cut
    if not targets:
        story.waiting.append((story.focus, event))
    elif not tell_batches(story, targets, replace(event, level=""), story.focus):
        for step in targets:
            step.span = event.span


def _level(story: Story, event: Event) -> None:
    for node in story.focus:
        ways = story.ways(node, event.level)
        batches = [step.batch for way in ways if (step := node.find(way)) and step.batch]
        if batches and (not batches[0].level or event.has("corrects")):
            batches[0].level = event.level
        elif ways and not batches:
            story.waiting.append(([node], replace(event, span=None)))


def work(story: Story, event: Event) -> None:
    """Apply work by hand or machine to foods."""
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
    if event.has("likewise") and last is not None and last.kind == "work":
        event = replace(event, span=event.span or last.span)
    steps = [_prepared(part, event) for node in nodes for part in _cuttable(node, event)]
    if not event.has("attribute"):
        story.speak(nodes, steps)


def _cuttable(node: Node, event: Event) -> Sequence[Node]:
    """Return the foods that a knife is applied to.

    Of several foods that are put together or mixed, it is the one mentioned last.
    """
    if node.loose or (node.kind == "mix" and event.has("past")):
        return [max(node.leaves(), key=lambda leaf: leaf.last, default=node)]
    return [] if event.process == "cut" and node.kind in ("group", "mix") else [node]


def _prepared(node: Node, event: Event) -> Step:
    """Return the step of cutting or peeling a node: a refined earlier step, or a new one."""
    process, early, cuts = event.process, _is_early(node, event), PREP - {"peel"} | {"cut"}
    for step in node.steps:
        free = step.soft or event.has("corrects") or "cut" in (process, step.process)
        same = step.process == process or (free and {process, step.process} <= cuts)
        if same and (process == "cut" or early or node.heat() is None):
            step.process = step.process if process == "cut" else process
            step.words.append(event.words)
            step.span = event.span or step.span
            return step
    soft = event.has("attribute")
    step = Step(process, [event.words], event.sentence, span=event.span, soft=soft)
    node.insert(step, early=early)
    return step


def _is_early(node: Node, event: Event) -> bool:
    """Return whether work that is stated after a cooking step was done before it."""
    heat = node.heat()
    if heat is None or heat.batch is None:
        return event.process == "peel"
    untold = not heat.batch.timed and not heat.batch.level
    elsewhere = heat.sentence != event.sentence and not event.has("base")
    shared = len(heat.batch.members) > 1 or elsewhere
    return event.has("earlier") or untold or (shared and not event.has("afterwards"))


def _mix(story: Story, event: Event, nodes: Sequence[Node]) -> None:
    """Mix the given nodes into one."""
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
    """Return the foods that were mentioned shortly before, as partners for a food to be mixed."""
    for since in (event.sentence, event.sentence - 1):
        near = [node.top() for node in story.nodes if node.said >= since and not node.heat()]
        if len(set(near)) > 1:
            return list(dict.fromkeys(near))
    return []


def _mix_one(story: Story, event: Event, top: Node) -> None:
    """Mash or blend a node that is one item, or mix a group."""
    known = top.find(event.process)
    if event.has("stir") and (top.kind == "batch" or top.heat() is not None):
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
    """Put foods together in a group, which becomes one item only if it is cooked or worked on."""
    named = resolve(story, event.foods, event)
    others = resolve(story, event.others, event)
    coat, group = event.has("coat"), story.group
    if group is None or any(ref.kind != "pronoun" for ref in (*event.foods, *event.others)):
        joined = dict.fromkeys([*(named or story.focus), *(others or story.focus)])
        if group is None or (coat and not any(group in (n, n.top()) for n in joined)):
            if len({node.top() for node in joined}) < 2 and not event.has("dish"):
                story.focus = list(joined) or story.focus
                return
            group = story.new(Node("group", sentence=event.sentence, coat=coat))
        group.words.append(event.words)
        group.take(node.top() for node in joined)
    story.speak([group])
    if event.span is not None:
        group.assembly().span = event.span
