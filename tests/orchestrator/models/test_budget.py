"""Budgets and the calls they bound, and how both end an episode."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from cookmas.episodes.conversation import NOTHING_SPENT, Spent
from cookmas.episodes.trace import End, ModelCall, PlanRecord
from cookmas.episodes.trace_file import parse_trace
from cookmas.files.errors import InputError, LimitReachedError
from cookmas.orchestrator.dialogue.conversation import Conversation
from cookmas.orchestrator.episode import Episode
from cookmas.orchestrator.models.budget import Budget, Prices, limit
from cookmas.orchestrator.models.message import (
    CallMeasurements,
    Message,
    Model,
    ModelAnswer,
    Request,
    Usage,
)
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.planner import Observation, Plan, PlanningStoppedError
from cookmas.solving.corridor.planners import EmbeddedPlanner
from tests.orchestrator.models.endpoint import Server, fails, says

Play = Callable[..., Episode]

PRICES = Prices(input=1.0, output=10.0)
USAGE = Usage(prompt=100, completion=20)
GREEN = {"kind": "bell", "name": "green"}
"""One step and one ring: two timesteps."""


@dataclass
class Asking:
    """Asks a model `times` times, then takes one step of the embedded planner's schedule."""

    model: Model
    times: int = 2
    name: str = "asking"
    planner_class: str = "pure"
    spent: list[Spent] = field(default_factory=list)

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.spent.append(observation.spent)
        talk = Conversation(self.model, observation.timestep)
        for number in range(self.times):
            text = f"timestep {observation.timestep}, {number}"
            messages = (Message(role="user", content=text),)
            await talk.call(Request(messages=messages), "plan" if number == 0 else "repair")
        embedded = await EmbeddedPlanner().plan(observation)
        return Plan(schedule=embedded.schedule[:1], calls=talk.made, measured=talk.measured)


def test_what_is_spent_adds_up() -> None:
    usage = Usage(prompt=10, completion=5, cached=4, reasoning=3, estimated=True)
    spent = NOTHING_SPENT.plus(USAGE).plus(usage)
    assert spent.calls == 2
    assert spent.usage == Usage(prompt=110, completion=25, cached=4, reasoning=3, estimated=True)
    assert spent.usage.total == 135


@pytest.mark.parametrize(
    ("budget", "calls"),
    [
        (Budget(calls=3), 3),
        (Budget(calls=0), 0),
        (Budget(tokens=360), 3),
        (Budget(tokens=361), 4),
        (Budget(money=0.0006, prices=PRICES), 2),
        (Budget(money=0.0007, prices=PRICES), 3),
        (Budget(calls=9, tokens=120), 1),
    ],
)
def test_a_budget_is_reached(budget: Any, calls: Any) -> None:
    spent = NOTHING_SPENT
    while budget.find_reached_limit(spent, PRICES.cost(spent.usage)) is None:
        spent = spent.plus(USAGE)
    assert spent.calls == calls


def test_without_limits_a_budget_is_never_reached() -> None:
    spent = Spent(calls=10**9, usage=Usage(prompt=10**12, completion=0))
    assert Budget().find_reached_limit(spent, PRICES.cost(spent.usage)) is None
    model = Bounded(OpenAIModel("stub", "http://localhost"), 1)
    assert limit(model, Budget()) is model


def test_money_needs_prices() -> None:
    with pytest.raises(ValueError, match="prices"):
        Budget(money=1.0)


async def test_calls_are_in_the_trace_before_the_plan(server: Server, corridor: Play) -> None:
    planner = Asking(OpenAIModel("stub", server.url, prices=PRICES))
    episode = corridor(planner, (0, GREEN))
    trace = await episode.run()
    kinds = [r.kind for r in trace.records if isinstance(r, ModelCall | PlanRecord)]
    assert kinds == ["model_call", "model_call", "plan"] * 2
    calls = list(trace.of(ModelCall))
    assert [(c.timestep, c.number, c.purpose) for c in calls] == [
        (0, 1, "plan"),
        (0, 2, "repair"),
        (1, 1, "plan"),
        (1, 2, "repair"),
    ]
    assert calls[3].messages == (Message(role="user", content="timestep 1, 1"),)
    assert (calls[0].model, calls[0].answered_by) == ("stub", "stub-2026")
    assert (calls[0].text, calls[0].finish_reason, calls[0].usage) == ("Hello", "stop", USAGE)
    assert [spent.calls for spent in planner.spent] == [0, 2]
    assert parse_trace(trace.lines(), "again").records == trace.records
    assert [measured.cost for measured in episode.measured] == [pytest.approx(0.0003)] * 4
    assert "seconds" not in "".join(trace.lines())


