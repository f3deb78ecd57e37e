"""Variants of scenarios: the same orders with more or fewer workers, or at other intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from cookmas.files.reading import FileModel, validate
from cookmas.kitchen.events import NewOrder
from cookmas.scenarios.scenario import KitchenScenario, build_scenario
from cookmas.scenarios.scenario_file import TimedEvent


class Variation(FileModel):
    """The differences between a variant and its scenario."""

    workers: Annotated[int, Field(ge=1, le=6)] | None = None
    """The number of workers; None: as in the file."""
    interval: Annotated[float, Field(gt=0, le=100)] | None = None
    """The factor by which the timesteps of all events are multiplied; None: 1.

    An order stays due the same number of timesteps after it comes in.
    """


def vary_scenario(scenario: KitchenScenario, settings: Mapping[str, Any]) -> KitchenScenario:
    """Return the variant of a scenario that `settings` describe. Raises InputError."""
    variation = validate(Variation, dict(settings), f"{scenario.name}, settings")
    file = scenario.file
    if variation.workers is not None:
        file = file.model_copy(update={"workers": variation.workers})
    if variation.interval is not None:
        events = [_stretch(timed, variation.interval) for timed in file.events]
        file = file.model_copy(update={"events": events})
    data = replace(scenario, file=file).data()
    built = build_scenario(scenario.name, scenario.path, data)
    if built.digest == scenario.digest:
        return scenario
    return replace(built, original=scenario.digest)


def _stretch(timed: TimedEvent, factor: float) -> TimedEvent:
    at, event = round(timed.at * factor), timed.event
    if isinstance(event, NewOrder) and event.due is not None:
        event = event.model_copy(update={"due": event.due - timed.at + at})
    return TimedEvent.model_validate({"at": at, "event": event})
