"""Times that were told of no step, and steps of which no time was told: one may be the other's."""

from __future__ import annotations

from worlds.restaurant.reading.discourse import COOKING
from worlds.restaurant.reading.story import Story
from worlds.restaurant.reading.text import Span

NEAR = 2
"""Sentences between a step and its time, at most."""


def leftover_times(story: Story) -> list[tuple[int, Span]]:
    """Times that no step has taken, except those that only say when something else begins.

    Each comes with its sentence.
    """
    return [(sentence, span) for sentence, span in _unused(story) if not span.later]


def untimed(story: Story) -> frozenset[int]:
    """The sentences of cooking for which no time is known."""
    return frozenset(
        event.sentence for event in story.events
        if event.process in COOKING and not all(s.told or s.passing for s in event.steps)
    )  # fmt: skip


def settle_levels(story: Story) -> None:
    """Cook foods of which a level of doneness was told, but not that they are cooked."""
    for name, level in story.levels.items():
        thing = story.memory.foods.get(name)
        ways = [
            process for (food, process), entry in sorted(story.doneness.items())
            if food == name and level in entry.levels
        ]  # fmt: skip
        if thing is not None and len(ways) == 1 and thing.settled() is thing and not any(
            step.process in COOKING for step in thing.steps
        ):  # fmt: skip
            thing.add_step(ways[0], earlier=False).tell(None, level)


def settle_places(story: Story) -> None:
    """Forget where a food went of which is told only later how it is cooked, as part of a whole."""
    for thing in story.memory.foods.values():
        top = thing.top()
        for step in thing.steps:
            if top is not thing and step.soft and not step.told and top.step_of(step.process):
                step.passing = True


def settle_times(story: Story) -> None:
    """Give cooking of no told time the nearest time that was told of nothing else."""
    free: dict[int, list[Span]] = {}
    for sentence, span in _unused(story):
        free.setdefault(sentence, []).append(span)
    for event in story.events:
        steps = [step for step in event.steps if not step.told and not step.passing]
        if event.process not in COOKING or not steps:
            continue
        around = sorted(
            range(event.sentence - NEAR, event.sentence + NEAR + 1),
            key=lambda sentence: (abs(sentence - event.sentence), sentence < event.sentence),
        )
        near = next((free[sentence] for sentence in around if free.get(sentence)), None)
        if near is not None:
            span = near.pop(0)
            for step in steps:
                step.tell(span, None)


def _unused(story: Story) -> list[tuple[int, Span]]:
    taken = {id(step.span) for event in story.events for step in event.steps}
    return [(sentence, span) for sentence, span in story.heard if id(span) not in taken]
