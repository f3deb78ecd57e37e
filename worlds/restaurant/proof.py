"""Proof that a scenario can be solved: a schedule for it, played and judged.

The schedule knows what is to come, so it may begin with dishes that are ordered later. It is played
in the kitchen alone, without planner, graph or trace, which takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from episodes.errors import InputError
from episodes.instruction import happened
from episodes.replay import Frame
from episodes.trace import End, Header, StepRecord, Trace
from episodes.world import Command
from kitchen.state import KitchenState
from kitchen.world import Restaurant
from scenarios.scenario import SHIPPED_SCENARIOS, Scenario
from scenarios.schedule import load_schedule
from scenarios.truth.truth import ScenarioTruth
from worlds.restaurant.evaluators.completeness import completeness
from worlds.restaurant.evaluators.evidence import KitchenEvidence
from worlds.restaurant.evaluators.judging import JUDGING
from worlds.restaurant.evaluators.service import service

SHIPPED_SCHEDULES = SHIPPED_SCENARIOS.parent / "schedules"
"""The folder of the schedules that solve the shipped scenarios."""

SHIPPED_ALTERNATIVES = SHIPPED_SCENARIOS.parent / "alternatives"
"""The folder of further schedules that solve them in another way, `level1/03.2.yaml`."""


def schedule_path(scenario: Scenario) -> Path:
    """Where its schedule is: `name.schedule.yaml` beside it, or with the shipped schedules."""
    if scenario.shipped:
        return SHIPPED_SCHEDULES / f"{scenario.name}.yaml"
    return scenario.path.with_suffix(".schedule.yaml")


def schedule_paths(scenario: Scenario) -> list[Path]:
    """All its schedules that are known: that one, if it is there, and shipped ones that differ."""
    first = schedule_path(scenario)
    more = sorted(SHIPPED_ALTERNATIVES.glob(f"{scenario.name}.*.yaml")) if scenario.shipped else []
    return [path for path in (first, *more) if path.exists()]


def prove(scenario: Scenario, truth: ScenarioTruth) -> str:
    """A sentence on the scenario's schedule, which is there and solves it, or on its absence.

    Raises InputError if there is one, or an alternative, that does not: an action FAILs, or a dish
    is not as asked.
    """
    paths = schedule_paths(scenario)
    if not paths:
        return "it has no schedule: whether it can be solved is not known"
    proofs = [_proof(scenario, truth, path) for path in paths]
    return proofs[0]


def _proof(scenario: Scenario, truth: ScenarioTruth, path: Path) -> str:
    schedule = load_schedule(path, scenario)
    success, why = _judged(scenario, truth, *_played(scenario, schedule, path))
    if not success:
        raise InputError(str(path), f"schedule: does not solve {scenario.name}: {why}")
    return f"its schedule: {len(schedule)} timesteps, {why}"


def keep(scenario: Scenario, trace: Trace) -> Path:
    """Write down what the workers did in a trace as the scenario's schedule; FAILs are left out."""
    named = scenario.name if scenario.shipped else scenario.path.name
    rows = [
        {
            worker: action
            for worker, action in step.commands
            if action != Restaurant.idle and worker not in step.fails
        }
        for step in trace.of(StepRecord)
    ]
    lines = [yaml.safe_dump(row, default_flow_style=True, width=10**6).strip() for row in rows]
    path = schedule_path(scenario)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(f"  - {line}\n" for line in lines)
    path.write_text(f"scenario: {named}\nschedule:\n{text}", encoding="utf-8")
    return path


def _played(
    scenario: Scenario, schedule: Sequence[Mapping[str, str]], path: Path
) -> tuple[Restaurant, tuple[Frame, ...], KitchenState]:
    world = scenario.world()
    state = world.start()
    events = scenario.events()
    frames: list[Frame] = []
    for timestep in range(max(len(schedule), 1 + max(at for at, _ in events))):
        for at, event in events:
            if at == timestep:
                state, _ = happened(world, state, event)
        actions = schedule[timestep] if timestep < len(schedule) else {}
        commands = [Command(name, actions.get(name, world.idle)) for name in world.workers]
        after, outcomes, _ = world.step(state, commands)
        for worker, outcome in outcomes.items():
            if not outcome.done:
                raise InputError(str(path), f"schedule.{timestep}.{worker}: FAILs: {outcome.why}")
        frames.append(
            Frame(
                world=world,
                timestep=timestep,
                before=state,
                after=after,
                commands=commands,
                outcomes=outcomes,
                expected="",
                found="",
                recorded_fails={},
            )
        )
        state = after
    return world, tuple(frames), state


def _judged(
    scenario: Scenario,
    truth: ScenarioTruth,
    world: Restaurant,
    frames: tuple[Frame, ...],
    final: KitchenState,
) -> tuple[bool | None, str]:
    header = Header(
        world=world.name,
        rules=world.rules,
        workers=list(world.workers),
        seed=scenario.seed,
        planner="schedule",
        planner_class="fixed",
        scenario_name=scenario.name,
        scenario_digest=scenario.digest,
        scenario=scenario.data(),
        setup=world.setup(),
    )
    end = End(
        timestep=final.timestep,
        termination="finished" if world.finished(final) else "horizon",
        why="The schedule is over.",
        tally=world.tally(final),
    )
    evidence = KitchenEvidence(
        trace=Trace((header, end)), truth=truth, world=world, frames=frames, final=final
    )
    return JUDGING.success(evidence, [*completeness(evidence), *service(evidence)])
