"""The two clocks: a late timestep is not caught up, and one of real time ends where it ends."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.orchestrator.pace import Clocks, Epoch, Pace, WallClock
from tests.orchestrator.clocks import Time


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
    time = Time()
    clock = WallClock(10.0, time)
    epoch = clock.find_epoch(3, None)
    assert await clock.wait_for(3, epoch) == 0
    time.now += 10.0 + into
    assert await clock.wait_for(4, epoch) == missed
    assert clock.count_left() == left
    assert clock.late == missed * 10.0
    time.now += 50.0
    assert await clock.wait_for(5 + missed, epoch, late=False) == 4
    assert clock.late == missed * 10.0


@settings(max_examples=60)
@given(moves=st.lists(st.tuples(st.sampled_from(["pass", "set"]), st.floats(-1e9, 1e9))))
def test_setting_the_time_of_day_moves_no_timestep(moves: list[tuple[str, float]]) -> None:
    time = Time()
    clock = WallClock(1.0, time)
    epoch, began = clock.find_epoch(0, None), time.now
    for what, seconds in moves:
        if what == "set":
            time.ahead += seconds
        else:
            time.now += abs(seconds) % 1000
        epoch = clock.find_epoch(5, epoch)
        assert epoch.uptime == began
        assert epoch.time == pytest.approx(began + time.ahead, abs=1.0)


@pytest.mark.parametrize("seconds", [315_360_000.0, -600.0])
def test_a_time_of_day_that_is_set_is_told_once(
    seconds: float, caplog: pytest.LogCaptureFixture
) -> None:
    time = Time()
    clock = WallClock(1.0, time)
    epoch = clock.find_epoch(0, None)
    for _ in range(3):
        time.now += 1.0
        epoch = clock.find_epoch(1, epoch)
    assert caplog.messages == []
    time.ahead += seconds
    for _ in range(3):
        time.now += 1.0
        epoch = clock.find_epoch(1, epoch)
    assert caplog.messages == [
        f"the time of day was set by {seconds:+.0f} s; the timesteps go on by the time that passed"
    ]
    assert (epoch.uptime, epoch.time) == (1000.0, 1000.0 + time.ahead)


def begin_after_restart(absent: float, ahead: float = 0.0) -> tuple[int, Epoch]:
    """Return which timestep begins when the machine is started again, and the epoch.

    Six timesteps had passed. The time of day is `ahead` of what it should be.
    """
    time = Time()
    known = WallClock(1.0, time).find_epoch(0, None)
    time.now += 6.0
    time.restart()
    time.now += absent
    time.ahead += ahead
    clock = WallClock(1.0, time)
    epoch = clock.find_epoch(6, known)
    return 6 + asyncio.run(clock.wait_for(6, epoch)), epoch


@pytest.mark.parametrize(
    ("absent", "begins"), [(0.0, 6), (90.0, 96), (30 * 86_400.0, 6 + 30 * 86_400)]
)
def test_a_machine_that_is_started_anew_goes_on_by_its_time_of_day(
    absent: float, begins: int, caplog: pytest.LogCaptureFixture
) -> None:
    begun, epoch = begin_after_restart(absent)
    assert begun == begins
    assert (epoch.boot, caplog.messages) == ("second", [])


@pytest.mark.parametrize("ahead", [-3600.0, 30 * 86_400.0 + 1, 315_360_000.0])
def test_a_new_start_with_a_wrong_time_of_day_goes_on_where_it_was(
    ahead: float, caplog: pytest.LogCaptureFixture
) -> None:
    begun, epoch = begin_after_restart(0.0, ahead)
    (told,) = caplog.messages
    assert told.endswith("it must have been set, so the episode goes on where it was")
    assert (begun, epoch.boot) == (6, "second")


def test_an_epoch_of_an_older_version_has_the_time_of_day_alone() -> None:
    time = Time()
    clock = WallClock(1.0, time)
    time.now += 7.0
    epoch = clock.find_epoch(5, Epoch(1000.0 + time.ahead))
    assert epoch == Epoch(1000.0 + time.ahead, 1000.0, "first")


async def test_a_long_sleep_ends_when_the_machine_was_suspended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    time = Time()
    clock = WallClock(3600.0, time)
    epoch = clock.find_epoch(0, None)
    time.now += 60.0
    monotonic = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal monotonic
        monotonic += seconds
        time.now += seconds + (3000.0 if monotonic == seconds else 0.0)

    monkeypatch.setattr(time, "sleep", sleep)
    assert await clock.wait_for(1, epoch) == 0
    assert monotonic == 540.0


async def test_the_clocks_of_the_machine_go_on_together() -> None:
    clocks = Clocks()
    before = clocks.read_time() - clocks.read_uptime()
    await clocks.sleep(0.01)
    assert clocks.read_time() - clocks.read_uptime() == pytest.approx(before, abs=0.5)
    assert clocks.boot == Clocks().boot
