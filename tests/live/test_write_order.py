"""What LangGraph leaves to chance: its writes end in either order, and the process dies between.

LangGraph starts the write of what a node answered and the write of the checkpoint that follows, and
enforces no order (its issue 8039); a process that dies before the first checkpoint leaves nothing
of a run that was accepted (its issue 8764). Both writes are delayed here in turn, and the process
ends itself just before or just after a checkpoint is durable.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

import cookmas
from cookmas.api import create, play
from cookmas.client import Client
from cookmas.episodes.trace import EventRecord, StepRecord
from cookmas.orchestrator.runs.folder import TRACE, read_run
from cookmas.orchestrator.runs.request import RunRequest
from tests.sampling import pairs
from tests.warm import QUICKLY, ROOT, Warm

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun

DIES = 79

DYING = f"""
import asyncio, os, sys
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from cookmas.solving.corridor.planners import EmbeddedPlanner as Corridor

folder, delayed, moment, last = sys.argv[1:5]
left = int(last)

def delay(saver):
    put, put_writes = saver.aput, saver.aput_writes

    async def aput(*given):
        global left
        left -= 1
        if delayed == "put":
            await asyncio.sleep(0.05)
        if left == 0 and moment == "before":
            os._exit({DIES})
        done = await put(*given)
        if left == 0:
            os._exit({DIES})
        return done

    async def aput_writes(*given):
        if delayed == "put_writes":
            await asyncio.sleep(0.05)
        await put_writes(*given)

    saver.aput, saver.aput_writes = aput, aput_writes

delay(AsyncPostgresSaver)
delay(AsyncSqliteSaver)
plan = Corridor.plan

async def noted(self, observation):
    with open(folder + "/plans", "a") as plans:
        print(observation.timestep, file=plans)
    return await plan(self, observation)

Corridor.plan = noted
sys.argv[1:] = ["resume", folder, "--quiet"]
"""
"""`cookmas resume`, which dies at the checkpoint with a number, and never at 0."""

PUTS = {"input": 1, "start": 2, "world": 3, "planner": 4}
"""The first checkpoints: LangGraph's two, and those behind the first nodes."""


def resume(folder: Path, delayed: str = "", moment: str = "", last: int = 0) -> int:
    """Go on with a run in a process of its own; its exit code."""
    script = DYING + QUICKLY
    process = Warm[bytes](
        (script, str(folder), delayed, moment, str(last)),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    _, said = process.communicate(timeout=120)
    assert process.returncode in (0, 1, DIES), said.decode()
    return process.returncode


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    url: str = request.getfixturevalue("postgres").url
    return url


def follow_at_once(folder: Path) -> None:
    """Let the next process follow without waiting for the lease of the one that died."""
    file = read_run(folder)
    if file.checkpoints:
        with psycopg.connect(file.checkpoints) as database:
            query = "UPDATE cookmas_leases SET holder = NULL WHERE thread_id = %s"
            database.execute(query, (file.thread,))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    play("corridor/two", folder=folder)
    return (folder / TRACE).read_bytes()


@pytest.mark.parametrize(
    ("database", "delayed", "moment", "last"),
    pairs(["sqlite", "postgres"], ["put", "put_writes"], ["before", "after"], PUTS),
    indirect=["database"],
)
def test_a_run_that_dies_at_a_checkpoint_ends_in_the_same_trace_and_asks_nobody_twice(
    tmp_path: Path, database: str | None, delayed: str, moment: str, last: str, undisturbed: bytes
) -> None:
    folder = create(
        tmp_path / "run",
        RunRequest(scenario="corridor/two", planner="embedded", checkpoints=database),
    )
    assert resume(folder, delayed, moment, PUTS[last]) == DIES
    follow_at_once(folder)
    assert resume(folder) == 0
    assert (folder / TRACE).read_bytes() == undisturbed
    asked = (folder / "plans").read_text().split()
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("delayed", ["put", "put_writes"])
def test_an_order_that_was_accepted_before_the_first_checkpoint_is_served(
    open_run: OpenRun, delayed: str
) -> None:
    with Client(open_run.where, sender="anna", patience=0) as guest:
        guest.order("1 Garden Salad", id="anna-1")
    for name in ("input", "start", "world"):
        assert resume(open_run.folder, delayed, "before", PUTS[name]) == DIES
        follow_at_once(open_run.folder)
    open_run.finish()
    trace = cookmas.read_trace(open_run.folder / TRACE)
    (order,) = trace.of(EventRecord)
    served = [c for step in trace.of(StepRecord) for c in step.commands if "serve(" in c.action]
    assert (order.refused, len(served)) == (None, 1)
    with Client(open_run.where, sender="anna") as guest:
        answer = guest.order("1 Garden Salad", id="anna-1")
    assert answer
    assert answer.status == "taken_already"
