"""An orchestrator that gets 5% of a processor, while its planner computes, keeps its lease."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.warm import COOKMAS

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun, Process

    Verified = Callable[[OpenRun, Sequence[str]], None]

COMPUTING = f"""
import asyncio, time
from cookmas.solving.restaurant.planners import EmbeddedPlanner
plan = EmbeddedPlanner.plan
EmbeddedPlanner.effort = 1
def compute():
    until = time.thread_time() + 0.5
    while time.thread_time() < until:
        pass
async def slow(self, observation):
    await asyncio.to_thread(compute)
    return await plan(self, observation)
EmbeddedPlanner.plan = slow

{COOKMAS}
"""
"""`cookmas` with a planner that computes in the orchestrator's process for half a second, which
becomes ten seconds if the process is starved."""

PERIOD, SHARE = 0.2, 0.05


@contextmanager
def starved(process: Process) -> Iterator[None]:
    """Let a process run for no more than SHARE of the time within the block."""
    over = threading.Event()

    def starve() -> None:
        while not over.is_set():
            os.kill(process.pid, signal.SIGSTOP)
            over.wait(PERIOD * (1 - SHARE))
            os.kill(process.pid, signal.SIGCONT)
            time.sleep(PERIOD * SHARE)

    thread = threading.Thread(target=starve)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("kind", ["sqlite_run", "postgres_run", "redis_run"])
def test_a_starved_orchestrator_keeps_its_lease(
    kind: str, request: pytest.FixtureRequest, verified: Verified, faults: int
) -> None:
    run: OpenRun = request.getfixturevalue(kind)
    playing = run.play(COMPUTING)
    run.wait_until_taken_up(playing)
    for number in range(faults):
        sender = run.send("anna", 2 * (number + 1), seed=0)
        time.sleep(0.3)
        with starved(playing):
            other = run.play()
            _, said = other.communicate(timeout=120)
            assert other.returncode == 2, said.decode()
            assert b"is under way in another process" in said
            assert playing.poll() is None
        assert sender.wait(300) == 0
    playing.send_signal(signal.SIGINT)
    playing.wait()
    run.finish()
    verified(run, ["anna"])
