"""Foods, and what was done to them, in words that a cook understands."""

from __future__ import annotations

from collections.abc import Sequence

from kitchen.components import Component, DonenessTable, StepSpec
from kitchen.foods import Food, Step
from kitchen.layout import WORK

DONE = {
    "chop": "chopped",
    "slice": "sliced",
    "peel": "peeled",
    "grate": "grated",
    "mix": "mixed",
    "blend": "blended",
    "knead": "kneaded",
    "assemble": "put together",
    "grill": "grilled",
    "fry": "fried",
    "deep-fry": "deep-fried",
    "boil": "boiled",
    "bake": "baked",
}
"""What a food is once a process has been done to it."""


def described(food: Food | Component) -> str:
    """A food with all that was, or is to be, done to it: `tomato, sliced for 1 minute`."""
    return ", ".join((_inner(food), *map(said, food.steps)))


def called(food: Food | Component) -> str:
    """What a food is called: its ingredients."""
    return listed(food.name.split("+"))


def listed(words: Sequence[str]) -> str:
    """`oil`, `oil and vinegar`, `oil, salt and vinegar`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def said(step: Step | StepSpec) -> str:
    """One step: `boiled for 10 to 12 minutes`, `grilled rare (4 to 5 minutes)`, `put together`."""
    done = DONE[step.process]
    if step.process == "assemble":
        return done
    if isinstance(step, StepSpec) and step.level:
        return f"{done} {step.level} ({minutes(step)})"
    return f"{done} for {minutes(step)}"


def minutes(step: Step | StepSpec) -> str:
    """`1 minute`, `6 minutes`, `10 to 12 minutes`."""
    low, high = (step.low, step.high) if isinstance(step, StepSpec) else (step.minutes,) * 2
    if low < high:
        return f"{low} to {high} minutes"
    return "1 minute" if low == 1 else f"{low} minutes"


def fault(name: str, step: Step, spec: StepSpec, doneness: DonenessTable) -> str:
    """Underdone, overdone or burnt, for minutes outside of what was wanted; of work: too short.

    Only what cooks unattended burns: from the minutes of the doneness table, or, for a food
    without an entry, from twice the most that was wanted.
    """
    short = step.minutes < spec.low
    if step.process in WORK:
        return "too short" if short else "too long"
    if short:
        return "underdone"
    entry = doneness.get((name, step.process))
    burnt = entry.burnt if entry else 2 * spec.high
    return "burnt" if step.minutes >= burnt else "overdone"


def _inner(food: Food | Component) -> str:
    if not food.parts:
        return food.name
    parts = [f"({described(p)})" if p.steps or p.parts else p.name for p in food.parts]
    return listed(parts)
