"""Layers: foods assembled in one go and foods assembled one after the other are the same dish.

For example, ham on buttered bread is the same as bread, butter and ham assembled at once. If foods
were only assembled, and then assembled with others, they count as if all had been assembled at
once. Plating is assembling too, so foods that were only assembled count as single foods on a plate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from cookmas.kitchen.components import Component
from cookmas.kitchen.foods import Food
from cookmas.kitchen.layout import ASSEMBLE

Node = TypeVar("Node", Food, Component)


def on_plate(foods: Iterable[Node]) -> tuple[Node, ...]:
    """Return the foods of a dish, or its wanted components, with assembled foods taken apart."""
    return tuple(single for food in foods for single in _singles(food))


def in_one_go(food: Node) -> Node:
    """Return a food or component with its nested layers merged into one."""
    if not food.parts:
        return food
    assembled = bool(food.steps) and food.steps[0].process == ASSEMBLE
    parts = on_plate(food.parts) if assembled else map(in_one_go, food.parts)
    return replace(food, parts=tuple(sorted(parts, key=str)))


def _singles(food: Node) -> Iterator[Node]:
    if food.parts and [step.process for step in food.steps] == [ASSEMBLE]:
        yield from on_plate(food.parts)
    else:
        yield in_one_go(food)
