"""A model waits for an endpoint that is away, and for nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from cookmas.episodes.conversation import Usage
from cookmas.files.errors import EndpointAwayError
from cookmas.orchestrator.models.message import CallMeasurements, Message, ModelAnswer, Request
from cookmas.orchestrator.models.patience import (
    PAUSE_CAP,
    SHORTEST_PAUSE,
    LocalBoard,
    PatientModel,
    ReachBoard,
)

ASKED = Request(messages=(Message(role="user", content="x"),))
SAID = ModelAnswer(text="Hello", model="m", usage=Usage(prompt=1, completion=1))


class _Endpoint:
    """An endpoint that is away between some seconds of a clock, which only waiting moves."""

    name = "m"

    def __init__(self, away: Sequence[tuple[float, float]], *, unreachable: bool = True) -> None:
        self.away = away
        self.time = 1000.0
        self.asked: list[float] = []
        self._unreachable = unreachable

    async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
        self.asked.append(self.time)
        began = self.time
        await self.sleep(0.1)
        if any(begin <= began - 1000 < end for begin, end in self.away):
            raise EndpointAwayError("no connection", unreachable=self._unreachable)
        return SAID, CallMeasurements(seconds=0.1)

    async def sleep(self, seconds: float) -> None:
        self.time += seconds
        await asyncio.sleep(0)

    def wrapped(self, limit: float = 600.0, board: ReachBoard | None = None) -> PatientModel:
        return PatientModel(
            self, "http://a", board or LocalBoard(), limit, lambda: self.time, self.sleep
        )


async def test_a_call_waits_until_the_endpoint_is_back(caplog: Any) -> None:
    endpoint = _Endpoint([(1, 121)])
    model = endpoint.wrapped()
    await model.answer(ASKED)
    endpoint.time = 1001
    answer, _ = await model.answer(ASKED)
    assert answer == SAID
    assert len(endpoint.asked) < 12
    told = [each.message for each in caplog.records]
    assert len(told) == 2
    assert told[0].startswith("http://a is away since ")
    assert told[1] == "http://a is back"


async def test_an_endpoint_that_never_answered_is_not_waited_for() -> None:
    endpoint = _Endpoint([(0, 50)])
    with pytest.raises(EndpointAwayError):
        await endpoint.wrapped().answer(ASKED)
    assert len(endpoint.asked) == 1


async def test_a_fault_of_one_call_is_not_waited_for() -> None:
    endpoint = _Endpoint([(1, 50)], unreachable=False)
    model = endpoint.wrapped()
    await model.answer(ASKED)
    endpoint.time = 1001
    with pytest.raises(EndpointAwayError):
        await model.answer(ASKED)
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize(("limit", "back"), [(100.0, 90.0), (100.0, 300.0)])
async def test_an_outage_is_waited_for_until_the_limit(limit: float, back: float) -> None:
    endpoint = _Endpoint([(1, back)])
    model = endpoint.wrapped(limit)
    await model.answer(ASKED)
    endpoint.time = 1001
    if back < limit:
        await model.answer(ASKED)
    else:
        with pytest.raises(EndpointAwayError, match="100 seconds, the --outage-limit"):
            await model.answer(ASKED)
        assert 1101 <= endpoint.time < 1101 + PAUSE_CAP


async def test_one_of_many_calls_finds_out_for_all() -> None:
    endpoint, board = _Endpoint([(1, 200)]), LocalBoard()
    model = endpoint.wrapped(board=board)
    await model.answer(ASKED)
    endpoint.time, before = 1001, len(endpoint.asked)
    await asyncio.gather(*(model.answer(ASKED) for _ in range(50)))
    assert len(endpoint.asked) - before < 50 + 50 + 12


async def test_calls_that_fail_together_lengthen_no_pause() -> None:
    endpoint, board = _Endpoint([(1, 2)]), LocalBoard()
    model = endpoint.wrapped(board=board)
    await model.answer(ASKED)
    endpoint.time = 1001
    await asyncio.gather(*(model.answer(ASKED) for _ in range(6)))
    assert endpoint.time < 1001 + 2 * 6 + SHORTEST_PAUSE, "each wait of six moves the clock"


async def test_a_call_that_fails_beside_others_is_repeated_and_then_given_up() -> None:
    class Picky(_Endpoint):
        async def answer(self, request: Request) -> tuple[ModelAnswer, CallMeasurements]:
            await super().answer(request)
            if request.seed:
                raise EndpointAwayError("status 502", unreachable=True)
            return SAID, CallMeasurements(seconds=0.1)

    endpoint = Picky([])
    model = endpoint.wrapped()
    await model.answer(ASKED)

    async def ask_others() -> None:
        for _ in range(100):
            await model.answer(ASKED)

    others = asyncio.create_task(ask_others())
    with pytest.raises(EndpointAwayError, match="502"):
        await model.answer(Request(messages=ASKED.messages, seed=1))
    await others
