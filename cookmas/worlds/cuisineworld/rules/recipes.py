"""Recipes in words: one sentence for each cooking step, the dish last."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cookmas.worlds.cuisineworld.rules.kitchen import Recipe, steps_of

_STEP = re.compile(r"Put ([^.]+?) into the (\w+) and activate it: this becomes (\w+)\.")
_BETWEEN = re.compile(r", | and ")


def recipe_text(dish: str, recipes: Mapping[str, Recipe]) -> str:
    """Return the recipe of a dish in words: one sentence for each cooking step, in order."""
    steps = dict.fromkeys(steps_of(dish, recipes))
    sentences = [
        f"Put {_list(step.inputs)} into the {step.tool} and activate it: "
        f"this becomes {step.product}."
        for step in steps
    ]
    return " ".join([*sentences, f"Bring {dish} to the serving table."])


def _list(items: tuple[str, ...]) -> str:
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def read_recipe(text: str) -> list[Recipe]:
    """Return the cooking steps in a text that `recipe_text` wrote; ignore other sentences."""
    return [
        Recipe(match[3], match[2], tuple(_BETWEEN.split(match[1].strip())))
        for match in _STEP.finditer(text)
    ]