async def test_the_same_answers_make_the_same_trace(server: Server, corridor: Play) -> Any:
    async def lines() -> list[str]:
        episode = corridor(Asking(OpenAIModel("stub", server.url)), (0, GREEN))
        return list((await episode.run()).lines())

    assert await lines() == await lines()


async def test_a_budget_ends_the_episode(server: Server, corridor: Play) -> None:
    planner = Asking(limit(OpenAIModel("stub", server.url), Budget(calls=3)))
    trace = await corridor(planner, (0, GREEN)).run()
    assert isinstance(trace.end, End)
    assert (trace.end.termination, trace.end.timestep) == ("budget", 1)
    assert "3 of 3 model calls" in trace.end.why
    assert len(list(trace.of(ModelCall))) == 3, "the call before the end is recorded"
    assert len(server.seen) == 3


@dataclass
class Bounded:
    """A model of which whoever counts the calls elsewhere allows no more than `most`."""

    model: Model
    most: int
    name: str = "bounded"

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        if not self.most:
            raise LimitReachedError("enough for today")
        self.most -= 1
        return await self.model.answer(request)


async def test_a_limit_from_outside_ends_it_as_a_budget_does(
    server: Server, corridor: Play
) -> None:
    planner = Asking(Bounded(OpenAIModel("stub", server.url), 3))
    trace = await corridor(planner, (0, GREEN)).run()
    assert isinstance(trace.end, End)
    assert (trace.end.termination, trace.end.why) == ("budget", "enough for today")
    assert len(list(trace.of(ModelCall))) == 3


async def test_an_endpoint_that_goes_down_ends_the_episode(server: Server, corridor: Play) -> None:
    server.script = [says("one"), says("two"), says("three"), fails(401)]
    planner = Asking(OpenAIModel("stub", server.url))
    episode = corridor(planner, (0, GREEN))
    trace = await episode.run()
    assert trace.end is not None
    assert trace.end.termination == "infrastructure_error"
    assert [call.text for call in trace.of(ModelCall)] == ["one", "two", "three"]
    assert len(episode.measured) == 3


async def test_what_stops_planning_carries_the_calls(server: Server) -> None:
    server.script = [says("one"), fails(404)]
    talk = Conversation(OpenAIModel("stub", server.url), 7)
    request = Request(messages=(Message(role="user", content="x"),))
    await talk.call(request, "plan")
    with pytest.raises(PlanningStoppedError) as stopped:
        await talk.call(request, "repair")
    assert stopped.value.termination == "infrastructure_error"
    assert [(call.timestep, call.text) for call in stopped.value.calls] == [(7, "one")]
    assert len(stopped.value.measured) == 1


async def test_the_key_is_in_no_trace(server: Server, corridor: Play, monkeypatch: Any) -> None:
    marker = "sk-marker-77aa"
    monkeypatch.setenv("COOKMAS_API_KEY", marker)
    echo = says(f"The key {marker}", refusal=f"No {marker}", model=f"m-{marker}")
    server.script = [echo, fails(401, {"message": f"wrong key {marker}"})]
    planner = Asking(OpenAIModel("stub", server.url))
    trace = await corridor(planner, (0, GREEN)).run()
    written = "".join(trace.lines())
    assert "The key [key]" in written
    assert "wrong key [key]" in written
    assert marker not in written


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "--model"),
        ({"model": "m", "record": "a", "replay": "b"}, "--record, --replay"),
        ({"model": "m", "price_in": 1.0}, "--price-in, --price-out"),
        ({"model": "m", "price_cached": 1.0}, "--price-cached"),
        ({"model": "m", "budget_money": 1.0}, "--budget-money"),
    ],
)
def test_options_that_do_not_go_together(options: Any, expected: Any, server: Server) -> None:
    chosen = ModelOptions(base_url=server.url, **options)
    with pytest.raises(InputError, match=expected):
        _ = chosen.budget, chosen.make()


def test_options_make_a_model_and_a_budget(server: Server, tmp_path: Any) -> None:
    options = ModelOptions(
        model="m",
        base_url=server.url,
        price_in=2.0,
        price_out=3.0,
        budget_calls=4,
        budget_tokens=5,
        budget_money=6.0,
        record=tmp_path / "tape",
    )
    assert options.make().name == "m"
    prices = Prices(input=2.0, output=3.0)
    assert options.budget == Budget(calls=4, tokens=5, money=6.0, prices=prices)
    again = ModelOptions.model_validate_json(json.dumps(options.model_dump(mode="json")))
    assert again == options


def test_a_cost_counts_every_token_once() -> None:
    usage = Usage(prompt=1_000_000, completion=100_000, cached=400_000)
    assert Prices(input=2.0, output=8.0, cached=0.5).cost(usage) == pytest.approx(2.2)
    assert Prices(input=2.0, output=8.0).cost(usage) == pytest.approx(2.8)
