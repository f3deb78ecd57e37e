"""Levels: in a plain world a level is the content of a scenario's file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from cookmas.files.reading import FileModel, Title

Text = Annotated[str, Field(max_length=4000)]


class Level(FileModel):
    """The content of a scenario's file.

    A world adds fields of its own in a subclass. The world is built from the added fields, and all
    planners see them.
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

    def setup(self) -> dict[str, Any]:
        """Return the fields from which the world is built, as plain data."""
        return self.model_dump(mode="json", exclude=set(Level.model_fields))
