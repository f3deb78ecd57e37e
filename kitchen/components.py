"""Components and foods in a readable notation: what a dish needs, and what is there.

    tomato > slice 1
    beef patty > grill medium
    (oil + vinegar + mustard) > mix 2

A component is the name of a food, or several foods joined by `+` in brackets, followed by its steps
in order. A step is a process with its minutes (`boil 10-12` includes both ends), or a process with
a level of doneness. The public doneness table turns levels into minutes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from cookmas.files.errors import NotationError
from cookmas.kitchen.foods import PLATE, Dish, Food, FoodStep, Thing, join, make_dish

MOST_MINUTES = 10_000
"""Maximum minutes of a step."""

MOST_NESTED = 16
"""Maximum depth of nested brackets."""


class StepSpec(NamedTuple):
    """A required step: `process` for at least `low` and at most `high` timesteps."""

    process: str
    low: int
    high: int
    level: str | None = None
    """The level of doneness that the minutes stand for; None if the recipe names minutes."""

    def __str__(self) -> str:
        if self.level:
            return f"{self.process} {self.level}"
        minutes = f"{self.low}" if self.low == self.high else f"{self.low}-{self.high}"
        return f"{self.process} {minutes}"


@dataclass(frozen=True, slots=True)
class Component:
    """A food as a recipe wants it."""

    name: str
    """The name of an ingredient; for joined parts, their sorted ingredients joined by `+`."""
    parts: tuple[Component, ...] = ()
    """The components that are joined into this one; empty for a single ingredient."""
    steps: tuple[StepSpec, ...] = ()
    """The steps applied to the ingredient or to the joined parts, in order."""

    def __str__(self) -> str:
        inner = f"({' + '.join(map(str, self.parts))})" if self.parts else self.name
        return " > ".join((inner, *map(str, self.steps)))

    def walk(self) -> Iterator[Component]:
        """Yield this component and all components inside it, outermost first."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def ingredients(self) -> tuple[str, ...]:
        """Return the names of the raw ingredients, sorted, with repetitions."""
        return tuple(sorted(node.name for node in self.walk() if not node.parts))

    def with_steps(self, steps: Iterable[StepSpec]) -> Component:
        """Return the same component with other steps."""
        return replace(self, steps=tuple(steps))

    def in_minutes(self) -> Component:
        """Return the same component without names of levels, which only stand for minutes."""
        inner = combine(part.in_minutes() for part in self.parts) if self.parts else self
        return inner.with_steps(step._replace(level=None) for step in self.steps)


class Doneness(NamedTuple):
    """The public doneness of one food under one process."""

    levels: Mapping[str, tuple[int, int]]
    """The minutes of each level, from and to, both included."""
    burnt: int
    """The minutes from which the food is burnt."""


DonenessTable = Mapping[tuple[str, str], Doneness]
"""The doneness of each (food, process).

A food without an entry takes its minutes from the recipe.
"""


def combine(parts: Iterable[Component]) -> Component:
    """Join parts into one component; return a single part unchanged."""
    ordered = tuple(sorted(parts, key=str))
    if len(ordered) == 1:
        return ordered[0]
    leaves = sorted({leaf for part in ordered for leaf in part.ingredients()})
    return Component("+".join(leaves), ordered)


def find_unshared(
    mine: Iterable[Component], theirs: Iterable[Component]
) -> tuple[list[Component], list[Component]]:
    """Return the components that only the first of two dishes has, and those that only the second
    has.

    Levels are compared as minutes. A component that occurs several times counts several times.
    """
    one, other = (Counter(each.in_minutes() for each in dish) for dish in (mine, theirs))
    return [*(one - other).elements()], [*(other - one).elements()]


def fits(food: Food, component: Component) -> bool:
    """Return whether `food` is exactly what `component` asks for."""
    if len(food.steps) != len(component.steps) or bool(food.parts) != bool(component.parts):
        return False
    if not food.parts and food.name != component.name:
        return False
    steps = zip(food.steps, component.steps, strict=True)
    if any(s.process != w.process or not w.low <= s.minutes <= w.high for s, w in steps):
        return False
    return pair_off(food.parts, component.parts) is not None


