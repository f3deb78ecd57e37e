"""The format of schedule files for worlds without a format of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cookmas.episodes.scenario import Scenario, refuse_other, resolve_name
from cookmas.files.errors import InputError
from cookmas.files.reading import read_yaml
from cookmas.orchestrator.planner import Entry, check_schedule
from cookmas.worlds.domain import AnyDomain


def read_schedule(domain: AnyDomain, path: Path, scenario: Scenario) -> Sequence[Entry]:
    """Return the schedule in a YAML file: a list of timesteps, each a mapping of worker to action.

    The list is the whole file, or the field `schedule` of the file. Raise InputError if the file is
    invalid, or if its field `scenario` names another scenario.
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
    _, problems = check_schedule(rows, scenario.world())
    if problems:
        raise InputError(str(path), problems[0])
    return rows
