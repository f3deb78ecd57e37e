"""Known schedules of a scenario: they show that it can be solved, and how.

A schedule file is written with knowledge of all events, so the schedule may begin dishes before
they are ordered. The check plays the schedule without planner and graph, which takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from cookmas.episodes.play import Play
from cookmas.episodes.trace import AnyRecord, StepRecord, Trace
from cookmas.episodes.world import Command
from cookmas.evals.evidence import Evaluators
from cookmas.evals.verdict import Verdict
from cookmas.files.errors import InputError
from cookmas.files.writing import write_whole
from cookmas.files.yaml_text import to_yaml
from cookmas.kitchen.actions import Navigate, Serve, parse_action
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.episode import header_of
from cookmas.scenarios.scenario import SHIPPED_SCENARIOS, KitchenScenario, load_scenario
from cookmas.scenarios.schedule import load_schedule
from cookmas.scenarios.truth import ScenarioTruth
from cookmas.worlds.restaurant.judging import JUDGING
from cookmas.worlds.restaurant.judging.progress import step_of
from cookmas.worlds.restaurant.judging.scores import completeness, service

SHIPPED_SCHEDULES = SHIPPED_SCENARIOS.parent / "schedules"
"""The folder of the schedules that solve the shipped scenarios."""

SHIPPED_ALTERNATIVES = SHIPPED_SCENARIOS.parent / "alternatives"
"""The folder of other schedules that solve the shipped scenarios, such as `level1/03.2.yaml`."""


def schedule_path(scenario: KitchenScenario) -> Path:
    """Return the schedule file of a scenario: `name.schedule.yaml` beside it, or a shipped one."""
    if scenario.shipped:
        return SHIPPED_SCHEDULES / f"{scenario.name}.yaml"
    return scenario.path.with_suffix(".schedule.yaml")


def schedule_paths(scenario: KitchenScenario) -> list[Path]:
    """Return the files of all known schedules of a scenario, alternatives last."""
    first = schedule_path(scenario)
    more = sorted(SHIPPED_ALTERNATIVES.glob(f"{scenario.name}.*.yaml")) if scenario.shipped else []
    return [path for path in (first, *more) if path.exists()]


def prove(scenario: KitchenScenario, truth: ScenarioTruth) -> str:
    """Return a sentence about the schedule that solves the scenario, or about the lack of one.

    Raises InputError if a known schedule does not solve the scenario, because an action FAILs or a
    dish is not as asked.
    """
    paths = schedule_paths(scenario)
    if not paths:
        return "it has no schedule: whether it can be solved is not known"
    proofs = [_check_schedule(scenario, truth, path) for path in paths]
    return proofs[0]


def _check_schedule(scenario: KitchenScenario, truth: ScenarioTruth, path: Path) -> str:
    schedule = load_schedule(path, scenario)
    verdict = judge_dishes(scenario, truth, play_schedule(scenario, schedule, path))
    if not verdict.success:
        raise InputError(str(path), f"schedule: does not solve {scenario.name}: {verdict.why}")
    return f"its schedule: {len(schedule)} timesteps, {verdict.why}"


def judge_dishes(scenario: KitchenScenario, truth: ScenarioTruth, trace: Trace) -> Verdict:
    """Return the verdict on a trace: whether every dish was served as asked."""
    evaluators: Evaluators = {"completeness": completeness, "service": service}
    return JUDGING.judge(trace, truth, scenario.world(), evaluators)


def rows_of(trace: Trace) -> list[dict[str, str]]:
    """Return the actions of each timestep by worker, without idling and without FAILs."""
    return [
        {
            worker: action
            for worker, action in step.commands
            if action != Restaurant.idle and worker not in step.fails
        }
        for step in trace.of(StepRecord)
    ]


def keep(scenario: KitchenScenario, trace: Trace) -> Path:
    """Write the actions of a trace, without FAILs, as the scenario's schedule; return its file."""
    named = scenario.name if scenario.shipped else scenario.path.name
    lines = [to_yaml(row, flow=True, width=10**6).strip() for row in rows_of(trace)]
    path = schedule_path(scenario)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"  - {line}\n" for line in lines)
    write_whole(path, f"scenario: {named}\nschedule:\n{text}")
    return path


def play_schedule(
    scenario: KitchenScenario, schedule: Sequence[Mapping[str, str]], where: object
) -> Trace:
    """Return the trace of a schedule. Raises InputError if one of its actions FAILs.

    `where` names the schedule in the error.
    """
    world = scenario.world()
    events = scenario.events()
    horizon = max(len(schedule), 1 + max(at for at, _ in events))
    header = header_of(scenario, world, "schedule", "fixed", horizon)
    records: list[AnyRecord] = [header]
    play = Play(world, events, horizon, records.append)
    while not play.ended:
        now = play.timestep
        wanted = schedule[now] if now < len(schedule) else {}
        done = play.step([Command(*each) for each in wanted.items()])
        for worker, fail in done.record.fails.items():
            raise InputError(str(where), f"schedule.{now}.{worker}: FAILs: {fail.why}")
    return Trace(tuple(records))


class References(NamedTuple):
    """The known solutions of a scenario."""

    trajectories: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    """For each known schedule, the steps of every worker."""
    shortest: int | None = None
    """The least number of timesteps until a known schedule has served everything; None if there is
    no schedule that serves anything."""


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
        min(filter(None, map(makespan_of, schedules)), default=None),
    )


def makespan_of(schedule: Sequence[Mapping[str, str]]) -> int:
    """Return the number of timesteps until the last dish is served; 0 if none is."""
    served = (
        at for at, row in enumerate(schedule, start=1)
        if any(isinstance(parse_action(text), Serve) for text in row.values())
    )  # fmt: skip
    return max(served, default=0)


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
