"""Schedules that a person wrote in a file.

    scenario: level1/01
    schedule:
      - {worker_1: navigate(fridge), worker_3: navigate(pantry)}
      - worker_1: pick(butter)

Each entry is a timestep. A worker that an entry does not name waits. A file may also be the bare
list of timesteps.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from cookmas.episodes.scenario import refuse_other
from cookmas.files.errors import InputError, NotationError
from cookmas.files.reading import FileModel, Name, read_yaml, validate
from cookmas.kitchen.actions import Navigate, parse_action
from cookmas.scenarios.scenario import KitchenScenario, load_scenario


class ScheduleFile(FileModel):
    """The content of a schedule file."""

    scenario: Name | None = None
    """The scenario that the schedule is for, as a name or a path."""
    schedule: Annotated[list[dict[Name, Name]], Field(min_length=1)]
    """For each timestep, the action of each worker."""


def read_schedule(path: Path) -> ScheduleFile:
    """Read a schedule file and check that every action can be read.

    Raises InputError or MissingError.
    """
    data = read_yaml(path)
    if isinstance(data, list):
        data = {"schedule": data}
    _refuse_split_actions(data, path)
    file = validate(ScheduleFile, data, str(path))
    for timestep, actions in enumerate(file.schedule):
        for worker, action in actions.items():
            try:
                parse_action(action)
            except NotationError as error:
                field = f"schedule.{timestep}.{worker}"
                raise InputError(str(path), f"{field}: {error}") from None
    return file


def load_schedule(path: Path, scenario: KitchenScenario) -> list[dict[str, str]]:
    """Load a schedule file and check it against the workers and stations of a scenario.

    Returns the actions of each timestep. Raises InputError if the file names another scenario or an
    action is invalid; the error names the timestep and the worker of the first such action. Raises
    MissingError if there is no such file.
    """
    file = read_schedule(path)
    if file.scenario is not None:
        named = load_scenario(file.scenario, path.parent)
        refuse_other(str(path), named, scenario)
    schedule, kitchen = file.schedule, scenario.kitchen
    for timestep, actions in enumerate(schedule):
        for worker, action in actions.items():
            field = f"schedule.{timestep}.{worker}"
            if worker not in kitchen.workers:
                known = ", ".join(kitchen.workers)
                raise InputError(str(path), f"{field}: no such worker, expected one of {known}")
            parsed = parse_action(action)
            if isinstance(parsed, Navigate) and parsed.station not in kitchen.stations:
                known = ", ".join(kitchen.stations)
                raise InputError(
                    str(path), f"{field}: no station {parsed.station!r}, expected one of {known}"
                )
    return schedule


def _refuse_split_actions(data: Any, path: Path) -> None:
    """Raise InputError for an action that YAML has split at a comma, such as `pick(onion, slot 2)`.

    In YAML, a comma inside braces ends an entry.
    """
    timesteps = data.get("schedule") if isinstance(data, Mapping) else None
    for timestep, actions in enumerate(timesteps if isinstance(timesteps, list) else ()):
        for worker, action in actions.items() if isinstance(actions, Mapping) else ():
            if action is None:
                raise InputError(
                    str(path),
                    f"schedule.{timestep}.{worker}: has no action, expected worker: action, "
                    "with quotes around an action that has a comma in it",
                )
