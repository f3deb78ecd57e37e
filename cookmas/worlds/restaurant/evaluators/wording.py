"""Foods and their history, in words that a cook understands.

`name_fault` decides whether a food with wrong minutes is underdone, overdone or burnt.
"""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.kitchen.components import Component, DonenessTable, StepSpec
from cookmas.kitchen.foods import Food, FoodStep
from cookmas.kitchen.layout import WORK

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
"""The participle of each process, for the food that it was applied to."""


def describe(food: Food | Component) -> str:
    """Return a food or component with its steps in words: `tomato, sliced for 1 minute`."""
    return ", ".join((_describe_parts(food), *map(describe_step, food.steps)))


def name_ingredients(food: Food | Component) -> str:
    """Return a food's ingredients in words."""
    return join_words(food.name.split("+"))


def join_words(words: Sequence[str]) -> str:
    """Return words as a list in a sentence: `oil`, `oil and vinegar`, `oil, salt and vinegar`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def describe_step(step: FoodStep | StepSpec) -> str:
    """Return a step in words.

    Examples: `boiled for 10 to 12 minutes`, `grilled rare (4 to 5 minutes)`, `put together`.
    """
    done = DONE[step.process]
    if step.process == "assemble":
        return done
    if isinstance(step, StepSpec) and step.level:
        return f"{done} {step.level} ({describe_minutes(step)})"
    return f"{done} for {describe_minutes(step)}"


def describe_minutes(step: FoodStep | StepSpec) -> str:
    """Return the minutes of a step in words: `1 minute`, `6 minutes`, `10 to 12 minutes`."""
    low, high = (step.low, step.high) if isinstance(step, StepSpec) else (step.minutes,) * 2
    if low < high:
        return f"{low} to {high} minutes"
    return "1 minute" if low == 1 else f"{low} minutes"


def name_fault(name: str, step: FoodStep, spec: StepSpec, doneness: DonenessTable) -> str:
    """Return the word for a step whose minutes are out of range: `underdone`, `overdone`, `burnt`.

    For attended work, which burns nothing, the word is `too short` or `too long`. Food is burnt
    from the minutes that the doneness table gives for it. A food without an entry there is burnt
    from twice the longest wanted minutes.
    """
    short = step.minutes < spec.low
    if step.process in WORK:
        return "too short" if short else "too long"
    if short:
        return "underdone"
    entry = doneness.get((name, step.process))
    burnt = entry.burnt if entry else 2 * spec.high
    return "burnt" if step.minutes >= burnt else "overdone"


def _describe_parts(food: Food | Component) -> str:
    if not food.parts:
        return food.name
    parts = [f"({describe(p)})" if p.steps or p.parts else p.name for p in food.parts]
    return join_words(parts)
