"""Whoever looks can tell whether a kitchen is played, paused, or killed."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cookmas.orchestrator.runs.lease import BEAT
from cookmas.status import heartbeat_age

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun, RedisRun


async def wait_until(kitchen: str | Path, holds: Callable[[float | None], bool]) -> None:
    """Wait until the age of the last heartbeat is as it should be."""
    until = time.monotonic() + 30
    while not holds(age := await heartbeat_age(kitchen)):
        assert time.monotonic() < until, age
        time.sleep(0.05)


def is_old(age: float | None) -> bool:
    return age is not None and age > 1.5 * BEAT


async def test_a_heartbeat_in_a_folder_ages_while_its_process_is_paused_and_goes_with_it(
    sqlite_run: OpenRun,
) -> None:
    assert await heartbeat_age(sqlite_run.folder) is None
    playing = sqlite_run.play()
    sqlite_run.wait_until_taken_up(playing)
    await wait_until(sqlite_run.where, lambda age: age is not None and age < BEAT)
    playing.send_signal(signal.SIGSTOP)
    await wait_until(sqlite_run.where, is_old)
    playing.kill()
    playing.wait()
    assert await heartbeat_age(sqlite_run.folder) is None
    started = time.time()
    sqlite_run.wait_until_taken_up(sqlite_run.play())
    age = await heartbeat_age(sqlite_run.folder)
    assert age is not None
    assert age <= time.time() - started, "it is new from the beginning"


async def test_a_heartbeat_in_redis_ages_by_the_clock_of_the_server(redis_run: RedisRun) -> None:
    playing = redis_run.play()
    redis_run.wait_until_taken_up(playing)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "time", lambda: 0.0)
        await wait_until(redis_run.where, lambda age: age is not None and age < BEAT)
        playing.kill()
        await wait_until(redis_run.where, is_old)
