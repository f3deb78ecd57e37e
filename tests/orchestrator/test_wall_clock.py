"""By a wall clock timesteps pass in real time, whether somebody uses them or not."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    assert stirred_at(trace) == [3, 4, 5, 6, 7, 8]
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


class Counted(Incubator):
    """A laboratory that counts its timesteps."""

    passed = 0

    def advance(self, state: Any, actions: Any, draw: Any) -> Any:
        self.passed += 1
        return super().advance(state, actions, draw)


async def test_others_run_between_two_elapsed_timesteps() -> None:
    time, world = Time(), Counted(Level())
    playing = asyncio.create_task(
        play(
            Stirring(time, length=9),
            pace=WallClock(1.0, time),
            workers={"right": Sleepy(time, ELAPSED_AT_ONCE)},
            horizon=ELAPSED_AT_ONCE + 9,
            world=world,
            in_graph=True,
        )
    )
    found = [world.passed]
    while not playing.done():
        await asyncio.sleep(0)
        found.append(world.passed)
    assert found[-1] > ELAPSED_AT_ONCE
    assert max(after - before for before, after in pairwise(found)) < 20


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
    for _ in range(100):
        await asyncio.sleep(0)
    assert not playing.done()
    playing.cancel()
    turns = 0
    while not playing.done():
        turns += 1
        await asyncio.sleep(0)
    assert playing.cancelled()
    assert turns < 50


class Working(Incubator):
    """A laboratory in which stirring is done once, and then is not possible any more."""

    def legal(self, state: Any, worker: str) -> Sequence[str]:
        return ["wait"] if state["stirred"] else ["wait", "stir"]


class Unsimulated(Working):
    """The same without a simulator, as with devices."""

    def simulable(self, seen: Any, memory: Any) -> Any:
        return None


@settings(max_examples=16)
@given(
    world=st.sampled_from([Working, Unsimulated]),
    seconds=st.floats(0.0, 9.0),
    before=st.integers(0, 3),
    after=st.integers(0, 20),
)
def test_an_answer_that_is_late_loses_time_and_no_action(
    world: type[Incubator], seconds: float, before: int, after: int
) -> None:
    time = Time()

    class Slow(Stirring):
        async def plan(self, observation: Observation[Any]) -> Plan:
            self.seen.append(observation)
            await self.time.wait(seconds)
            done = observation.state["stirred"] or observation.underway
            rows: list[dict[str, str]] = (
                [{}] * before + [{} if done else {"right": "stir"}] + [{}] * after
            )
            return Plan(schedule=rows)

    planner = Slow(time)
    trace = asyncio.run(
        play(planner, world(Level()), pace=WallClock(1.0, time), horizon=24, in_graph=True)
    )
    assert len(stirred_at(trace)) == 1
    assert stirred_at(trace)[0] <= before + 1 + seconds
    assert not any(step.fails for step in trace.of(StepRecord))


async def test_an_answer_is_expected_to_take_as_long_as_the_last_three() -> None:
    time = Time()
    thinks = iter([8.0, 0.0, 0.0, 0.0, 0.0])

    class Once(Stirring):
        async def plan(self, observation: Observation[Any]) -> Plan:
            self.seen.append(observation)
            await self.time.wait(next(thinks, 0.0))
            return Plan(schedule=[{"right": "stir"}])

    planner = Once(time)
    trace = await play(planner, pace=WallClock(1.0, time), horizon=30, in_graph=True)
    took = [plan.timestep - (plan.asked or 0) for plan in trace.of(PlanRecord)]
    expected = [(seen.effect or 0) - seen.timestep for seen in planner.seen]
    assert took[:5] == [8, 1, 1, 1, 1]
    assert expected[:6] == [0, 8, 8, 8, 1, 1]


class Orders(Incubator):
    """A laboratory in which some goals are open until as many things are stirred."""

    def __init__(self, level: Level, goals: int) -> None:
        super().__init__(level)
        self.goals = goals

    def count_open(self, state: Any) -> int:
        return max(0, self.goals - int(state["stirred"]))

    def is_finished(self, state: Any) -> bool:
        return self.count_open(state) == 0


@pytest.mark.parametrize(
    ("rows", "goals", "told"),
    [
        ([{}] * 12, 1, ["left, right"]),
        ([{"left": "stir"}] * 12, 20, ["right"]),
        ([{}] * 11 + [{"left": "stir"}], 1, []),
        ([{}] * 11 + [{"left": "stir"}], 2, ["right"]),
        ([{}] * 11 + [{"left": "stir", "right": "stir"}], 5, []),
    ],
)
async def test_a_worker_with_nothing_to_do_beside_a_waiting_goal_is_told_once(
    rows: list[dict[str, str]], goals: int, told: list[str]
) -> None:
    time = Time()

    class Waiting(Stirring):
        async def plan(self, observation: Observation[Any]) -> Plan:
            self.seen.append(observation)
            return Plan(schedule=rows)

    planner = Waiting(time)
    world = Orders(Level(), goals)
    trace = await play(planner, world, pace=WallClock(1.0, time), horizon=16, in_graph=True)
    causes = [(each.timestep, each.cause) for each in trace.of(TriggerRecord)][1:]
    early = [cause for timestep, cause in causes if timestep < 11]
    assert early == [f"nothing to do for {names}, and a goal waits" for names in told]
    assert len([seen for seen in planner.seen if seen.timestep < 11]) == 1 + len(told)


async def test_each_worker_that_becomes_idle_beside_a_waiting_goal_is_a_change() -> None:
    time = Time()

    class Waiting(Stirring):
        async def plan(self, observation: Observation[Any]) -> Plan:
            self.seen.append(observation)
            return Plan(schedule=[{"left": "stir", "right": "stir"}] * 2 + [{"left": "stir"}] * 20)

    planner = Waiting(time)
    trace = await play(
        planner, Orders(Level(), 90), pace=WallClock(1.0, time), horizon=16, in_graph=True
    )
    told = [(each.timestep, each.cause) for each in trace.of(TriggerRecord)][1:]
    cause = "nothing to do for right, and a goal waits"
    assert {each for _, each in told} == {cause}
    for (before, _), (after, _) in pairwise(told):
        assert "right" in {
            command.worker
            for step in trace.of(StepRecord)
            if before < step.timestep < after
            for command in step.commands
            if command.action == "stir"
        }


async def test_without_a_wall_clock_an_idle_worker_is_no_trigger() -> None:
    class Waiting:
        name = "waiting"
        planner_class: PlannerClass = "fixed"

        async def plan(self, observation: Observation[Any]) -> Plan:
            return Plan(schedule=[{}] * 12)

    trace = await play(Waiting(), Orders(Level(), 1), horizon=11)
    assert [each.trigger for each in trace.of(TriggerRecord)] == ["begin"]
