"""Scenarios of CuisineWorld: a level, an order interval, a number of agents, and the orders.

A level is a kitchen with its dishes. The book (`tasks/book.yaml`) has all shipped levels and
recipes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from cookmas.episodes.instruction import TimedInstruction
from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, Name, Title, read_yaml, validate
from cookmas.worlds.base.settings import check_name, parse_whole_number
from cookmas.worlds.cuisineworld.kitchen import EPISODES, MOST_AGENTS, STEPS, TAUS, CuisineKitchen
from cookmas.worlds.cuisineworld.orders import order_events, stream_of
from cookmas.worlds.cuisineworld.recipes import recipe_text
from cookmas.worlds.cuisineworld.tasks.book import TaskBook, book, kitchen_in
from cookmas.worlds.cuisineworld.world import CuisineWorld


def _interval(value: Any) -> Any:
    """Return tau as text if the file gives a number, such as 1.5; else return it unchanged."""
    return str(float(value)) if type(value) in (int, float) else value


class OwnLevel(FileModel):
    """A level that the scenario's file describes itself, because it is not in the book."""

    places: Annotated[list[Name], Field(min_length=1, max_length=99)]
    """The kind of each place, such as `pot`."""
    dishes: Annotated[list[Name], Field(min_length=1, max_length=99)]
    """The dishes, in the order that the random draws of orders use."""


class ScenarioFile(FileModel):
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


MOST_RECIPES = 200
"""Greatest number of recipes that are not in the book."""

MOST_INSTRUCTIONS = 200
"""Greatest number of instructions of the supervisor."""

SETTINGS = ("agents", "tau", "seed", "episode")
"""The options that a user can give with the name of a scenario."""

OWN = "own"
"""Name of the level that a scenario's file describes itself."""


@dataclass(frozen=True, kw_only=True)
class CuisineScenario:
    """A scenario of CuisineWorld."""

    name: str
    """Name of the scenario."""
    path: Path
    """File of the scenario."""
    file: ScenarioFile
    """Content of the file."""
    source: TaskBook
    """The shipped book, completed with the level and the recipes in the scenario's file."""
    horizon: int | None = STEPS
    """Number of timesteps of an episode."""

    @cached_property
    def kitchen(self) -> CuisineKitchen:
        """The kitchen of the level."""
        return kitchen_in(self.source, self.file.kitchen or OWN, self.file.tau, self.file.agents)

    @property
    def seed(self) -> int:
        """Seed of the orders."""
        return self.file.seed

    @property
    def digest(self) -> str:
        """Digest of the content of the file."""
        return digest(self.data())

    def data(self) -> dict[str, Any]:
        """Return the content of the file as plain data, without empty fields."""
        data = self.file.model_dump(exclude_none=True, exclude={"world"})
        return {name: value for name, value in data.items() if value not in ("", {}, [])}

    def world(self) -> CuisineWorld:
        """Return the kitchen with its agents as a world."""
        return CuisineWorld(self.kitchen, self.source)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the orders, one in each interval from timestep 0 on, and the instructions.

        Each is an event with its timestep.
        """
        stream = stream_of(self.kitchen, self.file.seed, self.file.episode)
        orders = [each for each in order_events(self.kitchen, stream) if each[0] < STEPS]
        return [*orders, *(each.event() for each in self.file.instructions)]

    async def look_up(self, key: str) -> str:
        """Return the recipe of a dish in words.

        Raise MissingError if the level has no such dish.
        """
        if key not in self.kitchen.dishes:
            raise MissingError(f"{key!r} is not a dish of {self.name}")
        return recipe_text(key, self.kitchen.recipes)


def build(name: str, path: Path, data: Any, settings: Mapping[str, str]) -> CuisineScenario:
    """Return the scenario that plain data and options describe.

    Raise InputError if they are invalid, MissingError if the book has no such level.
    """
    given = {**data, **_parse_options(settings)} if isinstance(data, Mapping) else data
    try:
        file = validate(ScenarioFile, given, str(path))
    except InputError as error:
        for option in settings:
            if error.problem.startswith(f"{option}: "):
                raise InputError(f"--{option}", error.problem.removeprefix(f"{option}: ")) from None
        raise
    if (file.kitchen is None) == (file.own is None):
        raise InputError(str(path), "expected the name of a level as kitchen, or a level as own")
    source = book()
    if file.own is not None or file.recipes:
        try:
            source = TaskBook.model_validate(
                {
                    **source.model_dump(),
                    "recipes": {**source.recipes, **file.recipes},
                    "levels": {
                        **{n: level.model_dump() for n, level in source.levels.items()},
                        **({OWN: file.own.model_dump()} if file.own else {}),
                    },
                }
            )
        except ValidationError as error:
            problem = str(error.errors()[0]["msg"]).removeprefix("Value error, ")
            raise InputError(str(path), problem) from None
    if file.kitchen is not None and file.kitchen not in source.levels:
        known = ", ".join(source.levels)
        raise MissingError(f"there is no level {file.kitchen!r}; the levels are {known}")
    return CuisineScenario(name=name, path=path, file=file, source=source)


def load(name: str, settings: Mapping[str, str]) -> CuisineScenario:
    """Return the scenario of a level, by its name or its file. Raise InputError or MissingError."""
    if name.endswith((".yaml", ".yml")):
        path = Path(name)
        return build(path.stem, path, read_yaml(path), settings)
    return build(name, Path(f"{name}.yaml"), {"kitchen": name}, settings)


def _parse_options(settings: Mapping[str, str]) -> dict[str, Any]:
    """Return the options as values of a file. Raise InputError for unknown or invalid options."""
    typed: dict[str, Any] = {}
    for name, value in settings.items():
        check_name(name, SETTINGS, "cuisineworld")
        if name == "tau":
            tau = value if "." in value else f"{value}.0"
            if tau not in TAUS:
                raise InputError("--tau", f"expected one of {', '.join(TAUS)}, not {value}")
            typed[name] = tau
            continue
        typed[name] = parse_whole_number(name, value)
    return typed
