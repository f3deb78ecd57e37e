"""Scenarios of a plain world: levels of its folder, or a user's own files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from episodes.world import World, digest
from files.errors import MissingError
from worlds.plain.level import Level
from worlds.plain.world import BEGIN


@dataclass(frozen=True, kw_only=True)
class PlainScenario:
    """A level as a scenario."""

    name: str
    """Name of the scenario."""
    path: Path
    """File of the level."""
    level: Level
    """Content of the file."""
    made: Callable[[Level], World[Any]]
    """Function that builds the world from the level."""

    @property
    def seed(self) -> int:
        """Seed of the level."""
        return self.level.seed

    @property
    def horizon(self) -> int | None:
        """Greatest number of timesteps, if the level names it."""
        return self.level.horizon

    @property
    def digest(self) -> str:
        """Digest of the content without the seed."""
        return digest({name: x for name, x in self.data().items() if name != "seed"})

    def data(self) -> dict[str, Any]:
        """Return the content of the file as plain data."""
        return self.level.model_dump(mode="json", exclude_unset=True)

    def world(self) -> World[Any]:
        """Return the world of the level."""
        return self.made(self.level)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the event of the beginning, which calls the planner."""
        return [(0, {"kind": BEGIN})]

    async def look_up(self, key: str) -> str:
        """Return a text of the level. Raise MissingError if none has the name."""
        if key not in self.level.texts:
            raise MissingError(f"there is no text {key!r}")
        return self.level.texts[key]


@dataclass(frozen=True, kw_only=True)
class DrawnScenario(PlainScenario):
    """A level in which the world draws something with the seed."""

    drawn: str
    """What is drawn, in words."""

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the event of the beginning, with the seed."""
        return [(0, {"kind": BEGIN, "seed": self.seed})]

    def redraw(self, seed: int) -> DrawnScenario:
        """Return the same level with another seed."""
        return replace(self, level=self.level.model_copy(update={"seed": seed}))
