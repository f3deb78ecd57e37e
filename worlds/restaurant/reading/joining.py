"""Putting together: what lies in or on something, and what is coated."""

from __future__ import annotations

from worlds.restaurant.reading.foods import Node, Step
from worlds.restaurant.reading.referring import resolve
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.values import Event


def join(story: Story, event: Event) -> None:
    """Put foods together; it becomes one only if it is cooked or worked on as one."""
    named = resolve(story, event.foods, event)
    others = resolve(story, event.others, event)
    coat = "coat" in event.cues
    if not named and not others:
        if story.group is None and (coat or "dish" in event.cues):
            beaten = coat and story.focus and story.focus[0].kind == "mix"
            named = [] if beaten else list(story.focus)
        elif not coat:
            return
    only = all(ref.kind == "pronoun" for ref in (*event.foods, *event.others))
    group = story.group if story.group is not None and not story.group.firm else None
    if only and group is not None and not (coat and story.focus != [group]):
        story.speak([group])
        if event.span is not None:
            assembled(story, event)
        return
    named, others = _coated(story, event, named, others)
    subjects = named or [node for node in story.focus if node not in others]
    _grouped(story, event, list(dict.fromkeys([*subjects, *others])), group)


def _coated(
    story: Story, event: Event, named: list[Node], others: list[Node]
) -> tuple[list[Node], list[Node]]:
    """What is coated, and with what."""
    mix = story.focus[0] if story.focus and story.focus[0].kind == "mix" else None
    if not named and not others and mix is not None and mix.parts[-1].said == event.sentence:
        part = mix.parts.pop()  # it was no part of the coat after all
        part.within = None
        return [part], [mix]
    if named and not others:
        others = [node for node in story.focus if node not in named]
    return named, others


def _grouped(story: Story, event: Event, joined: list[Node], group: Node | None) -> None:
    coat = "coat" in event.cues
    if coat and story.group not in joined:
        joined = [node for node in joined if node.kind != "group"]
    if group is None or (coat and not any(group in (n, n.top()) for n in joined)):
        if len({node.top() for node in joined}) < 2 and "dish" not in event.cues:
            story.focus = joined or story.focus
            return
        group = story.group = story.new(Node("group", sentence=event.sentence, coat=coat))
    group.words.append(event.words)
    group.coat = group.coat or coat
    group.take(node.top() for node in joined if node.top() is not group)
    story.speak([group])
    if event.span is not None:
        assembled(story, event)


def assembled(story: Story, event: Event) -> None:
    """Minutes of putting together."""
    assert story.group is not None
    step = story.group.find("assemble")
    if step is None:
        step = Step("assemble", [event.words], event.sentence)
        story.group.steps.insert(0, step)
    step.span = event.span
    story.targets = [step]
