"""By a wall clock timesteps pass in real time, whether somebody uses them or not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cookmas.episodes.level import Level
from cookmas.episodes.replay import replay
from cookmas.episodes.trace import End, PlannerClass, PlanRecord, StepRecord, Trace, TriggerRecord
from cookmas.files.errors import InfrastructureError, LeaseLostError
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.workers.protocol import Assigned
from tests.workers.incubator import Incubator, play


class Time:
    """A system clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._waiting: list[tuple[float, asyncio.Event]] = []

    def read(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let the time pass, and those act who wait for it."""
        self.now += seconds
        for until, event in self._waiting:
            if until <= self.now:
                event.set()
        for _ in range(10):
            await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        event = asyncio.Event()
        self._waiting.append((self.now + seconds, event))
        await event.wait()


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
    trace = await play(
        planner, pace=WallClock(1.0, time.read, time.sleep), horizon=9, in_graph=True
    )
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
    clock = WallClock(1.0, time.read, time.sleep)
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
                pace=WallClock(1.0, time.read, time.sleep),
                workers={"right": Dying()},
                horizon=20,
                checkpointer=saver,
                **store,
            )
        time.now += 5.0
        quick = Stirring(time, seconds=0.5)
        clock = WallClock(1.0, time.read, time.sleep)
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

    clock = WallClock(1.0, time.read, time.sleep)
    trace = await play(Away(time), pace=clock, horizon=9, in_graph=True)
    (end,) = trace.of(End)
    assert (end.timestep, end.termination) == (2, "infrastructure_error")
