"""What the file of a scenario says in every plain world."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from files.reading import FileModel, Title

Text = Annotated[str, Field(max_length=4000)]


class Level(FileModel):
    """A scenario's file; a world adds the fields by which its levels differ.

    `horizon` is the timesteps of an episode; `seed` decides what is drawn; `texts` are those that
    can be looked up. The world is built of the other fields, which all planners see.
    """

    world: str | None = None
    title: Title = ""
    horizon: Annotated[int, Field(ge=1, le=100_000)] | None = None
    seed: int = 0
    texts: dict[str, Text] = Field(default_factory=dict)

    def setup(self) -> dict[str, Any]:
        """Return what the world is built of, as plain data."""
        return self.model_dump(mode="json", exclude=set(Level.model_fields))
