"""The text notation of things: `potato > peel 1`, `plate`, `dish[lettuce; tomato > slice 1]`."""

from __future__ import annotations

from functools import lru_cache

from cookmas.files.errors import NotationError
from cookmas.kitchen.components import Component, parse_component
from cookmas.kitchen.foods import PLATE, Dish, Food, FoodStep, Thing, join, make_dish


@lru_cache(maxsize=65536)
def parse_food(text: str) -> Food:
    """Return the food that a text stands for, with its history; the inverse of `str(food)`.

    Raises NotationError.
    """
    return _to_food(parse_component(text, {}), text)


def _to_food(component: Component, text: str) -> Food:
    if any(step.low != step.high for step in component.steps):
        raise NotationError(text, "a food has exact minutes")
    steps = tuple(FoodStep(step.process, step.low) for step in component.steps)
    if not component.parts:
        return Food(component.name, (), steps)
    joined = join(tuple(_to_food(part, text) for part in component.parts))
    return Food(joined.name, joined.parts, steps)


@lru_cache(maxsize=4096)
def parse_thing(text: str) -> Thing:
    """Return the food, plate or dish that a text stands for; the inverse of `str(thing)`.

    Raises NotationError.
    """
    if text == str(PLATE):
        return PLATE
    if text.startswith("dish[") and text.endswith("]"):
        return parse_dish(text)
    return parse_food(text)


def parse_dish(text: str) -> Dish:
    """Return the dish that a text stands for; the inverse of `str(dish)`. Raises NotationError."""
    return make_dish(tuple(parse_food(food) for food in text[5:-1].split("; ")))
