"""Scenarios of Collab-Overcooked: a layout, orders with their probabilities, and a time limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from pydantic import Field

from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, Name, Title, validate
from cookmas.worlds.base.settings import check_name, choose_word, number, parse_whole_number
from cookmas.worlds.collab_overcooked.building import build_kitchen
from cookmas.worlds.collab_overcooked.kitchen import DELIVERY, CollabKitchen
from cookmas.worlds.collab_overcooked.layouts import LayoutFile, layout
from cookmas.worlds.collab_overcooked.planning.known import goal_of
from cookmas.worlds.collab_overcooked.planning.stepwise import describe_steps, number_steps
from cookmas.worlds.collab_overcooked.scene import Tables
from cookmas.worlds.collab_overcooked.state import dump_tables
from cookmas.worlds.collab_overcooked.tasks.book import DishEntry, FoodName, book, tables_of
from cookmas.worlds.collab_overcooked.world import CollabWorld

HORIZON = 120
"""Greatest number of timesteps of an episode."""

WORDS: Mapping[str, Sequence[str]] = {
    "mode": ("default", "original"),
    "recipe": ("prose", "steps"),
}
"""The options that are words, with their values."""

SETTINGS = ("gamma", "mode", "recipe", "moved", "seed")
"""The options that a user can give with the name of a scenario."""


class ScenarioFile(FileModel):
    """The content of a scenario's file."""

    world: Literal["collab-overcooked"] = "collab-overcooked"
    title: Title = ""
    layout: Name = "isolated"
    """Name of a layout that comes with CookMAS."""
    own_layout: LayoutFile | None = None
    """A layout in place of `layout`."""
    orders: Annotated[
        dict[FoodName, Annotated[float, Field(gt=0, le=1)]], Field(min_length=1, max_length=100)
    ]
    """The dishes that may be ordered, each with its probability."""
    dishes: Annotated[dict[FoodName, DishEntry], Field(max_length=100)] = Field(
        default_factory=dict
    )
    """The dishes of the kitchen; if empty, those of the book."""
    raw: Annotated[list[FoodName], Field(max_length=200)] = Field(default_factory=list)
    """What the ingredient dispenser gives; if empty, what the book names."""
    gamma: Annotated[float, Field(gt=0, le=10)] = 1.5
    """Factor of the published time; their product is the time limit."""
    mode: Literal["default", "original"] = "default"
    """`original`: the kitchen has the faults of the original engine."""
    recipe: Literal["prose", "steps"] = "prose"
    """Whether the recipe is in prose, or has a step for each action of a plan."""
    moved: Annotated[int, Field(ge=0, le=200)] = 0
    """Number of the step that comes first in a recipe by steps; 0: none is moved."""
    seed: int = 0
    """Seed with which the order is drawn."""


