"""Budgets at the model: they hold for planners that know nothing of them, and after a kill."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas import load_scenario
from cookmas.episodes.conversation import Spent
from cookmas.episodes.trace import ModelCall, PlannerClass
from cookmas.files.errors import InputError, LimitReachedError
from cookmas.orchestrator.dialogue.conversation import Conversation
from cookmas.orchestrator.episode import episode_of
from cookmas.orchestrator.models.budget import (
    Budget,
    Meter,
    Prices,
    count_calls,
    restore_spent,
)
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    Message,
    Model,
    ModelAnswer,
    Request,
    Usage,
)
from cookmas.orchestrator.models.options import ModelOptions, Models
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.orchestrator.planners.seats import team_of

HELLO = Request(messages=(Message(role="user", content="Hello"),))
USAGE = Usage(prompt=100, completion=20)
PRICES = Prices(input=1.0, output=10.0)
"""A call costs 0.0003."""


class Counting:
    name = "counting"

    def __init__(self) -> None:
        self.asked = 0

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        self.asked += 1
        return ModelAnswer(text="Hi", model=self.name, usage=USAGE), CallMeasurements(seconds=0.0)


async def asked(*models: Model, times: int = 20) -> str:
    """What is said when the models, asked in turn, may not be asked any more."""
    for number in range(times):
        try:
            await models[number % len(models)].answer(HELLO)
        except LimitReachedError as error:
            return str(error)
    return "nothing"


@pytest.mark.parametrize(
    ("budget", "calls", "why"),
    [
        (Budget(calls=3), 3, "The budget is used up: 3 of 3 model calls are made."),
        (Budget(tokens=121), 2, "The budget is used up: 240 of 121 tokens are used."),
        (Budget(money=0.0007, prices=PRICES), 3, "The budget is used up: 0.0009 of 0.0007"),
    ],
)
async def test_a_budget_holds_whoever_asks(budget: Budget, calls: int, why: str) -> None:
    counting = Counting()
    said = await asked(count_calls(counting, [Meter(budget, {None: PRICES})]))
    assert why in said
    assert counting.asked == calls


async def test_what_the_trace_has_recorded_counts_too() -> None:
    counting = Counting()
    model = count_calls(counting, [Meter(Budget(calls=5), {None: None})])
    with restore_spent(Spent(calls=3, usage=USAGE), {}):
        await asked(model)
    assert counting.asked == 2, "three were made before a kill"
    with restore_spent(Spent(calls=5, usage=USAGE), {}):
        await asked(model)
    assert counting.asked == 2, "and none is counted twice"


def options(**seats: ModelOptions) -> ModelOptions:
    return ModelOptions(seats=seats)


async def test_a_seat_and_all_seats_have_budgets_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Counting] = []

    def make(self: ModelOptions) -> Model:
        made.append(Counting())
        return made[-1]

    monkeypatch.setattr(ModelOptions, "make", make)
    own = {"alice": ModelOptions(model="a", budget_calls=3), "bob": ModelOptions(model="b")}
    models = Models(ModelOptions(budget_calls=5, seats=own), ("alice", "bob"))
    alice, bob = (models.of(seat, each) for seat, each in own.items())
    assert "of alice is used up: 3 of 3" in await asked(alice)
    assert "The budget is used up: 5 of 5" in await asked(bob)
    assert [each.asked for each in made] == [3, 2]


async def test_seats_with_equal_options_share_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ModelOptions, "make", lambda self: Counting())
    models = Models(ModelOptions(model="a"), ("alice", "bob"))
    same = models.options
    assert models.of("alice", same.of_seat("alice")) is models.of("bob", same.of_seat("bob"))


async def test_money_of_all_seats_is_counted_at_the_price_of_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ModelOptions, "make", lambda self: Counting())
    dear = ModelOptions(model="a", price_in=10.0, price_out=100.0)
    cheap = ModelOptions(model="b", price_in=0.0, price_out=0.0)
    whole = ModelOptions(budget_money=0.0031, seats={"alice": dear, "bob": cheap})
    models = Models(whole, ("alice", "bob"))
    said = await asked(models.of("bob", cheap), models.of("alice", dear))
    assert "0.0060 of 0.0031 are spent" in said
    with pytest.raises(InputError, match="give prices of the model of seat 'bob'"):
        models.of("bob", ModelOptions(model="c"))


class Asking:
    """Asks a model once at every call, and does not know of any budget."""

    name = "asking"
    planner_class: PlannerClass = "pure"

    def __init__(self, model: Model) -> None:
        self._model = model

    async def plan(self, observation: Observation[Any]) -> Plan:
        talk = Conversation(self._model, observation.timestep)
        await talk.call(HELLO, "plan")
        return Plan(schedule=[{}], calls=talk.made)


async def test_the_trace_knows_what_each_seat_has_spent() -> None:
    seen: list[dict[str, int]] = []

    class Watching(Asking):
        async def plan(self, observation: Observation[Any]) -> Plan:
            seen.append({name: spent.calls for name, spent in observation.spent_by.items()})
            return await super().plan(observation)

    scenario = load_scenario("corridor/halves")
    first, second = scenario.world().workers
    meter = Meter(Budget(calls=2), {second: None}, second)
    team = team_of(
        {
            first: Watching(Counting()),
            second: Asking(count_calls(Counting(), [meter], second)),
        },
        (first, second),
    )
    trace = await episode_of(scenario, team, horizon=9).run()
    assert seen[:2] == [{}, {first: 1, second: 1}]
    assert trace.end
    assert trace.end.termination == "budget"
    assert (
        trace.end.why
        == f"{second}: The budget of {second} is used up: 2 of 2 model calls are made."
    )
    assert [call.agent for call in trace.of(ModelCall)].count(second) == 2
