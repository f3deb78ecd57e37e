"""Thinking takes time: an answer takes effect later, and the active schedule goes on meanwhile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.conversation import Usage
from cookmas.episodes.level import Level
from cookmas.episodes.replay import replay
from cookmas.episodes.trace import (
    ChargeRecord,
    ModelCall,
    PlannerClass,
    PlanRecord,
    StepRecord,
    Trace,
    TriggerRecord,
    to_line,
)
from cookmas.files.errors import InputError
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.naming import AgilePlanner
from cookmas.orchestrator.thinking import ThinkingPrice
from tests.workers.incubator import Incubator, play


class Numbered:
    """A planner whose answers stir with one worker, and say which call they answer."""

    name = "numbered"
    planner_class: PlannerClass = "fixed"

    def __init__(self, length: int = 8, seconds: float = 0.0, **more: Any) -> None:
        self.length, self.seconds, self.more = length, seconds, more
        self.seen: list[Observation[Any]] = []

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen.append(observation)
        worker = ("left", "right")[len(self.seen) % 2]
        rows = [{worker: "stir"} for _ in range(self.length)]
        return Plan(schedule=rows, seconds=self.seconds, **self.more)


def stirs_of(trace: Trace) -> list[str]:
    """Return who stirs at each timestep: L, R or nobody."""
    short = {"left": "L", "right": "R"}
    return [
        "".join(short[name] for name, action in step.commands if action == "stir")
        for step in trace.of(StepRecord)
    ]


async def test_an_answer_takes_effect_later_without_what_is_over() -> None:
    planner = Numbered(length=5)
    trace = await play(planner, horizon=9, thinking="2 timesteps")
    plans = [(plan.timestep, plan.due) for plan in trace.of(PlanRecord)]
    assert plans == [(0, 2), (5, 7)]
    assert stirs_of(trace) == ["", "", "R", "R", "R", "", "", "L", "L"]
    assert all(frame.equal for frame in replay(trace, Incubator(Level())))


async def test_the_active_schedule_goes_on_and_triggers_gather() -> None:
    class Refusing(Incubator):
        def legal(self, state: Any, worker: str) -> list[str]:
            return ["wait"] if state["timestep"] in (2, 3, 4) else ["wait", "stir"]

    planner = Numbered(length=9)
    trace = await play(planner, Refusing(Level()), horizon=9, thinking="1 timesteps")
    calls = [seen.timestep for seen in planner.seen]
    assert calls[:4] == [0, 3, 4, 5]
    told = [(t.timestep, t.trigger) for t in trace.of(TriggerRecord)]
    assert told[1:] == [(3, "failure"), (4, "failure"), (5, "failure")]
    assert stirs_of(trace)[5:7] == ["R", "L"]


async def test_failures_during_a_thought_reach_the_next_call() -> None:
    class Refusing(Incubator):
        def legal(self, state: Any, worker: str) -> list[str]:
            return ["wait"] if state["timestep"] in (3, 4) else ["wait", "stir"]

    planner = Numbered(length=20)
    await play(planner, Refusing(Level()), horizon=12, thinking="3 timesteps")
    assert [seen.timestep for seen in planner.seen] == [0, 4, 7]
    assert [trigger.kind for trigger in planner.seen[2].triggers] == ["failure"]


@pytest.mark.parametrize(
    ("price", "seconds", "timesteps"),
    [("2 seconds", 5.0, 2), ("2 seconds", 1.9, 0), ("4 timesteps", 0.0, 4), ("9 tokens", 99.0, 0)],
)
def test_the_price_is_in_whole_timesteps(price: str, seconds: float, timesteps: int) -> None:
    answer = Plan(schedule=[], seconds=seconds)
    cost = ThinkingPrice.parse(price).charge(answer.calls, answer.seconds)
    assert cost.timesteps == timesteps


@pytest.mark.parametrize("text", ["", "tokens", "0 tokens", "5 hours", "-1 seconds", "1e9 tokens"])
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a number of tokens"):
        ThinkingPrice.parse(text)


@pytest.mark.parametrize("text", ["0.5 timesteps", "1.9 timesteps", "0.5 tokens", "150.2 tokens"])
def test_a_part_of_a_timestep_or_token_is_no_price(text: str) -> None:
    with pytest.raises(InputError, match=f"is a whole number.*not '{text}'$") as error:
        ThinkingPrice.parse(text)
    assert "\n" not in str(error.value)


def call_with(tokens: int, read: int = 10_000) -> ModelCall:
    """Return a model call that has written so many tokens, and has read `read`."""
    usage = Usage(prompt=read, completion=tokens)
    return ModelCall(
        timestep=0,
        number=1,
        purpose="plan",
        request="",
        model="m",
        messages=(),
        text="",
        finish_reason="stop",
        usage=usage,
    )


@given(amount=st.integers(1, 40), written=st.lists(st.integers(0, 90), max_size=12))
def test_answers_in_pieces_cost_as_much_as_one_answer(amount: int, written: list[int]) -> None:
    price = ThinkingPrice(amount, "tokens")
    taken = 0
    for tokens in written:
        cost = price.charge([call_with(tokens)])
        taken, price = taken + cost.timesteps, price._replace(spent=cost.rest)
    whole = ThinkingPrice(amount, "tokens").charge(map(call_with, written))
    assert (taken, price.spent) == (whole.timesteps, whole.rest) == divmod(sum(written), amount)


@given(tenths=st.lists(st.integers(0, 30), max_size=12))
def test_the_rest_of_seconds_is_exact(tenths: list[int]) -> None:
    price = ThinkingPrice.parse("0.3 seconds")
    taken = 0
    for number in tenths:
        cost = price.charge(seconds=number / 10)
        taken, price = taken + cost.timesteps, price._replace(spent=cost.rest)
    assert taken == sum(tenths) // 3


def dues_of(trace: Trace) -> list[tuple[int, int | None]]:
    return [(plan.timestep, plan.due) for plan in trace.of(PlanRecord)]


async def test_small_answers_add_up() -> None:
    class Writing(Numbered):
        async def plan(self, observation: Observation[Any]) -> Plan:
            plan = await super().plan(observation)
            return replace(plan, calls=[call_with(80), call_with(20)])

    trace = await play(Writing(length=1), horizon=7, thinking="150 tokens")
    assert dues_of(trace) == [(0, None), (1, 2), (3, 4), (5, None), (6, 7)]
    charges = [(record.takes, record.rest) for record in trace.of(ChargeRecord)]
    assert charges == [(0, 100), (1, 50), (1, 0), (0, 100), (1, 50)]


async def test_what_a_silent_or_undecided_turn_has_cost_is_charged_with_the_decision() -> None:
    class Talking:
        async def turn(self, observation: Observation[Any]) -> Turn:
            decides = bool(observation.talk) and observation.talk[-1].text == "Well?"
            actions = ["stir"] * 4 if decides else None
            return Turn(say="Hm." if actions else "Well?", actions=actions, calls=[call_with(90)])

    members = {"left": Talking(), "right": Talking()}
    team = Team(name="pair", planner_class="fixed", members=members, rounds=2)
    trace = await play(team, horizon=1, thinking="100 tokens")
    charges = [(each.agent, each.takes, each.rest) for each in trace.of(ChargeRecord)]
    assert charges[:3] == [("left", 0, 90), ("right", 0, 90), ("left", 0, 180)]


async def test_only_what_was_written_counts() -> None:
    class Reading(Numbered):
        async def plan(self, observation: Observation[Any]) -> Plan:
            return replace(await super().plan(observation), calls=[call_with(499, read=5000)])

    trace = await play(Reading(length=9), horizon=3, thinking="500 tokens")
    assert dues_of(trace) == [(0, None)]


async def test_a_thought_that_takes_no_time_leaves_the_trace_as_it_was() -> None:
    traces = [await play(Numbered(), thinking=price, horizon=9) for price in (None, "9 tokens")]
    assert [*map(to_line, traces[0].records)] == [*map(to_line, traces[1].records)]


async def test_a_quick_planner_answers_until_the_answer_of_the_slow_one_takes_effect() -> None:
    class Refusing(Incubator):
        def legal(self, state: Any, worker: str) -> list[str]:
            return ["wait"] if state["timestep"] == 1 else ["wait", "stir"]

    slow, quick = Numbered(length=6), Numbered(length=6)
    trace = await play(
        AgilePlanner(slow, quick), Refusing(Level()), horizon=6, thinking="4 timesteps"
    )
    assert [seen.timestep for seen in quick.seen] == [0, 2]
    assert [seen.timestep for seen in slow.seen] == [0]
    assert stirs_of(trace) == ["R", "R", "L", "L", "R", "R"]
    dues = [plan.due for plan in trace.of(PlanRecord)]
    assert dues == [None, 4, None]


async def test_the_decisions_of_a_team_take_effect_together() -> None:
    class Agent:
        def __init__(self, seconds: float) -> None:
            self.seconds = seconds

        async def turn(self, observation: Observation[Any]) -> Turn:
            return Turn(actions=["stir"] * 6, seconds=self.seconds)

    members = {"left": Agent(1), "right": Agent(3)}
    team = Team(name="pair", planner_class="fixed", members=members, rounds=0)
    trace = await play(team, horizon=5, thinking="1 seconds")
    assert stirs_of(trace) == ["", "", "", "LR", "LR"]


async def test_thinking_replays_byte_for_byte_in_the_graph_and_in_the_loop() -> None:
    lines = [
        [*map(to_line, (await play(Numbered(), thinking="2 timesteps", in_graph=graph)).records)]
        for graph in (False, True)
    ]
    assert lines[0] == lines[1]