@dataclass(frozen=True, kw_only=True)
class CollabScenario:
    """A scenario from a file; its only order is drawn from those of the file."""

    name: str
    """Name of the scenario."""
    path: Path
    """Its file."""
    file: ScenarioFile
    """Content of the file."""

    @property
    def seed(self) -> int:
        """Seed of the order."""
        return self.file.seed

    @cached_property
    def dishes(self) -> Mapping[str, DishEntry]:
        """The dishes that the kitchen knows: the file's own, or those of the book."""
        return self.file.dishes or book().dishes

    @cached_property
    def tables(self) -> Tables:
        """The synthesis tables of the kitchen."""
        return tables_of(self.dishes.values(), () if self.file.dishes else book().besides)

    @cached_property
    def layout(self) -> LayoutFile:
        """The layout of the kitchen."""
        return self.file.own_layout or layout(self.file.layout)

    @cached_property
    def kitchen(self) -> CollabKitchen:
        """The kitchen."""
        raw = self.file.raw or book().raw
        original = self.file.mode == "original"
        return build_kitchen(self.layout, self.dishes, raw, self.tables, original=original)

    @cached_property
    def order(self) -> str:
        """The dish that is ordered, drawn with the seed."""
        names = list(self.file.orders)
        drawn = Random(f"{self.seed}/order").choices(names, [*self.file.orders.values()])
        return drawn[0]

    @property
    def horizon(self) -> int:
        """Number of timesteps: gamma times the published time, rounded down, and at most 120.

        It is 120 if the dish has no published time.
        """
        published = self.dishes[self.order].published
        return HORIZON if published is None else min(int(self.file.gamma * published), HORIZON)

    @property
    def digest(self) -> str:
        """Digest of the content without the seed."""
        return digest({name: x for name, x in self.data().items() if name != "seed"})

    def data(self) -> dict[str, Any]:
        """Return the content of the file as plain data."""
        return self.file.model_dump(mode="json", exclude_defaults=True)

    def world(self) -> CollabWorld:
        """Return the kitchen as a world."""
        return CollabWorld(self.kitchen)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the order, at timestep 0, with the synthesis tables that its recipe is from."""
        return [(0, {"kind": "order", "dish": self.order, "tables": dump_tables(self.tables)})]

    async def look_up(self, key: str) -> str:
        """Return the recipe of a dish. Raise MissingError if there is none."""
        if key not in self.dishes:
            raise MissingError(f"there is no recipe for {key!r}")
        return self.recipe(key)

    def recipe(self, dish: str) -> str:
        """Return the recipe of a dish, as its readers see it."""
        steps = self.recipe_steps(dish) if self.file.recipe == "steps" else []
        return number_steps(steps, self.file.moved) if steps else self.dishes[dish].text

    def recipe_steps(self, dish: str) -> list[str]:
        """Return the steps of a dish, one for each action of a plan; none if no plan is known."""
        goal = goal_of(self.kitchen, dish, self.tables)
        return [] if goal is None else describe_steps(goal)


@dataclass(frozen=True, kw_only=True)
class DrawnCollabScenario(CollabScenario):
    """A scenario in which the seed decides what is ordered."""

    drawn: str = "the order"

    def redraw(self, seed: int) -> DrawnCollabScenario:
        """Return the same scenario with the order of another seed."""
        return replace(self, file=self.file.model_copy(update={"seed": seed}))


def build(name: str, path: Path, data: Any, settings: Mapping[str, str]) -> CollabScenario:
    """Return the scenario of plain data and options. Raise InputError or MissingError."""
    file = validate(ScenarioFile, data, str(path))
    file = file.model_copy(update=_parse_options(settings))
    kind = DrawnCollabScenario if len(file.orders) > 1 else CollabScenario
    scenario = kind(name=name, path=path, file=file)
    if strange := [dish for dish in file.orders if dish not in scenario.dishes]:
        raise InputError(str(path), f"orders: there is no recipe for {strange[0]!r}")
    if file.moved:
        _check_moved(scenario)
    if DELIVERY not in scenario.kitchen.places:
        raise InputError(str(path), "layout: there is no place of delivery, an S in the grid")
    return scenario


def _check_moved(scenario: CollabScenario) -> None:
    """Raise InputError if a recipe lacks the step that is moved."""
    file = scenario.file
    if file.recipe != "steps":
        raise InputError(str(scenario.path), "moved: only a recipe by steps has steps to move")
    fewest = min(len(scenario.recipe_steps(dish)) for dish in file.orders)
    if not 0 <= file.moved <= fewest:
        raise InputError(str(scenario.path), f"moved: expected 0 to {fewest}, not {file.moved}")


def _parse_options(settings: Mapping[str, str]) -> dict[str, Any]:
    """Return options as the fields of a file. Raise InputError for unknown or invalid ones."""
    typed: dict[str, Any] = {}
    for name, value in settings.items():
        check_name(name, SETTINGS, "collab-overcooked")
        if name in WORDS:
            choose_word(name, value, WORDS[name])
            typed[name] = value
        elif name == "gamma":
            gamma = number(name, value)
            if not 0 < gamma <= 10:
                raise InputError("--gamma", f"expected more than 0 and at most 10, not {value}")
            typed[name] = gamma
        else:
            typed[name] = parse_whole_number(name, value)
    return typed
