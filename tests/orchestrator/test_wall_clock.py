"""By a wall clock timesteps pass in real time, whether somebody uses them or not."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Any

import pytest

from cookmas.episodes.level import Level
from cookmas.episodes.replay import replay
from cookmas.episodes.trace import End, PlannerClass, PlanRecord, StepRecord, Trace, TriggerRecord
from cookmas.files.errors import InfrastructureError, LeaseLostError
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.graph.timestep import ELAPSED_AT_ONCE
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.workers.protocol import Assigned
from tests.orchestrator.clocks import Time
from tests.workers.incubator import Incubator, play


class Stirring:
    """A planner that thinks for some seconds, and has the right worker stir."""

    name = "stirring"
    planner_class: PlannerClass = "fixed"

    def __init__(self, time: Time, seconds: float = 0.0, length: int = 6) -> None:
        self.time, self.seconds, self.length = time, seconds, length
        self.seen: list[Observation[Any]] = []

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen.append(observation)
        await self.time.wait(self.seconds)
        return Plan(schedule=[{"right": "stir"}] * self.length)


def stirred_at(trace: Trace) -> list[int]:
    steps = trace.of(StepRecord)
    return [step.timestep for step in steps if dict(step.commands).get("right") == "stir"]


async def test_timesteps_pass_while_the_planner_thinks() -> None:
    time = Time()
    planner = Stirring(time, seconds=2.5)
    trace = await play(planner, pace=WallClock(1.0, time), horizon=9, in_graph=True)
    plans = [(plan.asked, plan.timestep) for plan in trace.of(PlanRecord)]
    assert plans == [(0, 3)]
    assert stirred_at(trace) == [3, 4, 5]
    assert time.now == 1009.0
    assert all(frame.equal for frame in replay(trace, Incubator(Level())))


async def test_missed_timesteps_pass_as_elapsed_and_wake_the_planner() -> None:
    time = Time()

    class Slow:
        async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
            time.now += 3.5 if timestep == 2 else 0.0
            return assignment

    planner = Stirring(time, length=9)
    clock = WallClock(1.0, time)
    trace = await play(planner, pace=clock, workers={"right": Slow()}, horizon=9)
    elapsed = [step.timestep for step in trace.of(StepRecord) if step.elapsed]
    assert elapsed == [3, 4]
    assert [t.timestep for t in trace.of(TriggerRecord) if t.trigger == "elapsed"] == [5]
    assert clock.late == 2.0
    assert all(frame.equal for frame in replay(trace, Incubator(Level())))


async def test_a_resumed_episode_catches_up_and_calls_its_planner_again(tmp_path: Any) -> None:
    time = Time()

    class Dying:
        async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
            if timestep == 2:
                raise LeaseLostError("another process plays this")
            return assignment

    store: dict[str, Any] = {"path": tmp_path / "trace.jsonl"}
    planner = Stirring(time, seconds=100.0)
    async with sqlite_checkpoints(tmp_path / "c.sqlite") as saver:
        with pytest.raises(LeaseLostError):
            await play(
                planner,
                pace=WallClock(1.0, time),
                workers={"right": Dying()},
                horizon=20,
                checkpointer=saver,
                **store,
            )
        time.now += 5.0
        quick = Stirring(time, seconds=0.5)
        clock = WallClock(1.0, time)
        trace = await play(quick, pace=clock, horizon=20, checkpointer=saver, **store)
    elapsed = [step.timestep for step in trace.of(StepRecord) if step.elapsed]
    assert elapsed == [3, 4, 5, 6]
    assert quick.seen[0].timestep == 7
    assert stirred_at(trace)[0] == 8
    assert all(frame.equal for frame in replay(trace, Incubator(Level())))


async def test_a_planner_that_fails_while_timesteps_pass_ends_the_episode() -> None:
    time = Time()

    class Away(Stirring):
        async def plan(self, observation: Observation[Any]) -> Plan:
            await self.time.wait(1.5)
            raise InfrastructureError("the endpoint is away")

    clock = WallClock(1.0, time)
    trace = await play(Away(time), pace=clock, horizon=9, in_graph=True)
    (end,) = trace.of(End)
    assert (end.timestep, end.termination) == (2, "infrastructure_error")


@pytest.mark.parametrize("seconds", [315_360_000.0, -600.0])
async def test_an_episode_goes_on_when_the_time_of_day_is_set(seconds: float) -> None:
    time = Time()

    class Setting:
        async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
            time.ahead += seconds if timestep == 2 else 0.0
            return assignment

    planner = Stirring(time, length=9)
    clock = WallClock(1.0, time)
    trace = await play(planner, pace=clock, workers={"right": Setting()}, horizon=9)
    assert not [step for step in trace.of(StepRecord) if step.elapsed]
    assert stirred_at(trace) == [*range(1, 9)]
    assert time.now == 1009.0


class Sleepy:
    """A worker in whose first timestep many others pass."""

    def __init__(self, time: Time, seconds: float) -> None:
        self.time, self.seconds = time, seconds

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> str:
        self.time.now += self.seconds if timestep == 0 else 0.0
        return assignment


async def test_many_missed_timesteps_are_one_absence_in_parts(tmp_path: Any) -> None:
    time = Time()
    missed = 2 * ELAPSED_AT_ONCE + 5
    async with sqlite_checkpoints(tmp_path / "c.sqlite") as saver:
        trace = await play(
            Stirring(time, length=9),
            pace=WallClock(1.0, time),
            workers={"right": Sleepy(time, missed + 1.5)},
            horizon=missed + 9,
            checkpointer=saver,
            path=tmp_path / "trace.jsonl",
        )
    elapsed = [step.timestep for step in trace.of(StepRecord) if step.elapsed]
    assert elapsed == [*range(1, missed + 1)]
    told = [each.cause for each in trace.of(TriggerRecord) if each.trigger == "elapsed"]
    assert told == [f"timesteps 1 to {missed} had passed before anybody could act"]
    assert len([*trace.of(StepRecord)]) == missed + 9
    assert all(frame.equal for frame in replay(trace, Incubator(Level())))


async def test_a_long_absence_stops_nobody_from_ending_the_episode() -> None:
    time = Time()
    playing = asyncio.create_task(
        play(
            Stirring(time, length=9),
            pace=WallClock(1.0, time),
            workers={"right": Sleepy(time, 1e8)},
            horizon=10**9,
            in_graph=True,
        )
    )
    while time.now < 1e8:
        await asyncio.sleep(0)
    await asyncio.sleep(0.1)
    playing.cancel()
    began = perf_counter()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert perf_counter() - began < 1.0
