"""Layers: foods assembled in one go and foods assembled one after the other are the same dish.

For example, bread with butter, and ham on that, is bread, butter and ham. Foods that were only
assembled, and are then assembled with others, count as if all had been assembled at once. To plate
is to assemble too, so on a plate they count as if each lay there singly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from kitchen.components import Component
from kitchen.foods import Food
from kitchen.layout import ASSEMBLE

Node = TypeVar("Node", Food, Component)


def on_plate(foods: Iterable[Node]) -> tuple[Node, ...]:
    """Return the foods of a dish, or the components it should have, without nested layers."""
    return tuple(single for food in foods for single in _singles(food))


def in_one_go(food: Node) -> Node:
    """Return a food or component in which nested layers are one layer."""
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
