"""An endpoint that is away: when its planner is asked again, and what happens meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cookmas.episodes.conversation import Usage
from cookmas.episodes.trace import ModelCall
from cookmas.files.errors import EndpointAwayError
from cookmas.orchestrator.dialogue.conversation import Conversation
from cookmas.orchestrator.models.message import CallMeasurements, Request
from cookmas.orchestrator.models.patience import PAUSE_CAP, SHORTEST_PAUSE
from cookmas.orchestrator.planner import Observation, Plan, PlanningStoppedError
from cookmas.orchestrator.planners.calling import EndpointOutage, ask_patiently
from cookmas.worlds.corridor.domain import DOMAIN

AWAY = EndpointAwayError("the endpoint is away")


class Clock:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.time = 0.0
        self.pauses: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.time += seconds


class Flaky:
    """A planner whose endpoint is away for so many calls."""

    name, planner_class = "flaky", "embedded"

    def __init__(self, fails: int) -> None:
        self.fails = fails
        self.calls = 0

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.calls += 1
        if self.calls <= self.fails:
            raise AWAY
        return Plan(schedule=[{}])


def observation() -> Observation[Any]:
    world = DOMAIN.scenario(DOMAIN.names()[0], {}).world()
    return Observation(
        timestep=0, triggers=(), world=world, state=world.start(), texts={}, fails={}
    )


async def never() -> None:
    await asyncio.sleep(3600)


async def test_pauses_double_up_to_the_longest_and_begin_again_after_an_answer() -> None:
    clock, told = Clock(), []
    outage = EndpointOutage(clock.now, clock.sleep)

    async def tell() -> None:
        told.append(outage.why)

    for fails in (8, 1):
        planner: Any = Flaky(fails)
        answered = await ask_patiently(planner, None, observation(), outage, None, tell)
        assert answered is not None
        assert answered[1] is planner
        assert outage.why is None
    doubling = [min(PAUSE_CAP, SHORTEST_PAUSE * 2**n) for n in range(8)]
    assert clock.pauses == [*doubling, SHORTEST_PAUSE]
    assert told == [str(AWAY)] * 9


async def test_a_fallback_answers_until_the_planner_is_asked_again() -> None:
    clock = Clock()
    outage = EndpointOutage(clock.now, clock.sleep)
    planner: Any = Flaky(1)
    fallback: Any = Flaky(0)

    async def ask() -> Any:
        answered = await ask_patiently(planner, fallback, observation(), outage, None, _tell)
        assert answered is not None
        return answered[1]

    assert [await ask(), await ask()] == [fallback, fallback]
    assert planner.calls == 1
    clock.time += SHORTEST_PAUSE
    assert await ask() is planner
    assert clock.pauses == []


async def test_news_end_the_wait() -> None:
    outage = EndpointOutage(sleep=lambda _: never())
    arrived = asyncio.Event()

    async def news() -> None:
        await arrived.wait()

    planner: Any = Flaky(1)
    asking = asyncio.create_task(ask_patiently(planner, None, observation(), outage, news, _tell))
    await asyncio.sleep(0.01)
    assert not asking.done()
    arrived.set()
    assert await asyncio.wait_for(asking, 10) is None
    assert outage.left > 0


async def _tell() -> None:
    pass


async def test_a_failure_of_the_source_of_news_is_raised() -> None:
    async def news() -> None:
        raise RuntimeError("broken")

    outage = EndpointOutage(sleep=lambda _: never())
    with pytest.raises(RuntimeError, match="broken"):
        await ask_patiently(Flaky(1), None, observation(), outage, news, _tell)  # type: ignore[arg-type]


def call(number: int) -> ModelCall:
    return ModelCall(
        timestep=0,
        number=number,
        purpose="plan",
        request="",
        model="m",
        messages=(),
        text=f"answer {number}",
        finish_reason="stop",
        usage=Usage(prompt=1, completion=1),
    )


async def test_what_the_endpoint_answered_before_it_went_away_is_charged_to_the_next_answer() -> (
    None
):
    class Broken(Flaky):
        async def plan(self, observation: Observation[Any]) -> Plan:
            self.calls += 1
            calls, measured = [call(1)], [CallMeasurements(seconds=1.0)]
            if self.calls <= self.fails:
                why = "the endpoint is away"
                raise PlanningStoppedError(why, "infrastructure_error", calls, measured, away=True)
            return Plan(schedule=[{}], calls=calls, measured=measured)

    clock = Clock()
    outage = EndpointOutage(clock.now, clock.sleep)
    planner: Any = Broken(2)
    answered = await ask_patiently(planner, None, observation(), outage, None, _tell)
    assert answered is not None
    assert [each.number for each in answered[0].calls] == [1, 2, 3]
    assert len(answered[0].measured) == 3
    again = await ask_patiently(planner, None, observation(), outage, None, _tell)
    assert again is not None
    assert len(again[0].calls) == 1


async def test_a_planner_that_stops_for_another_reason_is_not_asked_again() -> None:
    class Poor(Flaky):
        async def plan(self, observation: Observation[Any]) -> Plan:
            self.calls += 1
            raise PlanningStoppedError("no money left", "budget")

    planner: Any = Poor(0)
    with pytest.raises(PlanningStoppedError, match="no money left"):
        await ask_patiently(planner, Flaky(0), observation(), EndpointOutage(), None, _tell)  # type: ignore[arg-type]
    assert planner.calls == 1


async def test_calls_say_that_an_endpoint_is_away() -> None:
    class Away:
        name = "away"

        async def answer(self, request: Request) -> Any:
            raise AWAY

    with pytest.raises(PlanningStoppedError) as stopped:
        await Conversation(Away(), 0).call(Request(messages=()), "plan")
    assert stopped.value.away
