"""Layers: foods put together in one go or one after the other are the same dish.

Bread with butter, and ham on that, is bread, butter and ham. So where assembled foods are assembled
with others, and nothing was done to them in between, they count as if all had been assembled at
once; and on a plate, which is assembled too, as if they lay there singly.
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
    """The foods of a dish, or the components it is to have, with no layer left in another."""
    return tuple(single for food in foods for single in _singles(food))


def in_one_go(food: Node) -> Node:
    """A food, or what it should be, with all that was assembled one after the other put as one."""
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
