"""The things in hands and stations: foods with their history, plates and dishes.

The menu says how long each food cooks (`doneness`). Nothing grows cold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple


class FoodStep(NamedTuple):
    """One process that was applied to a food, and for how many timesteps."""

    process: str
    minutes: int

    def __str__(self) -> str:
        return f"{self.process} {self.minutes}"


@dataclass(frozen=True, slots=True)
class Food:
    """Anything edible, with its whole history."""

    name: str
    """The name of a raw ingredient; for a mixture, its sorted ingredients joined by `+`."""
    parts: tuple[Food, ...] = ()
    """The foods that were mixed, assembled or cooked together; empty for a raw ingredient.

    Each part keeps the history it had at that time. Parts are sorted, so that the order in which
    they were put in has no effect.
    """
    steps: tuple[FoodStep, ...] = ()
    """The processes applied to the raw ingredient, or to the joined parts, oldest first.

    The same process twice in a row is one step with the minutes added up.
    """
    _text: str = field(default="", init=False, repr=False, compare=False)
    """The text of the food, put together once."""

    def __str__(self) -> str:
        if not self._text:
            inner = f"({' + '.join(map(str, self.parts))})" if self.parts else self.name
            object.__setattr__(self, "_text", " > ".join((inner, *map(str, self.steps))))
        return self._text

    def apply(self, process: str, minutes: int) -> Food:
        """Return this food after `process` was applied for `minutes` (0: the same food)."""
        if minutes == 0:
            return self
        done = self.steps
        if done and done[-1].process == process:
            done, minutes = done[:-1], done[-1].minutes + minutes
        return Food(self.name, self.parts, (*done, FoodStep(process, minutes)))

    def ingredients(self) -> tuple[str, ...]:
        """Return the names of the raw ingredients in this food, sorted, with repetitions."""
        if not self.parts:
            return (self.name,)
        return tuple(sorted(leaf for part in self.parts for leaf in part.ingredients()))


@lru_cache(maxsize=1024)
def make_raw(name: str) -> Food:
    """Return a raw ingredient; equal calls return the same object."""
    return Food(name)


def join(foods: tuple[Food, ...]) -> Food:
    """Return several foods as one, named after its ingredients ("egg+milk"); one food as it is."""
    if len(foods) == 1:
        return foods[0]
    parts = tuple(sorted(foods, key=str))
    leaves = sorted({leaf for part in parts for leaf in part.ingredients()})
    return Food("+".join(leaves), parts)


@dataclass(frozen=True, slots=True)
class Plate:
    """A clean plate."""

    def __str__(self) -> str:
        return "plate"


@dataclass(frozen=True, slots=True)
class Dish:
    """A plate with its components, sorted. Only a dish can be served."""

    components: tuple[Food, ...]

    def __str__(self) -> str:
        return f"dish[{'; '.join(map(str, self.components))}]"


PLATE = Plate()

Thing = Food | Plate | Dish
"""A thing that one hand or one slot of a station can hold."""


def make_dish(foods: tuple[Food, ...]) -> Dish:
    """Return the dish of a plate with these foods, given in any order."""
    return Dish(tuple(sorted(foods, key=str)))
