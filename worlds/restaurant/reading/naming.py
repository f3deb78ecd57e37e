"""Fragments: foods that are only named, and times and levels by themselves."""

from __future__ import annotations

from dataclasses import replace

from worlds.restaurant.reading.cooking import add, at_place, heat, tell_batches
from worlds.restaurant.reading.foods import Node
from worlds.restaurant.reading.referring import resolve
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import MIXING, PREP, Event
from worlds.restaurant.reading.working import join, work

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
    story.worked = event if event.kind == "work" else story.worked
    story.previous, story.aside = event, None
    story.stations[event.step] = (story.focus, story.targets)


def name(story: Story, event: Event) -> None:
    """Foods are named: something is said of them by what stands around."""
    named = [n for n in resolve(story, event.foods, event) if n.kind != "promise"]
    if named:
        told = event.kind == "name" and _taken_on(story, event, named)
        if told or "while" in event.cues:
            return
        story.speak(named)
    time(story, event)


def _taken_on(story: Story, event: Event, named: list[Node]) -> bool:
    """Whether foods go on with what was told before them; then it is told of them as well."""
    roles = {ref.role for ref in event.foods}
    open_ = [step for node in named for step in node.steps[:1]]
    if story.place is not None:
        at_place(story, event, story.place)
        return True
    if event.span is not None and roles == {"for"}:
        story.speak(named, open_)  # `two minutes for the potatoes`
        time(story, event)
        return True
    if roles == {"on"} and not event.span:
        return True
    again = _again(story, event, named, together="and" in event.cues or roles == {"with"})
    if again is not None:
        tell(story, again, story.upcoming)
    return again is not None


def _again(story: Story, event: Event, named: list[Node], *, together: bool) -> Event | None:
    """What was told before, as it is told of more foods: `same with`, `slice the leek, then`."""
    last, done, soon, cues = story.previous, story.worked, story.upcoming, event.cues
    if last is not None and "likewise" in cues and last.kind in ("work", "heat"):
        return replace(last, words=event.words, foods=event.foods, span=event.span or last.span)
    if "on" in cues and story.group is not None:
        return replace(event, kind="join", cues=cues | {"build"})
    joined = last is not None and (last.kind == "join" or last.process in MIXING)
    near = last is not None and last.sentence == event.sentence
    if last is not None and joined and near and (together or "afterwards" in cues):
        return replace(last, foods=(), others=event.foods, span=event.span)
    if done is not None and done.sentence == event.sentence and done.process in PREP:
        timed = event.span is not None or (soon is not None and soon.kind == "time")
        if timed and not any(node.find(done.process) for node in named):
            return replace(done, words=event.words, foods=event.foods, span=event.span)
    return None


def time(story: Story, event: Event) -> None:
    """A time or a level by itself: of what was told last that lacks one."""
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
        if batches and (not batches[0].level or "corrects" in event.cues):
            batches[0].level = event.level
        elif ways and not batches:
            story.waiting.append(([node], replace(event, span=None)))
