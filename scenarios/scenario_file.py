"""The content of a scenario file, and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from cookmas.episodes.instruction import Instruct
from cookmas.files.reading import FileModel, Name, Title
from cookmas.kitchen.events import LAST_TIMESTEP, Event, NewOrder

MOST_EVENTS = 200
"""Maximum number of events of a scenario."""

MOST_STOCK = 10_000
"""Maximum stock of a limited ingredient."""

LONGEST = 10 * LAST_TIMESTEP
"""Maximum horizon that a scenario can set, in timesteps."""


class TimedEvent(FileModel):
    """An event with its timestep; in a file, both are one mapping."""

    at: Annotated[int, Field(ge=0, le=LAST_TIMESTEP)]
    """The timestep."""
    event: Annotated[Event | Instruct, Field(discriminator="kind")]
    """The event."""

    @model_validator(mode="before")
    @classmethod
    def _from_one_mapping(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "event" not in data:
            return {"at": data.get("at"), "event": {k: v for k, v in data.items() if k != "at"}}
        return data

    @model_serializer(mode="wrap")
    def _as_one_mapping(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        data = dump(self)
        return {"at": data["at"], **data["event"]}

    def stretch(self, factor: float) -> TimedEvent:
        """Return the event with its timestep multiplied by `factor`.

        An order stays due the same number of timesteps after it comes in.
        """
        at, event = round(self.at * factor), self.event
        if isinstance(event, NewOrder) and event.due is not None:
            event = event.model_copy(update={"due": event.due - self.at + at})
        return self.model_copy(update={"at": at, "event": event})


class ScenarioFile(FileModel):
    """The content of a scenario file."""

    world: Literal["restaurant"] = "restaurant"
    """Name of the world."""
    title: Title
    """A short title."""
    level: Annotated[int, Field(ge=1, le=3)]
    """The level of difficulty."""
    kitchen: Name
    """The name of a shipped kitchen, or the path of a kitchen file."""
    menu: Name | None = None
    """The folder of the menu; None: the shipped menu."""
    workers: Annotated[int, Field(ge=1, le=6)] = 3
    """The number of workers."""
    interval: Annotated[float, Field(gt=0, le=100)] = 1
    """The factor by which the timesteps of all events are multiplied."""
    faults: bool = True
    """False: the faults of the file do not happen."""
    seed: int = 0
    """The seed of everything that is drawn during an episode."""
    stock: dict[str, Annotated[int, Field(ge=0, le=MOST_STOCK)]] = Field(default_factory=dict)
    """The number of portions of each limited ingredient, or of `plate`; others are unlimited."""
    horizon: Annotated[int, Field(ge=1, le=LONGEST)] | None = None
    """The number of timesteps after which the episode ends; None: ten times the lower bound of the
    makespan."""
    events: Annotated[list[TimedEvent], Field(min_length=1, max_length=MOST_EVENTS)]
    """The orders, changes, cancellations and faults, with their timesteps."""


class OpenFile(ScenarioFile):
    """The settings of an open kitchen, which has no events of its own."""

    title: Title = "An open kitchen"
    level: Annotated[int, Field(ge=1, le=3)] = 3
    kitchen: Name = "standard"
    events: Annotated[list[TimedEvent], Field(max_length=0)] = Field(default_factory=list)
