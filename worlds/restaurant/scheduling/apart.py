"""Cooking apart: what cooks longer than the rest of a pot is cooked by itself before.

Usually what cooks for less goes into the running pot later. A worker alone cannot always bring it
in time. Food that is cooked twice in a row has cooked for all the minutes together, so what takes
longest may begin by itself; then everything goes into the pot at the same time.
"""

from __future__ import annotations

from dataclasses import replace

from kitchen.components import Component, StepSpec
from kitchen.stages import Joining, joining_of


def choose_joining(component: Component, apart: bool) -> Joining:
    """Return how the parts of a component become one food, `apart` with some cooked before."""
    join = joining_of(component)
    return cook_apart(join) if apart and join.cooking else join


def cook_apart(join: Joining) -> Joining:
    """Return a join in a vessel for which all parts can go in and come out at the same time.

    What must cook for longer than another part may is cooked by itself for the minutes that this
    leaves. The minutes to choose from are shared out between both times.
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
