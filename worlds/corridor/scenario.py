"""Scenarios: how long the corridor is, which bells are asked for, and what is said of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from episodes.world import digest
from files.errors import InputError, MissingError
from files.reading import FileModel, Name, Title, validate
from worlds.corridor.world import CorridorWorld

LEVELS = Path(__file__).parent / "levels"
"""The folder of the scenarios that come with it."""


class Bell(FileModel):
    """A bell that is asked for `at` a timestep, and the text that says where it hangs."""

    at: Annotated[int, Field(ge=0, le=1000)] = 0
    name: Annotated[str, Field(max_length=60, pattern=r"^[\w ]+$")]
    text: Annotated[str, Field(max_length=1000)]
    ringer: Name | None = None
    knower: Name | None = None


class ScenarioFile(FileModel):
    """A scenario's file."""

    world: Literal["corridor"] = "corridor"
    title: Title
    walkers: Annotated[int, Field(ge=1, le=6)] = 2
    length: Annotated[int, Field(ge=1, le=99)] = 9
    bells: Annotated[list[Bell], Field(min_length=1, max_length=99)]


@dataclass(frozen=True, kw_only=True)
class CorridorScenario:
    """A scenario that can be played."""

    name: str
    path: Path
    file: ScenarioFile
    seed: int = 0
    horizon: int | None = None

    @property
    def digest(self) -> str:
        """Identifies the content."""
        return digest(self.data())

    def data(self) -> dict[str, Any]:
        """As its file says."""
        return self.file.model_dump(exclude_defaults=True)

    def world(self) -> CorridorWorld:
        """The corridor."""
        return CorridorWorld(self.file.walkers, self.file.length)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """The bells that are asked for."""
        return [
            (bell.at, {"kind": "bell", **bell.model_dump(include={"name", "ringer", "knower"})})
            for bell in self.file.bells
        ]

    async def look_up(self, key: str) -> str:
        """What is said of a bell."""
        for bell in self.file.bells:
            if bell.name == key:
                return bell.text
        raise MissingError(f"nothing is said of a bell {key!r}")


def build(name: str, path: Path, data: Any) -> CorridorScenario:
    """A scenario of plain data. Raises InputError."""
    scenario = CorridorScenario(name=name, path=path, file=validate(ScenarioFile, data, str(path)))
    names = [bell.name for bell in scenario.file.bells]
    if len(set(names)) < len(names):
        raise InputError(str(path), "bells: each is asked for once")
    for _, event in scenario.events():
        scenario.world().apply(scenario.world().start(), event)
    return scenario
