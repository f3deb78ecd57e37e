"""Schedule files of worlds that have no form of their own for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from episodes.scenario import Scenario, named_beside, refuse_other
from files.errors import InputError
from files.reading import read_yaml
from orchestrator.planner import Entry, Plan, malformed
from worlds.domain import Domain


def read_schedule(domain: Domain, path: Path, scenario: Scenario) -> Sequence[Entry]:
    """Return a list of timesteps in YAML, each worker to action, by itself or as `schedule`.

    Raises InputError if it is none, or if the `scenario` that is named beside it is another.
    """
    data = read_yaml(path)
    rows = data.get("schedule") if isinstance(data, Mapping) else data
    if isinstance(data, Mapping) and (name := data.get("scenario")) is not None:
        if not isinstance(name, str):
            raise InputError(str(path), "scenario: expected a name or a file")
        name = named_beside(name.removeprefix(f"{domain.name}/"), path)
        refuse_other(str(path), domain.scenario(name, {}), scenario)
    if not isinstance(rows, list) or not rows:
        raise InputError(str(path), "expected a schedule: a list of timesteps")
    if problem := malformed(Plan(schedule=rows), scenario.world()):
        raise InputError(str(path), problem)
    return rows