def pair_off(foods: tuple[Food, ...], components: tuple[Component, ...]) -> dict[int, int] | None:
    """Match all foods one to one with all components.

    Returns the index of the component for the index of each food; None if there is no such
    matching.
    """
    if len(foods) != len(components):
        return None
    wanted = [[c for c, component in enumerate(components) if fits(f, component)] for f in foods]
    matching = maximum_matching(wanted)
    return matching if len(matching) == len(foods) else None


def maximum_matching(wanted: list[list[int]]) -> dict[int, int]:
    """Return a largest one-to-one matching of left nodes with right nodes that they accept.

    `wanted` lists the right nodes that each left node accepts. The algorithm is Kuhn's augmenting
    paths in index order, so the result is always the same.
    """
    owner: dict[int, int] = {}

    def assign(left: int, seen: set[int]) -> bool:
        for right in wanted[left]:
            if right in seen:
                continue
            seen.add(right)
            if right not in owner or assign(owner[right], seen):
                owner[right] = left
                return True
        return False

    for left in range(len(wanted)):
        assign(left, set())
    return {left: right for right, left in owner.items()}


_TOKEN = re.compile(r"\s*(?:([()+>])|([^()+>]+))")


def parse_component(text: str, doneness: DonenessTable) -> Component:
    """Return the component that a text in this notation describes.

    Raises NotationError, which says what is wrong and where.
    """
    tokens: list[str] = []
    for match in _TOKEN.finditer(text):
        tokens.append((match[1] or match[2]).strip())
    tokens = [token for token in tokens if token]
    depth = accumulate((token == "(") - (token == ")") for token in tokens)
    if max(depth, default=0) > MOST_NESTED:
        raise NotationError(text, f"nests brackets more than {MOST_NESTED} deep")
    component, rest = _parse(tokens, text, doneness)
    if rest:
        raise NotationError(text, f"unexpected {rest[0]!r}; expected '>' or the end")
    return component


def _parse(tokens: list[str], text: str, doneness: DonenessTable) -> tuple[Component, list[str]]:
    if not tokens:
        raise NotationError(text, "unexpected end; expected a food or '('")
    head, tokens = tokens[0], tokens[1:]
    if head == "(":
        parts: list[Component] = []
        while True:
            part, tokens = _parse(tokens, text, doneness)
            parts.append(part)
            if not tokens or tokens[0] not in ("+", ")"):
                raise NotationError(text, "expected '+' or ')' after a part")
            closing, tokens = tokens[0], tokens[1:]
            if closing == ")":
                break
        if len(parts) == 1:
            raise NotationError(text, "brackets join at least two foods")
        component = combine(parts)
    elif head in ")+>":
        raise NotationError(text, f"unexpected {head!r}; expected a food or '('")
    else:
        component = Component(head)
    while tokens and tokens[0] == ">":
        if len(tokens) < 2 or tokens[1] in "()+>":
            raise NotationError(text, "expected a step, such as 'chop 2', after '>'")
        step = _parse_step(tokens[1], component, text, doneness)
        component = component.with_steps((*component.steps, step))
        tokens = tokens[2:]
    return component, tokens


def _parse_step(step: str, component: Component, text: str, doneness: DonenessTable) -> StepSpec:
    process, _, minutes = step.partition(" ")
    if match := re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", minutes):
        low, high = int(match[1]), int(match[2] or match[1])
        if not 1 <= low <= high <= MOST_MINUTES:
            raise NotationError(
                text, f"{step!r} needs minutes from 1 to {MOST_MINUTES}, the smaller number first"
            )
        return StepSpec(process, low, high)
    entry = doneness.get((component.name, process))
    if entry is None or minutes not in entry.levels:
        known = ", ".join(entry.levels) if entry else "none"
        raise NotationError(text, f"{step!r} needs minutes or a level of doneness (here: {known})")
    return StepSpec(process, *entry.levels[minutes], minutes)


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
