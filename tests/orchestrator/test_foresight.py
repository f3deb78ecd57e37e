"""A planner is told the price of its thinking, and plans for when its answer takes effect."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.level import Level
from cookmas.episodes.trace import (
    EffectRecord,
    PlannerClass,
    PlanRecord,
    StepRecord,
    Trace,
    TriggerRecord,
)
from cookmas.orchestrator.dialogue.blocks import call_data
from cookmas.orchestrator.dialogue.look_ahead import foresee, foreseeing
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.calling import observation_data, observation_of
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.orchestrator.planners.naming import AgilePlanner
from cookmas.orchestrator.thinking import ThinkingPrice
from cookmas.solving.restaurant.planners import EmbeddedPlanner
from cookmas.worlds.corridor.voice import VOICE
from tests.orchestrator.clocks import Time
from tests.orchestrator.dialogue.test_plans import Prepared
from tests.orchestrator.test_thinking import call_with
from tests.workers.incubator import Incubator, play


class Seer:
    """A planner whose own entries let both workers stir; its answers take declared seconds."""

    name = "seer"
    planner_class: PlannerClass = "fixed"

    def __init__(self, length: int = 4, seconds: tuple[float, ...] = ()) -> None:
        self.length, self.seconds = length, iter(seconds)
        self.called: list[Observation[Any]] = []
        self.seen: list[Observation[Any]] = []

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.called.append(observation)
        return replace(await self.look(observation), seconds=next(self.seconds, 0.0))

    @foreseeing
    async def look(self, observation: Observation[Any]) -> Plan:
        self.seen.append(observation)
        row = {"left": "stir"} if len(self.seen) % 2 else {"right": "stir"}
        return Plan(schedule=[row] * self.length)


def stirs_of(trace: Trace) -> str:
    """Return who stirs at each timestep: L, R, or a point for nobody."""
    acts = [dict(step.commands) for step in trace.of(StepRecord)]
    return "".join(
        "L" if act.get("left") == "stir" else "R" if act.get("right") == "stir" else "."
        for act in acts
    )


def begins_of(trace: Trace) -> list[tuple[int, int]]:
    return [(effect.timestep, effect.begin) for effect in trace.of(EffectRecord)]


class Refusing(Incubator):
    """An incubator in which nobody can stir at some timesteps."""

    never: tuple[int, ...] = (2,)

    def legal(self, state: Any, worker: str) -> list[str]:
        return ["wait"] if state["timestep"] in self.never else ["wait", "stir"]


@settings(max_examples=15)
@given(takes=st.integers(1, 4), length=st.integers(1, 5))
def test_the_foreseen_state_is_the_one_at_which_the_answer_takes_effect(
    takes: int, length: int
) -> None:
    planner = Seer(length)
    trace = asyncio.run(play(planner, horizon=16, thinking=f"{takes} timesteps"))
    stirred = 0
    at = {0: 0}
    for step in trace.of(StepRecord):
        stirred += [*dict(step.commands).values()].count("stir")
        at[step.timestep + 1] = stirred
    for called, seen in zip(planner.called, planner.seen, strict=True):
        assert called.effect == seen.timestep == called.timestep + takes
        assert (seen.price, seen.effect) == (None, None)
        if seen.timestep in at:
            assert seen.state["stirred"] == at[seen.timestep]
            assert seen.state["timestep"] == seen.timestep
    assert stirs_of(trace).startswith("." * takes + "L" * length)


async def test_nothing_of_a_foreseen_schedule_is_lost_or_done_twice() -> None:
    planner = Seer(length=6)
    trace = await play(planner, Refusing(Level()), horizon=10, thinking="1 timesteps")
    assert begins_of(trace) == [(1, 0), (4, 3)]
    assert stirs_of(trace) == ".LLLRRRRRR"
    second = planner.seen[1]
    assert second.timestep == 4
    assert [dict(entry) for entry in second.underway] == [{"left": "stir"}] * 3


async def test_without_a_price_there_is_nothing_to_foresee() -> None:
    planner = Seer()
    await play(planner, horizon=6)
    assert all(seen is called for called, seen in zip(planner.called, planner.seen, strict=True))
    assert {(seen.price, seen.effect) for seen in planner.called} == {(None, None)}


async def test_an_answer_is_expected_to_take_as_long_as_the_slowest_one_so_far() -> None:
    planner = Seer(length=5, seconds=(3.0, 1.0, 2.0, 4.0, 0.0))
    trace = await play(planner, Refusing(Level()), horizon=30, thinking="1 seconds")
    expected = [(seen.effect or 0) - seen.timestep for seen in planner.called]
    took = [(plan.due or plan.timestep) - plan.timestep for plan in trace.of(PlanRecord)]
    assert took[:4] == [3, 1, 2, 4]
    assert expected == [max(took[:number], default=0) for number in range(len(took))]


async def test_what_is_late_by_some_timesteps_is_shifted_by_them() -> None:
    class Gate(Incubator):
        """Each worker can stir at most so many times."""

        def legal(self, state: Any, worker: str) -> list[str]:
            return ["wait", "stir"] if state["stirred"] < 3 else ["wait", "incubate"]

        def duration(self, action: str) -> int:
            return 1

    class Counting(Seer):
        @foreseeing
        async def look(self, observation: Observation[Any]) -> Plan:
            self.seen.append(observation)
            left = 3 - observation.state["stirred"]
            rows = [{"left": "stir"}] * left + [{"left": "incubate"}] * 2
            return Plan(schedule=rows[:2] if len(self.seen) == 1 else rows)

    planner = Counting(seconds=(1.0, 3.0))
    trace = await play(planner, Gate(Level()), horizon=14, thinking="1 seconds")
    called = planner.called[1]
    assert (called.timestep, called.effect) == (2, 3)
    assert begins_of(trace)[1] == (5, 4)
    assert stirs_of(trace)[:7] == ".L...LL"
    assert not any(step.fails for step in trace.of(StepRecord))


async def test_the_slow_planner_knows_what_the_quick_one_does_meanwhile() -> None:
    slow, quick = Seer(length=6), Seer(length=3)
    trace = await play(AgilePlanner(slow, quick), horizon=8, thinking="2 timesteps")
    assert quick.called[0].price is None
    assert [dict(entry) for entry in slow.called[0].underway] == [{"left": "stir"}] * 3
    assert slow.seen[0].state["stirred"] == 2
    assert [plan.due for plan in trace.of(PlanRecord)][:2] == [None, 2]


async def test_by_a_wall_clock_the_price_is_real_time() -> None:
    planner = Seer(length=9)
    pace = WallClock(2.0, Time())
    await play(planner, horizon=3, pace=pace, in_graph=True)
    assert planner.called[0].price == ThinkingPrice(2.0, "real seconds")
    assert planner.called[0].effect == 0


async def observed(price: str | None, underway: int = 6) -> Observation[Any]:
    """Return what a planner observes at timestep 5, after a FAIL."""
    planner = Seer(length=underway)
    world = Refusing(Level())
    world.never = (4,)
    await play(planner, world, horizon=9, thinking=price)
    return planner.called[1]


async def test_an_agent_of_a_team_is_told_the_price_and_foresees_nothing() -> None:
    seen: list[Observation[Any]] = []

    class Agent:
        async def turn(self, observation: Observation[Any]) -> Turn:
            seen.append(observation)
            return Turn(actions=["stir"] * 9)

    team = Team(name="one", planner_class="fixed", members={"left": Agent()}, rounds=0)
    await play(team, horizon=5, thinking="2 timesteps")
    assert (seen[0].price, seen[0].effect) == (ThinkingPrice(2, "timesteps"), 2)
    assert foresee(seen[0]).observation is seen[0]


async def test_what_is_done_by_then_is_not_planned_anew() -> None:
    class Short(Incubator):
        def is_finished(self, state: Any) -> bool:
            return bool(state["stirred"] >= 4)

    seen = await observed("2 timesteps")
    assert foresee(seen).observation is not seen
    there = replace(seen, world=Short(Level()))
    assert foresee(there).observation is there


async def test_the_price_reaches_planners_in_other_processes() -> None:
    seen = await observed("2 timesteps")
    again = observation_of(observation_data(seen), seen.world, seen.look_up)
    assert (again.price, again.effect) == (seen.price, seen.effect) == ((2.0, "timesteps", 0.0), 7)


@pytest.mark.parametrize(
    ("price", "told"),
    [
        ("2 timesteps", "2 timesteps pass for each answer"),
        ("1 timesteps", "1 timestep passes for each answer"),
        (
            "1234567 tokens",
            "one timestep passes for 1234567 tokens that you write; what is left over counts "
            "towards your next answer",
        ),
    ],
)
async def test_a_prompt_says_from_when_the_answer_counts(price: str, told: str) -> None:
    seen = await observed(price)
    call = call_data(seen, "schedule")
    assert (call["effect"], call["thinking"]) == (seen.effect, told)


@pytest.mark.parametrize(
    ("price", "planner_class", "takes"),
    [
        ("500 tokens", "pure", [1, 0, 0]),
        ("150 tokens", "assisted", [3, 0, 0]),
        ("9999 tokens", "pure", [1, 0, 0]),
        ("150 tokens", "embedded", [0, 0, 0]),
        ("150 tokens", "hybrid", [0, 0, 0]),
        ("10 tokens", "pure", [50, 1, 1]),
    ],
)
async def test_the_first_answer_of_a_model_is_expected_to_have_a_usual_length(
    price: str, planner_class: PlannerClass, takes: list[int]
) -> None:
    class Model(Seer):
        async def plan(self, observation: Observation[Any]) -> Plan:
            self.called.append(observation)
            return Plan(schedule=[{"left": "stir"}], calls=[call_with(10)])

    planner = Model()
    planner.planner_class = planner_class
    await play(planner, horizon=7, thinking=price)
    assert [(seen.effect or 0) - seen.timestep for seen in planner.called][:3] == takes


@pytest.mark.parametrize("price", [None, "2 seconds"])
async def test_a_prompt_says_nothing_if_an_answer_of_a_model_counts_at_once(
    price: str | None,
) -> None:
    call = call_data(await observed(price), "schedule")
    assert not {"effect", "thinking"} & call.keys()


@pytest.mark.parametrize("takes", [1, pytest.param(2, marks=pytest.mark.conformance)])
@pytest.mark.usefixtures("least_effort")
def test_the_embedded_planner_keeps_its_success_at_a_price(takes: int) -> None:
    run = cookmas.play("level3/04", EmbeddedPlanner(), thinking=f"{takes} timesteps")
    assert run.verdict
    assert run.verdict.success
    assert not any(step.fails for step in run.trace.of(StepRecord))


def rows(*actions: str, begin: int = 0) -> dict[str, Any]:
    """Return an answer of a model with actions of the walker, one for each timestep."""
    schedule = [{"t": now, "walker_1": act} for now, act in enumerate(actions, start=begin)]
    return {"reasoning": "hm", "keep_until": {"walker_1": 0}, "shift": [], "schedule": schedule}


async def test_an_answer_is_tried_out_from_where_it_counts() -> None:
    way = ("right", "right", "right", "ring(red)")
    wrong, right = ("stay", "stay", "left"), ("left", "left", *way)
    model = Prepared(rows(*wrong), rows(*right))
    planner = SchedulingPlanner(model, Prompting(look_ahead=1), voice=VOICE)
    run = await cookmas.aplay("corridor/one", planner, thinking="2 timesteps")
    assert run.success
    assert [step.fails for step in run.trace.of(StepRecord)] == [{}] * 6
    asked, again = (model.blocks(number)["CALL"] for number in range(2))
    assert (asked["effect"], asked["thinking"]) == (2, "2 timesteps pass for each answer")
    assert [each["timestep"] for each in again["violations"]] == [2]
    system = model.requests[0].messages[0].content
    assert "`effect` is an estimate of" in " ".join(system.split())


async def test_a_prompt_without_a_price_says_nothing_of_it() -> None:
    model = Prepared(rows("right", "right", "right", "ring(red)"))
    run = await cookmas.aplay("corridor/one", SchedulingPlanner(model, voice=VOICE))
    assert run.success
    assert "effect" not in model.blocks(0)["CALL"]
    assert "`effect`" not in model.requests[0].messages[0].content


async def test_the_planner_is_called_again_if_the_workers_went_on_while_it_was_late() -> None:
    slow, quick = Seer(length=6, seconds=(2.0, 2.0)), Seer(length=4)
    trace = await play(AgilePlanner(slow, quick), horizon=9, thinking="1 seconds")
    late = [t for t in trace.of(TriggerRecord) if t.trigger == "late"]
    assert [each.timestep for each in late] == [2]
    assert "came 2 timesteps later than expected" in late[0].cause
    plans = [(plan.timestep, plan.due, plan.expected) for plan in trace.of(PlanRecord)]
    assert plans[:3] == [(0, None, None), (0, 2, 0), (2, 4, None)]
    assert [seen.timestep for seen in quick.called][:1] == [0]
    assert [seen.timestep for seen in slow.called][:2] == [0, 2]


async def test_an_answer_that_is_late_while_nobody_works_is_used_as_it_is() -> None:
    planner = Seer(length=9, seconds=(3.0,))
    trace = await play(planner, horizon=9, thinking="1 seconds")
    assert [plan.expected for plan in trace.of(PlanRecord)] == [0]
    assert not [t for t in trace.of(TriggerRecord) if t.trigger == "late"]


async def test_by_a_wall_clock_an_answer_may_be_late_too() -> None:
    time = Time()

    class Slow(Seer):
        async def plan(self, observation: Observation[Any]) -> Plan:
            self.called.append(observation)
            await time.wait(2.5)
            return Plan(schedule=[{"left": "stir"}] * 8)

    pace = WallClock(1.0, time)
    planner = AgilePlanner(Slow(), Seer(length=5))
    trace = await play(planner, horizon=12, pace=pace, in_graph=True)
    expected = [plan.expected for plan in trace.of(PlanRecord) if plan.asked is not None]
    assert expected[0] == 0
    assert any(t.trigger == "late" for t in trace.of(TriggerRecord))
