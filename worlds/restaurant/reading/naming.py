"""Fragments: foods that are only named, and times and levels by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worlds.restaurant.reading.cooking import add, at_place, heat, tell_batches
from worlds.restaurant.reading.foods import Node, Step
from worlds.restaurant.reading.referring import resolve
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import JOINING, MIXING, PREP, Event
from worlds.restaurant.reading.working import assembled, join, work

LONG = 4
"""Minutes that nobody takes to cut a food."""


def tell(story: Story, event: Event, upcoming: Event | None = None) -> None:
    """Take in one event, with a look at the one after it."""
    story.upcoming = upcoming
    jump = next((cue[5:] for cue in event.cues if cue.startswith("jump ")), "")
    if jump:
        story.speak(*story.stations.get(jump, (story.focus, story.targets)))
        return
    if story.place is not None and event.sentence > story.place.sentence + 1:
        story.place = None
    if "aside" in event.cues:
        story.aside = event
        return
    {
        "work": work, "heat": heat, "join": join, "add": add, "name": name, "serve": name,
        "drop": Story.drop, "uncut": Story.uncut, "time": time,
    }[event.kind](story, event)  # fmt: skip
    if event.foods and event.foods[0].kind == "food":
        story.aside = None
    story.worked = event if event.kind == "work" else story.worked
    story.previous = event
    if "redirected" not in event.cues:
        story.stations[event.step] = (list(story.focus), list(story.targets))


def name(story: Story, event: Event) -> None:
    """Foods are named: something is said of them by what stands around."""
    if "known" in event.cues:
        known = tuple(ref for ref in event.foods if ref.value in story.foods)
        event = replace(event, foods=known)
    named = resolve(story, event.foods, event)
    named = [node for node in named if node.kind != "promise"]
    if named and event.kind == "name" and _taken_on(story, event, named):
        return
    if named and "while" in event.cues and not event.level:
        return
    if named:
        story.speak(named)
    time(story, event)


def _taken_on(story: Story, event: Event, named: list[Node]) -> bool:
    """Whether foods go on with what was told before them; then it is told of them as well."""
    last, cues = story.previous, event.cues
    roles = {ref.role for ref in event.foods if ref.kind != "pronoun"} or {""}
    if "likewise" in cues and _likewise(story, event, named):
        return True
    if story.place is not None and all(n.kind in ("food", "mix") for n in named):
        at_place(story, event, story.place)
        return True
    if event.span is not None and roles <= {"for", "on"} and _timed_for(story, event, named):
        return True
    if roles <= {"on", "over", "onto"} and not event.span and "asked" not in cues:
        return True
    if "on" in cues and story.group is not None:
        join(story, replace(event, kind="join", cues=cues | {"build"}))
        return True
    here = last is not None and last.sentence == event.sentence
    joined = last is not None and here and last.kind == "join"
    mixed = last is not None and here and last.process in MIXING
    together = "and" in cues or roles == {"with"}
    if last and (joined or mixed) and (together or (joined and "afterwards" in cues)):
        tell(story, replace(last, foods=(), others=event.foods, span=event.span), story.upcoming)
        return True
    put = roles <= {"into", "in"} or roles == {"with"}
    if put and not {"asked", "while"} & cues:
        story.focus = list(dict.fromkeys([*story.focus, *named]))
        return True
    done, soon = story.worked, story.upcoming
    timed = soon is not None and soon.kind == "time" and soon.sentence == event.sentence
    timed = timed or "afterwards" in cues or event.span is not None
    new = done is not None and not any(node.find(done.process) for node in named)
    if done and new and timed and done.process in PREP and done.sentence == event.sentence:
        again = replace(done, foods=event.foods, words=event.words, span=event.span)
        tell(story, again, story.upcoming)  # `slice the leek, then the carrot`
        return True
    return False


def _likewise(story: Story, event: Event, named: list[Node]) -> bool:
    """`same with the carrots`: what was done to the food before is done to these."""
    models = [node for node in story.focus if node.kind == "food" and node not in named]
    if models and story.worked is not None and not any(node.steps for node in named):
        steps: list[Step] = []
        for node in named:
            for step in models[-1].steps:
                if step.process in PREP:
                    again = Step(step.process, [event.words], event.sentence, span=step.span)
                    node.steps.append(again)
            steps += node.steps[-1:]
        story.speak(named, steps)
        time(story, replace(event, foods=()))
        return True
    last = story.previous
    if last is None or last.kind not in ("work", "heat"):
        return False
    same = replace(
        last, words=event.words, sentence=event.sentence, foods=event.foods, others=(),
        span=event.span or last.span, level=event.level, cues=last.cues - {"earlier"},
    )  # fmt: skip
    tell(story, same)
    return True


def _timed_for(story: Story, event: Event, named: list[Node]) -> bool:
    """`two minutes for the potatoes`: of what was told of these, whatever is spoken of."""
    targets = [
        step for node in named
        if (step := next((s for s in node.steps if s.process in PREP and s.span is None), None)
            or _unfinished(node))
    ]  # fmt: skip
    focus, passed = story.focus, story.targets
    if targets:
        story.speak(named, targets)
        time(story, replace(event, foods=()))
        story.speak(focus, passed)
    return bool(targets)


def _unfinished(node: Node) -> Step | None:
    """The step of a node that a time by itself would be of."""
    return node.heat() or (node.steps[-1] if node.steps else None)


def time(story: Story, event: Event) -> None:
    """A time or a level by itself: of what was told last that lacks one."""
    if event.level:
        _level(story, event)
    if event.span is None:
        return
    for node in story.focus:
        node.asked = False
    if story.group is not None and story.focus == [story.group]:
        assembled(story, story.group, event)
        return
    fresh = all(node.heat() is None for node in story.focus)
    pot = bool(story.batches) and story.batches[-1].process in JOINING
    cut = all(step.process in PREP for step in story.targets)
    if event.span.extent in ("last", "more") and story.focus and fresh and pot and cut:
        add(story, replace(event, kind="add", foods=(), others=()))
        return
    targets = _timeable(story, event.span.low, event.sentence)
    if not targets:
        story.waiting.append((list(story.focus), event))
    elif not tell_batches(story, targets, replace(event, level=""), story.focus):
        for step in targets:
            step.span = event.span


def _timeable(story: Story, low: int, sentence: int) -> Sequence[Step]:
    """The steps that a time by itself is of: nobody cuts for long, or is timed for it later."""
    targets = story.targets or [step for n in story.focus if (step := _unfinished(n))]
    if any(s.process not in PREP or (s.sentence == sentence and low <= LONG) for s in targets):
        return targets
    heats = [
        step for node in story.focus
        if (step := node.heat()) is not None and step.batch is not None and not step.batch.timed
    ]  # fmt: skip
    return heats or (targets if low <= LONG else [])


def _level(story: Story, event: Event) -> None:
    for node in story.focus:
        ways = story.ways(node, event.level)
        step = next((step for process in ways if (step := node.find(process))), None)
        if step is not None and step.batch is not None:
            if not step.batch.level or "corrects" in event.cues:
                step.batch.level = event.level
        elif ways:
            story.waiting.append(([node], replace(event, span=None)))
