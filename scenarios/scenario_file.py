"""A scenario's file, and how much may be in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from episodes.instruction import Instruct
from files.reading import FileModel, Name, Title
from kitchen.events import LAST_TIMESTEP, Event

MOST_EVENTS = 200
"""Events of a scenario."""

MOST_STOCK = 10_000
"""How many there may be of what is limited."""

LONGEST = 10 * LAST_TIMESTEP
"""Timesteps of an episode for which a horizon is said."""


class TimedEvent(FileModel):
    """An event and the timestep `at` which it happens, written as one mapping."""

    at: Annotated[int, Field(ge=0, le=LAST_TIMESTEP)]
    event: Annotated[Event | Instruct, Field(discriminator="kind")]

    @model_validator(mode="before")
    @classmethod
    def _from_one_mapping(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "event" not in data:
            return {"at": data.get("at"), "event": {k: v for k, v in data.items() if k != "at"}}
        return data

    def flat(self) -> dict[str, Any]:
        """The event as it is written in the file."""
        return {"at": self.at, **self.event.model_dump(exclude_defaults=True)}


class ScenarioFile(FileModel):
    """A scenario's file.

    `kitchen` is the name of a shipped kitchen or a file; `menu` a folder, where it is not the
    shipped menu; `stock` limits ingredients or `plate`; `horizon` is the last timestep, by default
    ten times the lower bound of the makespan.
    """

    world: Literal["restaurant"] = "restaurant"
    title: Title
    level: Annotated[int, Field(ge=1, le=3)]
    kitchen: Name
    menu: Name | None = None
    workers: Annotated[int, Field(ge=1, le=6)] = 3
    seed: int = 0
    stock: dict[str, Annotated[int, Field(ge=0, le=MOST_STOCK)]] = Field(default_factory=dict)
    horizon: Annotated[int, Field(ge=1, le=LONGEST)] | None = None
    events: Annotated[list[TimedEvent], Field(min_length=1, max_length=MOST_EVENTS)]
