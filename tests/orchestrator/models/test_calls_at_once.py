"""All models of a run together have no more calls under way than the run allows."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cookmas.orchestrator.models.options import ModelOptions, Models


class Slow:
    """A model that notes how many calls of all models are under way."""

    name = "slow"
    now = most = 0

    async def answer(self, request: Any) -> Any:
        Slow.now += 1
        Slow.most = max(Slow.most, Slow.now)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        Slow.now -= 1
        return request


@pytest.mark.parametrize("most", [1, 2, None])
async def test_seats_share_the_turns(monkeypatch: pytest.MonkeyPatch, most: int | None) -> None:
    monkeypatch.setattr(Slow, "most", 0)
    monkeypatch.setattr(ModelOptions, "make", lambda self: Slow())
    options = ModelOptions(model="a", calls_at_once=most, seats={"ben": ModelOptions(model="b")})
    models = Models(options, ("ann", "ben"))
    asked: Any = [models.of(seat, options.of_seat(seat)) for seat in ("ann", "ben")]
    assert asked[0] is not asked[1]
    answers = await asyncio.gather(*(each.answer(n) for n in range(4) for each in asked))
    assert answers == [n for n in range(4) for _ in asked]
    assert Slow.most == (most or 8)
