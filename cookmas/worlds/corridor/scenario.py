"""Scenarios of the corridor: its length, the bells to ring, and a text about each bell."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from cookmas.episodes.world import digest
from cookmas.files.errors import InputError, MissingError
from cookmas.files.reading import FileModel, Name, Title, validate
from cookmas.worlds.corridor.world import CorridorWorld

LEVELS = Path(__file__).parent / "levels"
"""The folder of the scenarios that come with the corridor."""


class Bell(FileModel):
    """A bell that the walkers are asked to ring during an episode."""

    at: Annotated[int, Field(ge=0, le=1000)] = 0
    """Timestep at which the bell is asked for."""
    name: Annotated[str, Field(max_length=60, pattern=r"^[\w ]+$")]
    """Name of the bell."""
    text: Annotated[str, Field(max_length=1000)]
    """Text that says where the bell hangs."""
    ringer: Name | None = None
    """The only walker that may ring the bell; None if every walker may."""
    knower: Name | None = None
    """The only walker that may read the text; None if every walker may."""


class ScenarioFile(FileModel):
    """The content of a scenario's file."""

    world: Literal["corridor"] = "corridor"
    title: Title
    walkers: Annotated[int, Field(ge=1, le=6)] = 2
    """Number of walkers."""
    length: Annotated[int, Field(ge=1, le=99)] = 9
    """Number of the last place; the first place is 0."""
    bells: Annotated[list[Bell], Field(min_length=1, max_length=99)]
    """The bells to ring; no two have the same name."""


@dataclass(frozen=True, kw_only=True)
class CorridorScenario:
    """A scenario of the corridor."""

    name: str
    path: Path
    file: ScenarioFile
    seed: int = 0
    horizon: int | None = None

    @property
    def digest(self) -> str:
        """Digest of the content of the file."""
        return digest(self.data())

    def data(self) -> dict[str, Any]:
        """Return the content of the file as plain data, without default values."""
        return self.file.model_dump(exclude_defaults=True)

    def world(self) -> CorridorWorld:
        """Return the corridor as a world."""
        return CorridorWorld(self.file.walkers, self.file.length)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the events, one for each bell, with their timesteps."""
        return [
            (bell.at, {"kind": "bell", **bell.model_dump(include={"name", "ringer", "knower"})})
            for bell in self.file.bells
        ]

    async def look_up(self, key: str) -> str:
        """Return the text about a bell. Raise MissingError if no bell has the name."""
        for bell in self.file.bells:
            if bell.name == key:
                return bell.text
        raise MissingError(f"there is no text about a bell {key!r}")


def build(name: str, path: Path, data: Any) -> CorridorScenario:
    """Return the scenario that plain data describe. Raise InputError if they are invalid."""
    scenario = CorridorScenario(name=name, path=path, file=validate(ScenarioFile, data, str(path)))
    names = [bell.name for bell in scenario.file.bells]
    if len(set(names)) < len(names):
        raise InputError(str(path), "bells: two have the same name; ask for each once")
    for _, event in scenario.events():
        scenario.world().apply(scenario.world().start(), event)
    return scenario
