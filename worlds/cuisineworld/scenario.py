"""Scenarios of CuisineWorld: a level at an order interval, some agents, and a stream of orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from episodes.instruction import TimedInstruction
from episodes.world import digest
from files.errors import InputError, MissingError
from files.reading import FileModel, Name, Title, read_yaml, validate
from worlds.cuisineworld.kitchen import EPISODES, MOST_AGENTS, STEPS, TAUS, Kitchen
from worlds.cuisineworld.orders import order_events, stream_of
from worlds.cuisineworld.recipes import recipe_text
from worlds.cuisineworld.tasks.book import Book, book, kitchen_in
from worlds.cuisineworld.world import CuisineWorld
from worlds.settings import whole_number


def _interval(value: Any) -> Any:
    """An interval that was written as a number, such as 1.5."""
    return str(float(value)) if type(value) in (int, float) else value


class OwnLevel(FileModel):
    """A level that is in no book: kinds of places, and dishes in the order of drawing."""

    places: Annotated[list[Name], Field(min_length=1, max_length=99)]
    dishes: Annotated[list[Name], Field(min_length=1, max_length=99)]


class ScenarioFile(FileModel):
    """A scenario's file.

    `kitchen` is the name of a level, or `own` is one; `recipes` are those that are in no book,
    product to tool to inputs. `tau` says how densely orders come, `episode` which of the three
    episodes of a run it is, that share the stream of one `seed`. `instructions` are a supervisor's.
    """

    world: Literal["cuisineworld"] = "cuisineworld"
    title: Title = ""
    kitchen: Name | None = None
    own: OwnLevel | None = None
    recipes: Annotated[dict[Name, dict[Name, list[Name]]], Field(max_length=MOST_RECIPES)] = Field(
        default_factory=dict
    )
    agents: Annotated[int, Field(ge=1, le=MOST_AGENTS)] = 2
    tau: Annotated[Literal["1.0", "1.5", "2.0", "2.5", "3.0"], BeforeValidator(_interval)] = "1.0"
    seed: int = 0
    episode: Annotated[int, Field(ge=1, le=EPISODES)] = 1
    instructions: Annotated[list[TimedInstruction], Field(max_length=MOST_INSTRUCTIONS)] = Field(
        default_factory=list
    )


MOST_RECIPES = 200
"""Recipes of one's own."""

MOST_INSTRUCTIONS = 200
"""Instructions of a supervisor, in all."""

SETTINGS = ("agents", "tau", "seed", "episode")
"""What can be said of a scenario beside its name."""

OWN = "own"


@dataclass(frozen=True, kw_only=True)
class CuisineScenario:
    """A scenario that can be played."""

    name: str
    path: Path
    file: ScenarioFile
    source: Book
    horizon: int | None = STEPS

    @cached_property
    def kitchen(self) -> Kitchen:
        """The level's kitchen."""
        return kitchen_in(self.source, self.file.kitchen or OWN, self.file.tau, self.file.agents)

    @property
    def seed(self) -> int:
        """Seed of the stream of orders."""
        return self.file.seed

    @property
    def digest(self) -> str:
        """Identifies the content."""
        return digest(self.data())

    def data(self) -> dict[str, Any]:
        """As its file says."""
        data = self.file.model_dump(exclude_none=True, exclude={"world"})
        return {name: value for name, value in data.items() if value not in ("", {}, [])}

    def world(self) -> CuisineWorld:
        """The kitchen with its agents."""
        return CuisineWorld(self.kitchen, self.source)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """An order each interval, the first at once, and what the supervisor says."""
        stream = stream_of(self.kitchen, self.file.seed, self.file.episode)
        orders = [each for each in order_events(self.kitchen, stream) if each[0] < STEPS]
        return [*orders, *(each.event() for each in self.file.instructions)]

    async def look_up(self, key: str) -> str:
        """How a dish is made, step by step. Raises MissingError for what is no dish here."""
        if key not in self.kitchen.dishes:
            raise MissingError(f"{key!r} is no dish of {self.name}")
        return recipe_text(key, self.kitchen.recipes)


def build(name: str, path: Path, data: Any, settings: Mapping[str, str]) -> CuisineScenario:
    """A scenario of plain data, with what was said beside. Raises InputError."""
    said = {**data, **_typed(settings)} if isinstance(data, Mapping) else data
    try:
        file = validate(ScenarioFile, said, str(path))
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
            source = Book.model_validate(
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
    """The scenario of a level or a file. Raises InputError or MissingError."""
    if name.endswith((".yaml", ".yml")):
        path = Path(name)
        return build(path.stem, path, read_yaml(path), settings)
    return build(name, Path(f"{name}.yaml"), {"kitchen": name}, settings)


def _typed(settings: Mapping[str, str]) -> dict[str, Any]:
    """Settings as a file would have them. Raises InputError for what there is not."""
    typed: dict[str, Any] = {}
    for name, value in settings.items():
        if name not in SETTINGS:
            known = ", ".join(f"--{each}" for each in SETTINGS)
            raise InputError(f"--{name}", f"there is no such option, only {known}")
        if name == "tau":
            tau = value if "." in value else f"{value}.0"
            if tau not in TAUS:
                raise InputError("--tau", f"expected one of {', '.join(TAUS)}, not {value}")
            typed[name] = tau
            continue
        typed[name] = whole_number(name, value)
    return typed
