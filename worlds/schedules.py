"""Schedule files in the format of worlds that have none of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from episodes.scenario import Scenario, refuse_other, resolve_name
from files.errors import InputError
from files.reading import read_yaml
from orchestrator.planner import Entry, Plan, describe_malformed
from worlds.domain import Domain


def read_schedule(domain: Domain, path: Path, scenario: Scenario) -> Sequence[Entry]:
    """Return the schedule in a YAML file: a list of timesteps, each from worker to action.

    The list is the whole file or its field `schedule`. Raise InputError if the file is invalid, or
    if its field `scenario` names another scenario.
    """
    data = read_yaml(path)
    rows = data.get("schedule") if isinstance(data, Mapping) else data
    if isinstance(data, Mapping) and (name := data.get("scenario")) is not None:
        if not isinstance(name, str):
            raise InputError(str(path), "scenario: expected a name or a file")
        name = resolve_name(name.removeprefix(f"{domain.name}/"), path)
        refuse_other(str(path), domain.scenario(name, {}), scenario)
    if not isinstance(rows, list) or not rows:
        raise InputError(str(path), "expected a schedule: a list of timesteps")
    if problem := describe_malformed(Plan(schedule=rows), scenario.world()):
        raise InputError(str(path), problem)
    return rows
