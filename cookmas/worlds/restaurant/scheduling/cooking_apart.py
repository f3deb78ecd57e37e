"""Cooking apart: food that cooks longer than the rest of a pot cooks alone first.

Usually the food that cooks for less goes into the running pot later. A single worker cannot always
bring that food in time. Food that is cooked twice in a row counts as cooked for the sum of the
minutes. So the food that takes longest may begin alone; then everything goes into the pot at the
same time.
"""

from __future__ import annotations

from dataclasses import replace

from cookmas.kitchen.components import Component, StepSpec
from cookmas.kitchen.stages import Joining, joining_of


def choose_joining(component: Component, apart: bool) -> Joining:
    """Return how the parts of a component become one food.

    With `apart`, parts that cook longer than the rest of a vessel cook alone first.
    """
    join = joining_of(component)
    return cook_apart(join) if apart and join.cooking else join


def cook_apart(join: Joining) -> Joining:
    """Return a join in a vessel in which all parts go in and come out at the same time.

    All parts cook together for as long as the part with the shortest time allows. A part that must
    cook for longer cooks alone before, for the difference. Half of the minutes by which its recipe
    lets it cook longer go to the cooking alone, the rest to the common one.
    """
    together = min(step.high for step in join.cooking)
    parts: list[Component] = []
    cooking: list[StepSpec] = []
    for part, step in zip(join.parts, join.cooking, strict=True):
        before = step.low - together
        if before > 0:
            spare = (step.high - step.low) // 2
            alone = StepSpec(step.process, before, before + spare)
            part = part.with_steps((*part.steps, alone))
            step = StepSpec(step.process, together, step.high - before - spare)
        parts.append(part)
        cooking.append(step)
    return replace(join, parts=tuple(parts), cooking=tuple(cooking))
