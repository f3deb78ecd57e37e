"""Whoever has been followed by somebody else writes no checkpoint any more, in either database."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointMetadata, empty_checkpoint

from cookmas.episodes.trace_file import read_trace
from cookmas.files.errors import InputError, LeaseLostError
from cookmas.files.writing import guard_block, write_whole
from cookmas.orchestrator.checkpoints.postgres import check_url, postgres_checkpoints
from cookmas.orchestrator.checkpoints.sqlite import Checkpoints, sqlite_checkpoints
from cookmas.orchestrator.graph.recorder import TRACEBACK, Recorder
from cookmas.orchestrator.runs import lease
from cookmas.orchestrator.runs.folder import RUN, RunError
from cookmas.orchestrator.runs.lease import LOCK, take_lease
from tests.warm import COOKMAS, ROOT, Warm

Connect = Callable[[], AbstractAsyncContextManager[Checkpoints]]


@pytest.fixture(params=["sqlite", "postgres"])
def connect(request: pytest.FixtureRequest, tmp_path: Path) -> Connect:
    """One more connection to the same run's checkpoints."""
    (tmp_path / RUN).touch()
    if request.param == "postgres":
        url = request.getfixturevalue("postgres").url
        return lambda: postgres_checkpoints(url, str(tmp_path))
    return lambda: sqlite_checkpoints(tmp_path / "checkpoints.sqlite")


def config(saver: Checkpoints) -> RunnableConfig:
    return RunnableConfig(configurable={"thread_id": saver.thread, "checkpoint_ns": ""})


async def write(saver: Checkpoints) -> RunnableConfig:
    return await saver.aput(config(saver), empty_checkpoint(), CheckpointMetadata(), {})


async def count(saver: Checkpoints) -> int:
    return len([each async for each in saver.alist(config(saver))])


async def test_only_the_last_fencing_number_writes(connect: Connect) -> None:
    async with connect() as first, connect() as second:
        assert await first.mint(await first.fence()) == 1
        written = await write(first)
        assert await second.mint(await second.fence()) == 2
        with pytest.raises(LeaseLostError):
            await write(first)
        with pytest.raises(LeaseLostError):
            await first.aput_writes(written, [("cursor", 1)], "task")
        await write(second)
        await second.aput_writes(written, [("cursor", 1)], "task")
        assert await count(second) == 2


async def test_of_two_that_follow_at_once_one_wins(connect: Connect) -> None:
    async with connect() as first, connect() as second:
        seen = await first.fence()
        numbers = await asyncio.gather(first.mint(seen), second.mint(seen))
        assert sorted(number or 0 for number in numbers) == [0, seen + 1]


async def test_whoever_watches_is_told_of_what_is_written(connect: Connect) -> None:
    told: list[int] = []

    async def kept(values: object) -> None:
        told.append(await count(saver))

    async with connect() as saver:
        await saver.mint(await saver.fence())
        saver.call_when_durable(kept)
        await write(saver)
        await write(saver)
    assert told == [1, 2]


async def test_a_lease_is_one_processs_until_it_is_given_back_whatever_the_clock_says(
    connect: Connect, tmp_path: Path
) -> None:
    async with connect() as first, connect() as second:
        async with take_lease(tmp_path, first) as one:
            os.utime(tmp_path / LOCK, (0, 0))
            with pytest.raises(RunError):
                async with take_lease(tmp_path, second):
                    pass
            await write(first)
        async with take_lease(tmp_path, second) as two:
            assert two > one
            await write(second)


@asynccontextmanager
async def paused(folder: Path, saver: Checkpoints) -> AsyncIterator[None]:
    """A lease whose holder keeps its lock and touches nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lease, "BEAT", 3600.0)
        patch.setattr(lease, "PATIENCE", 1.0)
        async with take_lease(folder, saver):
            yield


async def test_the_lease_of_a_paused_process_passes_on_whatever_the_clock_says(
    connect: Connect, tmp_path: Path
) -> None:
    async with connect() as first, connect() as second, paused(tmp_path, first):
        await write(first)
        os.utime(tmp_path / LOCK, (2**32, 2**32))
        async with asyncio.timeout(60), take_lease(tmp_path, second):
            await write(second)
            with pytest.raises(LeaseLostError):
                await write(first)


PLAY = ("run", "corridor/one", "--quiet", "--checkpoints")
GOES_ON = "; 'cookmas resume runs/corridor-one-embedded' continues it\n"


HURRIES = """
import cookmas.orchestrator.checkpoints.postgres
cookmas.orchestrator.checkpoints.postgres.SECONDS = 1
cookmas.orchestrator.checkpoints.postgres.PATIENCE = 1
"""
"""Code that waits for PostgreSQL for a second only."""


def test_a_database_that_does_not_answer_is_said_in_one_line(tmp_path: Path) -> None:
    process = Warm[str](
        (HURRIES + COOKMAS, *PLAY, "postgresql://cook@127.0.0.1:1/kitchens"),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    _, told = process.answered()
    waits, said = told.splitlines(keepends=True)
    assert process.returncode == 2
    assert waits.startswith("the database of the checkpoints does not answer; waiting: ")
    assert said.startswith("cookmas: the database of the checkpoints: ")
    assert "Connection refused" in said
    assert said.endswith(GOES_ON)


DROPS = f"""{HURRIES}
import psycopg, cookmas.orchestrator.graph.planning
ask_planner = cookmas.orchestrator.graph.planning.ask_planner
async def drops(*arguments):
    with psycopg.connect({{url!r}}, autocommit=True) as server:
        server.execute("DROP DATABASE lost WITH (FORCE)")
    return await ask_planner(*arguments)
