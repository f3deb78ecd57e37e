"""Things in text: `potato > peel 1`, `plate`, `dish[lettuce; tomato > slice 1]`."""

from __future__ import annotations

from functools import lru_cache

from files.errors import NotationError
from kitchen.components import Component, parse_component
from kitchen.foods import PLATE, Dish, Food, Step, Thing, join, make_dish


@lru_cache(maxsize=65536)
def parse_food(text: str) -> Food:
    """Read a food with its history, as `str(food)` writes it."""
    return _as_food(parse_component(text, {}), text)


def _as_food(component: Component, text: str) -> Food:
    if any(step.low != step.high for step in component.steps):
        raise NotationError(text, "a food has exact minutes")
    steps = tuple(Step(step.process, step.low) for step in component.steps)
    if not component.parts:
        return Food(component.name, (), steps)
    joined = join(tuple(_as_food(part, text) for part in component.parts))
    return Food(joined.name, joined.parts, steps)


@lru_cache(maxsize=4096)
def parse_thing(text: str) -> Thing:
    """Read a food, plate or dish, as `str(thing)` writes it."""
    if text == str(PLATE):
        return PLATE
    if text.startswith("dish[") and text.endswith("]"):
        return parse_dish(text)
    return parse_food(text)


def parse_dish(text: str) -> Dish:
    """Read a dish, as `str(dish)` writes it."""
    return make_dish(tuple(parse_food(food) for food in text[5:-1].split("; ")))
