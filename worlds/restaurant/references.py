"""Reference trajectories: what the workers do in schedules that are known to serve everything."""

from __future__ import annotations

from collections.abc import Mapping

from kitchen.actions import Navigate, parse_action
from scenarios.scenario import Scenario
from scenarios.schedule import load_schedule
from worlds.restaurant.evaluators.trajectories import step_of
from worlds.restaurant.proof import schedule_path


def references_of(scenario: Scenario) -> tuple[Mapping[str, tuple[str, ...]], ...]:
    """The trajectory of every worker in the schedule that solves a scenario, if it has one.

    A variant has none. Raises InputError if the schedule is not for this kitchen.
    """
    path = schedule_path(scenario)
    if scenario.original is not None or not path.exists():
        return ()
    kitchen = scenario.kitchen
    stations = dict.fromkeys(kitchen.workers, kitchen.aisle)
    steps: dict[str, list[str]] = {worker: [] for worker in kitchen.workers}
    for row in load_schedule(path, kitchen):
        for worker, text in row.items():
            action = parse_action(text)
            if isinstance(action, Navigate):
                stations[worker] = action.station
            elif step := step_of(action, kitchen.stations[stations[worker]]):
                steps[worker].append(step)
    return ({worker: tuple(done) for worker, done in steps.items()},)
