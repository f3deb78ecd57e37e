"""The two clocks: a late timestep is not caught up, and one of real time ends where it ends."""

from __future__ import annotations

import asyncio

import pytest

from cookmas.orchestrator.pace import Pace, WallClock


async def test_a_late_timestep_does_not_shorten_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = [100.0], list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += max(0.0, seconds)

    monkeypatch.setattr("cookmas.orchestrator.pace.time.monotonic", lambda: now[0])
    monkeypatch.setattr(asyncio, "sleep", sleep)
    pace = Pace(10.0)
    pace.begin()
    now[0] += 25.0
    await pace.next()
    assert (pace.late, pace.count_left()) == (15.0, 10.0)
    now[0] += 4.0
    assert pace.count_left() == 6.0
    await pace.next()
    assert (slept, pace.late, now[0]) == ([-15.0, 6.0], 15.0, 135.0)


@pytest.mark.parametrize(
    ("into", "missed", "left"), [(0.0, 0, 10.0), (4.0, 0, 6.0), (23.0, 2, 7.0)]
)
async def test_a_timestep_of_real_time_ends_with_its_interval(
    into: float, missed: int, left: float
) -> None:
    epoch, now = 1000.0, [1000.0 + 30.0 + into]

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    clock = WallClock(10.0, lambda: now[0], sleep)
    assert await clock.wait_for(3, epoch) == missed
    assert clock.count_left() == left
    assert clock.late == missed * 10.0