cookmas.orchestrator.graph.planning.ask_planner = drops
"""


def test_a_database_that_is_lost_in_the_run_is_said_in_one_line(
    tmp_path: Path, postgres: Any
) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as server:
        server.execute("CREATE DATABASE lost")
    script = DROPS.format(url=postgres.url) + COOKMAS
    url = postgres.url.replace("/postgres?", "/lost?")
    process = Warm[str](
        (script, *PLAY, url),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    _, said = process.answered()
    *_, last = said.splitlines(keepends=True)
    assert process.returncode == 2, said
    assert "Traceback" not in said
    assert last.startswith("cookmas: the database of the checkpoints: ")
    assert last.endswith(GOES_ON)


HEADER = read_trace(ROOT / "tests" / "traces" / "level1-01.jsonl").header


@pytest.mark.parametrize("connect", ["sqlite"], indirect=True)
async def test_a_superseded_process_writes_no_file_of_the_run(
    connect: Connect, tmp_path: Path
) -> None:
    """Also one that was about to begin or go on with the trace when it was paused."""
    trace, superseded, refused = tmp_path / "trace.jsonl", asyncio.Event(), []
    begun = asyncio.Event()

    async def play_first() -> None:
        async with connect() as saver, paused(tmp_path, saver):
            recorder = await asyncio.to_thread(Recorder, trace)
            recorder.append(HEADER)
            await recorder.write()
            begun.set()
            await superseded.wait()
            recorder.append(HEADER)
            attempts: Sequence[Callable[[], Awaitable[object]]] = (
                recorder.write,
                lambda: recorder.keep_traceback("late"),
                lambda: asyncio.to_thread(Recorder, trace),
                lambda: asyncio.to_thread(Recorder.of_written(trace).reopen),
                lambda: asyncio.to_thread(write_whole, tmp_path / "measurements.json", "late"),
            )
            for attempt in attempts:
                with pytest.raises(LeaseLostError):
                    await attempt()
                refused.append(attempt)
            recorder.close()

    first = asyncio.create_task(play_first())
    await begun.wait()
    async with asyncio.timeout(60), connect() as saver, take_lease(tmp_path, saver):
        await asyncio.to_thread(write_whole, tmp_path / TRACEBACK, "its successor's")
        names = {path.name for path in tmp_path.iterdir()}
        before = trace.stat().st_ino, trace.read_bytes()
        superseded.set()
        await first
        assert len(refused) == 5
        assert (trace.stat().st_ino, trace.read_bytes()) == before
        assert {path.name for path in tmp_path.iterdir()} == names
        assert (tmp_path / TRACEBACK).read_text() == "its successor's"


@pytest.mark.parametrize("connect", ["sqlite"], indirect=True)
async def test_a_lease_does_not_pass_on_in_the_midst_of_writing(
    connect: Connect, tmp_path: Path
) -> None:
    async with connect() as first, connect() as second, paused(tmp_path, first):
        midst = pytest.raises(RunError, match="stopped during a write")
        with guard_block(tmp_path / "trace.jsonl"), midst:
            async with take_lease(tmp_path, second):
                pass
        await write(first)
        async with take_lease(tmp_path, second):
            await write(second)


async def test_who_plays_in_a_folder_that_is_removed_is_told_so(tmp_path: Path) -> None:
    folder = tmp_path / "run"

    async def write_late() -> None:
        write_whole(folder / "measurements.json", "late")

    for do in (asyncio.Event().wait, write_late):
        folder.mkdir()
        (folder / RUN).touch()
        async with sqlite_checkpoints(tmp_path / "checkpoints.sqlite") as saver:
            with pytest.raises(LeaseLostError, match="run: the run has been removed"):
                await play_where_it_is_removed(folder, saver, do)
        task = asyncio.current_task()
        assert task
        assert not task.cancelling()


async def play_where_it_is_removed(
    folder: Path, saver: Checkpoints, do: Callable[[], Awaitable[object]]
) -> None:
    async with asyncio.timeout(30), take_lease(folder, saver):
        shutil.rmtree(folder)
        await do()


@pytest.mark.parametrize("url", ["postgresql://cook:secret@localhost/kitchens", "not a url"])
def test_a_url_with_a_password_is_refused(url: str) -> None:
    with pytest.raises(InputError) as refused:
        check_url(url)
    assert "secret" not in str(refused.value)


async def test_who_is_cancelled_in_the_midst_of_writing_locks_nobody_out(tmp_path: Path) -> None:
    held: list[object] = []

    async def begin(connection: aiosqlite.Connection) -> None:
        held.append(await connection.execute("UPDATE lease SET fence = fence + 1"))
        held.append(await connection.execute("SELECT * FROM lease"))

    async def write_until_cancelled() -> None:
        async with sqlite_checkpoints(tmp_path / "checkpoints.sqlite") as cancelled:
            await begin(cancelled.conn)
            held.append(asyncio.create_task(begin(cancelled.conn)))
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await write_until_cancelled()
    async with sqlite_checkpoints(tmp_path / "checkpoints.sqlite") as follower:
        assert await follower.fence() == 0
    late = held[2]
    assert isinstance(late, asyncio.Task)
    assert isinstance(late.exception(), sqlite3.OperationalError)
