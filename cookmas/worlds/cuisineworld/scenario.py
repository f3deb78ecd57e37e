"""Scenarios of CuisineWorld: a level, an order interval, a number of agents, and the orders.

A level is a kitchen with its dishes. The book (`tasks/book.yaml`) has all shipped levels and
recipes. The orders are drawn by a seed; no planner may see them beforehand.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from cookmas.episodes.instruction import TimedInstruction
from cookmas.episodes.scenario import FileScenario
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, Name, Title, validate
from cookmas.worlds.cuisineworld.rules.book import (
    TaskBook,
    book,
    build_kitchen,
    kitchen_in,
    recipe_text,
)
from cookmas.worlds.cuisineworld.rules.engine import CuisineTask
from cookmas.worlds.cuisineworld.rules.kitchen import EPISODES, MOST_AGENTS, STEPS, CuisineKitchen
from cookmas.worlds.cuisineworld.world import CuisineWorld


def build_task(
    level: str, tau: str, agents: int, *, seed: int = 0, episode: int = 1
) -> CuisineTask:
    """Return the task of one episode of a run: the kitchen and its orders.

    Raise MissingError for an unknown level, InputError for another invalid argument.
    """
    kitchen = build_kitchen(level, tau, agents)
    return CuisineTask(kitchen=kitchen, stream=stream_of(kitchen, seed, episode))


def stream_of(kitchen: CuisineKitchen, seed: int, episode: int) -> tuple[str, ...]:
    """Return the dishes that are ordered in an episode of a run, one in each interval.

    The episodes of a run (1 to 3) draw their dishes from one random generator, one after the other.
    Raise InputError for another number of an episode.
    """
    if not 1 <= episode <= EPISODES:
        raise InputError("episode", f"{episode} is not between 1 and {EPISODES}")
    draw = random.Random(seed)
    return [draw_stream(draw, kitchen) for _ in range(episode)][-1]


def draw_stream(
    draw: random.Random, kitchen: CuisineKitchen, steps: int = STEPS
) -> tuple[str, ...]:
    """Draw and return the dishes that are ordered in the next episode, of `steps` timesteps."""
    return tuple(draw.choice(kitchen.dishes) for _ in range(steps // kitchen.interval + 1))


def order_events(
    kitchen: CuisineKitchen, stream: Sequence[str]
) -> list[tuple[int, dict[str, Any]]]:
    """Return an event with its timestep for each dish: one in each interval, from timestep 0 on."""
    return [
        (number * kitchen.interval, {"kind": "order", "dish": dish})
        for number, dish in enumerate(stream)
    ]


MOST_RECIPES = 200
"""Greatest number of recipes that are not in the book."""

MOST_INSTRUCTIONS = 200
"""Greatest number of instructions of the supervisor."""

OWN = "own"
"""Name of the level that a scenario's file describes itself."""


def _interval(value: Any) -> Any:
    """Return a number, such as 2, as tau is written: "2.0". Return anything else unchanged."""
    if type(value) not in (int, float, str):
        return value
    text = str(value)
    return text if "." in text else f"{text}.0"


class OwnLevel(FileModel):
    """A level that the scenario's file describes itself, because it is not in the book."""

    places: Annotated[list[Name], Field(min_length=1, max_length=99)]
    """The kind of each place, such as `pot`."""
    dishes: Annotated[list[Name], Field(min_length=1, max_length=99)]
    """The dishes, in the order that the random draws of orders use."""


class CuisineFile(FileModel):
    """The content of a scenario's file."""

    world: Literal["cuisineworld"] = "cuisineworld"
    title: Title = ""
    kitchen: Name | None = None
    """Name of a level in the book; None if `own` is given."""
    own: OwnLevel | None = None
    """A level that is described here, because it is not in the book; None if `kitchen` is given."""
    recipes: Annotated[dict[Name, dict[Name, list[Name]]], Field(max_length=MOST_RECIPES)] = Field(
        default_factory=dict
    )
    """Recipes that are not in the book: for each product its tool, and for the tool its items."""
    agents: Annotated[int, Field(ge=1, le=MOST_AGENTS)] = 2
    """Number of agents."""
    tau: Annotated[Literal["1.0", "1.5", "2.0", "2.5", "3.0"], BeforeValidator(_interval)] = "1.0"
    """Factor of the interval between orders; with a smaller one more orders come."""
    seed: int = 0
    """Seed of the orders; the three episodes of a run have the same seed."""
    episode: Annotated[int, Field(ge=1, le=EPISODES)] = 1
    """Number of the episode in its run, from 1."""
    instructions: Annotated[list[TimedInstruction], Field(max_length=MOST_INSTRUCTIONS)] = Field(
        default_factory=list
    )
    """Instructions of the supervisor, with their timesteps."""


@dataclass(frozen=True, kw_only=True)
class CuisineScenario(FileScenario):
    """A scenario of CuisineWorld."""

    draws_events = True

    file: CuisineFile
    world_type: type[CuisineWorld] = CuisineWorld

    @cached_property
    def source(self) -> TaskBook:
        """The shipped book, completed with the level and the recipes in the scenario's file."""
        whole, file = book(), self.file
        if file.own is None and not file.recipes:
            return whole
        data = whole.model_dump()
        data["recipes"].update(file.recipes)
        if file.own is not None:
            data["levels"][OWN] = file.own.model_dump()
        return validate(TaskBook, data, str(self.path))

    @cached_property
    def kitchen(self) -> CuisineKitchen:
        """The kitchen of the level."""
        return kitchen_in(self.source, self.file.kitchen or OWN, self.file.tau, self.file.agents)

    @property
    def horizon(self) -> int:
        """Number of timesteps of an episode, which is the same for all levels."""
        return STEPS

    def check(self) -> None:
        """Raise InputError if the level is not sound, MissingError if the book has no such level.

        The file must either name a level or describe one.
        """
        named, levels = self.file.kitchen, self.source.levels
        if (named is None) == (self.file.own is None):
            why = "expected the name of a level as kitchen, or a level as own"
            raise InputError(str(self.path), why)
        if named is not None and named not in levels:
            known = ", ".join(levels)
            raise MissingError(f"there is no level {named!r}; the levels are {known}")

    def world(self) -> CuisineWorld:
        """Return the kitchen with its agents as a world."""
        return self.world_type(self.kitchen, self.source)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the orders, one in each interval from timestep 0 on, and the instructions.

        Each is an event with its timestep.
        """
        stream = stream_of(self.kitchen, self.file.seed, self.file.episode)
        orders = [each for each in order_events(self.kitchen, stream) if each[0] < STEPS]
        return [*orders, *(each.event() for each in self.file.instructions)]

    @property
    def texts(self) -> Mapping[str, str]:
        """The recipe of each dish in words."""
        kitchen = self.kitchen
        return {dish: recipe_text(dish, kitchen.recipes) for dish in kitchen.dishes}
