"""Reference trajectories: the actions of the workers in schedules that serve everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.kitchen.actions import Navigate, parse_action
from cookmas.kitchen.layout import Kitchen
from cookmas.scenarios.scenario import KitchenScenario, load_scenario
from cookmas.scenarios.schedule import load_schedule
from cookmas.worlds.restaurant.evaluators.trajectories import step_of
from cookmas.worlds.restaurant.proof import schedule_paths


class References(NamedTuple):
    """The known solutions of a scenario."""

    trajectories: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    """For each known schedule, the steps of every worker."""
    shortest: int | None = None
    """The number of timesteps in the shortest known schedule; None if there is none."""


def references_of(scenario: KitchenScenario) -> References:
    """Return the known solutions of a scenario, from its known schedules. A variant has none.

    Raises InputError if a schedule is not for this kitchen.
    """
    paths = schedule_paths(scenario)
    if paths and load_scenario(str(scenario.path)).digest != scenario.digest:
        return References()
    schedules = [load_schedule(path, scenario) for path in paths]
    return References(
        tuple(_trajectories(schedule, scenario.kitchen) for schedule in schedules),
        min(map(len, schedules), default=None),
    )


def _trajectories(
    schedule: Sequence[Mapping[str, str]], kitchen: Kitchen
) -> Mapping[str, tuple[str, ...]]:
    stations = dict.fromkeys(kitchen.workers, kitchen.aisle)
    steps: dict[str, list[str]] = {worker: [] for worker in kitchen.workers}
    for row in schedule:
        for worker, text in row.items():
            action = parse_action(text)
            if isinstance(action, Navigate):
                stations[worker] = action.station
            elif step := step_of(action, kitchen.stations[stations[worker]]):
                steps[worker].append(step)
    return {worker: tuple(done) for worker, done in steps.items()}
