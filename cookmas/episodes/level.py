"""Levels: the content of the files from which most worlds and their scenarios are built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from cookmas.files.errors import InputError
from cookmas.files.reading import FileModel, Title, validate

Text = Annotated[str, Field(max_length=4000)]


class LevelEvent(FileModel):
    """An event of the world, with the timestep at which it happens, and fields of its own."""

    model_config = ConfigDict(extra="allow")

    at: Annotated[int, Field(ge=0, le=100_000)]
    """Timestep of the event."""
    kind: Annotated[str, Field(max_length=200)]
    """Kind of the event, which the world's `receive` knows."""

    def event(self) -> dict[str, Any]:
        """Return the event as plain data, without its timestep."""
        return self.model_dump(mode="json", exclude={"at"})


class Level(FileModel):
    """The content of a scenario's file.

    A world adds fields in a subclass. The world is built from the added fields, and all planners
    see them. So nothing that is still to come belongs there; `events` are for that.
    """

    world: str | None = None
    """Name of the world; None if the world that loads the file is meant."""
    title: Title = ""
    """Title for people."""
    horizon: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """Greatest number of timesteps of an episode; None for the default."""
    seed: int = 0
    """Seed of all random draws of the world."""
    texts: dict[str, Text] = Field(default_factory=dict)
    """The texts that the planner can look up, by name."""
    events: list[LevelEvent] = Field(default_factory=list)
    """The events of an episode besides its beginning. No planner sees them beforehand."""

    def setup(self) -> dict[str, Any]:
        """Return the fields from which the world is built, and the names of the texts."""
        added = self.model_dump(mode="json", exclude=set(Level.model_fields))
        return {**added, "texts": list(self.texts)} if self.texts else added

    @classmethod
    def of_setup(cls, setup: Mapping[str, Any], where: str) -> Level:
        """Return the level of a setup; of the texts it has the names alone.

        Raise InputError, which names `where`, if the setup is invalid or lacks a field.
        """
        named = setup.get("texts", ())
        level = validate(cls, {**setup, "texts": dict.fromkeys(named, "")}, where)
        missing = cls.model_fields.keys() - Level.model_fields.keys() - setup.keys()
        if missing:
            raise InputError(where, f"lacks {', '.join(sorted(missing))}")
        return level
