"""Scenarios of Collab-Overcooked: a layout, orders with their probabilities, and a time limit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from random import Random
from typing import Annotated, Any, Literal

from pydantic import Field

from cookmas.episodes.scenario import FileScenario
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, Name, Title
from cookmas.worlds.collab_overcooked.rules.book import (
    DishEntry,
    FoodName,
    book,
    find_plated,
    foods_of,
    tables_of,
)
from cookmas.worlds.collab_overcooked.rules.kitchen import DELIVERY, CollabKitchen, Tables
from cookmas.worlds.collab_overcooked.rules.level import CollabLevel, LayoutFile, layout
from cookmas.worlds.collab_overcooked.rules.state import dump_tables
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.shipped import solved

HORIZON = 120
"""Greatest number of timesteps of an episode."""

ROUNDING = 0.01
"""Greatest difference from 1 of the sum of probabilities, which may be rounded."""


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
    """The ingredients that the dispenser gives; if empty, those that the book names."""
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


class CollabScenario(FileScenario):
    """A scenario from a file; its only order is drawn from those of the file."""

    file: ScenarioFile

    @property
    def drawn(self) -> str:
        """The order, if there is a choice."""
        return "the order" if len(self.file.orders) > 1 else ""

    @cached_property
    def dishes(self) -> Mapping[str, DishEntry]:
        """The dishes that the kitchen knows: the file's own, or those of the book."""
        return self.file.dishes or book().dishes

    @cached_property
    def tables(self) -> Tables:
        """The synthesis tables of the kitchen."""
        return tables_of(self.dishes.values(), () if self.file.dishes else book().besides)

    @cached_property
    def level(self) -> CollabLevel:
        """The facts about the kitchen that all players know."""
        plan = self.file.own_layout or layout(self.file.layout)
        raw = self.file.raw or book().raw
        return CollabLevel(
            grid=plan.grid,
            cooks=plan.cooks,
            readers=sorted(plan.readers),
            raw=sorted(set(raw)),
            foods=sorted(foods_of(self.tables, raw)),
            menu=sorted(self.dishes),
            plated=sorted(find_plated(self.dishes)),
            mode="original" if self.file.mode == "original" else "",
        )

    @property
    def kitchen(self) -> CollabKitchen:
        """The kitchen."""
        return self.level.kitchen

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

    def check(self) -> None:
        """Raise InputError if a recipe, the step that is moved, or the delivery is missing."""
        file, where = self.file, str(self.path)
        total = sum(file.orders.values())
        if abs(total - 1) > ROUNDING:
            raise InputError(
                where, f"orders: expected probabilities whose sum is 1, not {total:.6g}"
            )
        if strange := [dish for dish in file.orders if dish not in self.dishes]:
            raise InputError(where, f"orders: there is no recipe for {strange[0]!r}")
        if file.moved and file.recipe != "steps":
            raise InputError(where, "moved: only a recipe by steps has steps to move")
        fewest = min(len(self.recipe_steps(dish)) for dish in file.orders) if file.moved else 0
        if file.moved > fewest:
            raise InputError(where, f"moved: expected 0 to {fewest}, not {file.moved}")
        if DELIVERY not in self.kitchen.places:
            raise InputError(where, "layout: there is no place of delivery, an S in the grid")

    def world(self) -> CollabWorld:
        """Return the kitchen as a world."""
        return CollabWorld(self.level)

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
        return (
            str(solved("collab-overcooked", "stepwise:number_steps")(steps, self.file.moved))
            if steps
            else self.dishes[dish].text
        )

    def recipe_steps(self, dish: str) -> list[str]:
        """Return the steps of a dish, one for each action of a plan; none if no plan is known."""
        goal = solved("collab-overcooked", "useful:goal_of")(self.kitchen, dish, self.tables)
        return (
            []
            if goal is None
            else list(solved("collab-overcooked", "stepwise:describe_steps")(goal))
        )
