"""What workers hold and stations contain: foods with their history, plates and dishes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple


class Step(NamedTuple):
    """One thing that was done to a food, and for how many timesteps."""

    process: str
    minutes: int

    def __str__(self) -> str:
        return f"{self.process} {self.minutes}"


@dataclass(frozen=True, slots=True)
class Food:
    """Anything edible, with its whole history.

    A raw ingredient has a `name` and no `parts`. A mixture has `parts`: the foods that were mixed,
    assembled or cooked together, each with the history it had when they were joined, sorted so that
    the order of putting them in leaves no mark. `steps` is what was done since, oldest first;
    the same process twice in a row is one step with the minutes added up. Its text is put together
    once.
    """

    name: str
    parts: tuple[Food, ...] = ()
    steps: tuple[Step, ...] = ()
    _text: str = field(default="", init=False, repr=False, compare=False)

    def __str__(self) -> str:
        if not self._text:
            inner = f"({' + '.join(map(str, self.parts))})" if self.parts else self.name
            object.__setattr__(self, "_text", " > ".join((inner, *map(str, self.steps))))
        return self._text

    def after(self, process: str, minutes: int) -> Food:
        """Return this food once `process` has been done to it for `minutes` (none: unchanged)."""
        if minutes == 0:
            return self
        done = self.steps
        if done and done[-1].process == process:
            done, minutes = done[:-1], done[-1].minutes + minutes
        return Food(self.name, self.parts, (*done, Step(process, minutes)))

    def ingredients(self) -> tuple[str, ...]:
        """Names of the raw ingredients in this food, sorted, with repetitions."""
        if not self.parts:
            return (self.name,)
        return tuple(sorted(leaf for part in self.parts for leaf in part.ingredients()))


@lru_cache(maxsize=1024)
def raw(name: str) -> Food:
    """Return a raw ingredient; equal ones are one object."""
    return Food(name)


def join(foods: tuple[Food, ...]) -> Food:
    """Several foods as one, named after their ingredients ("egg+milk"); a single food is itself."""
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
    """A plate with its components, sorted: what can be served."""

    components: tuple[Food, ...]

    def __str__(self) -> str:
        return f"dish[{'; '.join(map(str, self.components))}]"


PLATE = Plate()

Thing = Food | Plate | Dish
"""What one hand, or one slot of a station, can hold."""


def make_dish(foods: tuple[Food, ...]) -> Dish:
    """The dish that lies on a plate with these foods, in any order."""
    return Dish(tuple(sorted(foods, key=str)))
