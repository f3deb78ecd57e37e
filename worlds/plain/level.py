"""The content of a scenario's file in every plain world."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from files.reading import FileModel, Title

Text = Annotated[str, Field(max_length=4000)]


class Level(FileModel):
    """The content of a scenario's file; a world adds the fields in which its levels differ.

    The world is built from the added fields, which all planners see.
    """

    world: str | None = None
    """Name of the world; None: the world with which the file is loaded."""
    title: Title = ""
    """Title for people."""
    horizon: Annotated[int, Field(ge=1, le=100_000)] | None = None
    """Greatest number of timesteps of an episode; None: the default."""
    seed: int = 0
    """Seed of everything that the world draws."""
    texts: dict[str, Text] = Field(default_factory=dict)
    """Texts that the planner can look up, by name."""

    def setup(self) -> dict[str, Any]:
        """Return the fields from which the world is built, as plain data."""
        return self.model_dump(mode="json", exclude=set(Level.model_fields))
