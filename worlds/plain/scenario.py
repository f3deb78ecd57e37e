"""Scenarios of a plain world: a level of its folder, or of a file of one's own."""

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
    """A level that can be played."""

    name: str
    path: Path
    level: Level
    made: Callable[[Level], World[Any]]

    @property
    def seed(self) -> int:
        """The level's."""
        return self.level.seed

    @property
    def horizon(self) -> int | None:
        """The level's."""
        return self.level.horizon

    @property
    def digest(self) -> str:
        """Identifies the content, whatever is drawn."""
        return digest({name: x for name, x in self.data().items() if name != "seed"})

    def data(self) -> dict[str, Any]:
        """Return what its file says."""
        return self.level.model_dump(mode="json", exclude_unset=True)

    def world(self) -> World[Any]:
        """Return the world in which it is played."""
        return self.made(self.level)

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the beginning, at which the planner is called."""
        return [(0, {"kind": BEGIN})]

    async def look_up(self, key: str) -> str:
        """Return a text of the level. Raises MissingError if there is none of the name."""
        if key not in self.level.texts:
            raise MissingError(f"there is no text {key!r}")
        return self.level.texts[key]


@dataclass(frozen=True, kw_only=True)
class DrawnScenario(PlainScenario):
    """A level in which something is drawn; `drawn` says what."""

    drawn: str

    def events(self) -> list[tuple[int, dict[str, Any]]]:
        """Return the beginning, with the seed."""
        return [(0, {"kind": BEGIN, "seed": self.seed})]

    def redrawn(self, seed: int) -> DrawnScenario:
        """Return the same with what another seed draws."""
        return replace(self, level=self.level.model_copy(update={"seed": seed}))
