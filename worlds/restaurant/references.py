"""Reference trajectories: what the workers do in schedules that are known to serve everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kitchen.actions import Navigate, parse_action
from kitchen.layout import Kitchen
from scenarios.scenario import Scenario
from scenarios.schedule import load_schedule
from worlds.restaurant.evaluators.trajectories import step_of
from worlds.restaurant.proof import schedule_path


class References(NamedTuple):
    """The trajectories of every worker in each schedule, and the timesteps of the shortest."""

    trajectories: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    shortest: int | None = None


def references_of(scenario: Scenario) -> References:
    """What is known of a scenario from the schedule that solves it; nothing of a variant.

    Raises InputError if the schedule is not for this kitchen.
    """
    path = schedule_path(scenario)
    if scenario.original is not None or not path.exists():
        return References()
    schedule = load_schedule(path, scenario.kitchen)
    return References((_trajectories(schedule, scenario.kitchen),), len(schedule))


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
