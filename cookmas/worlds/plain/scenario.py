"""Scenarios of a plain world, each made from a level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cookmas.episodes.world import AnyWorld, digest
from cookmas.files.errors import MissingError
from cookmas.worlds.plain.level import Level
from cookmas.worlds.plain.world import BEGIN


@dataclass(frozen=True, kw_only=True)
class PlainScenario:
    """A level as a scenario."""

    name: str
    """Name of the scenario."""
    path: Path
    """File of the level."""
    level: Level
    """Content of the file."""
    made: Callable[[Level], AnyWorld[Any]]
    """Function that builds the world from the level."""

    @property
    def seed(self) -> int:
        """Seed of the level."""
        return self.level.seed

    @property
    def horizon(self) -> int | None:
        """Greatest number of timesteps of an episode; None if the level names none."""
        return self.level.horizon

    @property
    def digest(self) -> str:
        """Digest of the content of the file, without the seed."""
        return digest({name: x for name, x in self.data().items() if name != "seed"})

    def data(self) -> dict[str, Any]:
        """Return the content of the file as plain data, without fields that the file leaves out."""
        return self.level.model_dump(mode="json", exclude_unset=True)

    def world(self) -> AnyWorld[Any]:
        """Return the world of the level."""
        return self.made(self.level)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the only event: the beginning at timestep 0, which calls the planner."""
        return [(0, {"kind": BEGIN})]

    async def look_up(self, key: str) -> str:
        """Return a text of the level by its name. Raise MissingError if there is none."""
        if key not in self.level.texts:
            raise MissingError(f"there is no text {key!r}")
        return self.level.texts[key]


@dataclass(frozen=True, kw_only=True)
class DrawnScenario(PlainScenario):
    """A scenario whose world draws something with the seed."""

    drawn: str
    """Description of what the world draws."""

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the only event: the beginning at timestep 0, with the seed."""
        return [(0, {"kind": BEGIN, "seed": self.seed})]

    def redraw(self, seed: int) -> DrawnScenario:
        """Return the same scenario with another seed."""
        return replace(self, level=self.level.model_copy(update={"seed": seed}))
