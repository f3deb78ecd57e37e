"""Retention: the last checkpoints are kept, the rest goes, and nothing promised needs the rest."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from langchain_core.runnables import RunnableConfig
from typer.testing import CliRunner

import cookmas
from cookmas.api import KEPT_OPEN, aresume, create
from cookmas.commands.cli import app
from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.checkpoints.postgres import postgres_checkpoints
from cookmas.orchestrator.checkpoints.sqlite import Checkpoints, sqlite_checkpoints
from cookmas.orchestrator.checkpoints.statements import EVERY
from cookmas.orchestrator.graph.graph import build_graph
from cookmas.orchestrator.runs.folder import CHECKPOINTS, TRACE, read_run
from cookmas.orchestrator.runs.request import RunRequest
from tests.warm import COOKMAS, ROOT, Warm

KEEP = 30
TIMESTEPS = 120

DYING = f"""
import os, sys
import cookmas.orchestrator.checkpoints.sqlite as saving

prepare = saving._prepare

async def dying(connection, *given, **more):
    saver = await prepare(connection, *given, **more)
    await connection.create_function("die", 0, lambda: os._exit(79))
    await connection.execute(
        "CREATE TEMP TRIGGER dying AFTER DELETE ON main.checkpoints BEGIN SELECT die(); END"
    )
    return saver

saving._prepare = dying
{COOKMAS}
"""
"""`cookmas`, which dies when the first checkpoint has been deleted."""


@pytest.fixture(scope="module")
def schedule(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The workers walk to and fro."""
    path = tmp_path_factory.mktemp("schedules") / "walk.yaml"
    walks = [{"worker_1": f"navigate({place})"} for place in ("fridge", "pantry")]
    path.write_text(yaml.safe_dump(walks * (TIMESTEPS // 2)))
    return str(path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, schedule: str) -> Path:
    """A run that keeps all its checkpoints."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    cookmas.play("level1/01", schedule, folder)
    return folder


def opened(folder: Path) -> AbstractAsyncContextManager[Checkpoints]:
    file = read_run(folder)
    if file.checkpoints is None:
        return sqlite_checkpoints(folder / CHECKPOINTS)
    return postgres_checkpoints(file.checkpoints, file.thread)


async def history(folder: Path) -> list[dict[str, Any]]:
    """The values of all checkpoints of a run, the last one first."""
    async with opened(folder) as saver:
        config = RunnableConfig(configurable={"thread_id": saver.thread})
        return [each.values async for each in build_graph(saver).aget_state_history(config)]


@pytest.fixture
async def server(postgres: Any) -> AsyncIterator[psycopg.Connection[Any]]:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        yield connection


async def test_the_last_are_kept_in_sqlite(tmp_path: Path, whole: Path, schedule: str) -> None:
    run = create(
        tmp_path / "run", RunRequest(scenario="level1/01", planner=schedule, keep_checkpoints=KEEP)
    )
    await aresume(run)
    await hold(run, whole)
    with closing(sqlite3.connect(run / CHECKPOINTS)) as database:
        query = (
            "SELECT count(*) FROM writes "
            "WHERE checkpoint_id NOT IN (SELECT checkpoint_id FROM checkpoints)"
        )
        assert database.execute(query).fetchone() == (0,)


async def test_the_last_are_kept_in_postgres(
    tmp_path: Path, whole: Path, schedule: str, server: psycopg.Connection[Any], postgres: Any
) -> None:
    other = create(
        tmp_path / "other",
        RunRequest(scenario="corridor/one", planner="embedded", checkpoints=postgres.url),
    )
    await aresume(other)
    before = await history(other)
    run = create(
        tmp_path / "run",
        RunRequest(
            scenario="level1/01", planner=schedule, checkpoints=postgres.url, keep_checkpoints=KEEP
        ),
    )
    await aresume(run)
    await hold(run, whole)
    assert await history(other) == before, "those of another run are left alone"
    counted = "SELECT count(*) FROM {} WHERE thread_id = %s AND NOT {}"
    unused = {
        "checkpoint_writes": "checkpoint_id IN (SELECT checkpoint_id FROM checkpoints)",
        "checkpoint_blobs": "EXISTS (SELECT FROM checkpoints c WHERE "
        "c.checkpoint->'channel_versions'->>channel = version)",
    }
    for table, used in unused.items():
        query = counted.format(table, used).encode()
        assert server.execute(query, (read_run(run).thread,)).fetchone() == (0,), table


async def hold(run: Path, whole: Path) -> None:
    """The trace is whole, and the last checkpoints are those of a run that keeps all.

    SQLite counts checkpoints from 1 on. In PostgreSQL the steps of LangGraph count, from -1 on.
    """
    assert (run / TRACE).read_bytes() == (whole / TRACE).read_bytes()
    kept, every = await history(run), await history(whole)
    last = len(every) if read_run(run).checkpoints is None else len(every) - 2
    assert len(kept) == KEEP + last % EVERY
    assert len(every) > KEEP + EVERY
    assert kept == every[: len(kept)]


async def test_a_fork_from_the_start_needs_no_checkpoint(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    for name in (TRACE, "run.json"):
        (run / name).write_bytes((whole / name).read_bytes())
    fork = await cookmas.afork(run, 1, folder=tmp_path / "fork")
    steps = [record for record in fork.trace.records if record.kind == "step"]
    assert len(steps) == TIMESTEPS


async def test_a_process_that_dies_while_it_deletes_goes_on(
    tmp_path: Path, whole: Path, schedule: str
) -> None:
    run = create(
        tmp_path / "run", RunRequest(scenario="level1/01", planner=schedule, keep_checkpoints=KEEP)
    )
    process = Warm[bytes](
        (DYING, "resume", str(run), "--quiet"),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    _, said = process.communicate(timeout=120)
    assert process.returncode == 79, said.decode()
    assert len(await history(run)) == EVERY - 1, "neither deleted nor written"
    await aresume(run)
    await hold(run, whole)


async def test_a_session_that_ends_while_it_deletes_goes_on(
    tmp_path: Path,
    whole: Path,
    schedule: str,
    server: psycopg.Connection[Any],
    postgres: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cookmas.orchestrator.checkpoints.postgres.PATIENCE", 1.0)
    run = create(
        tmp_path / "run",
        RunRequest(
            scenario="level1/01", planner=schedule, checkpoints=postgres.url, keep_checkpoints=KEEP
        ),
    )
    await aresume(
        create(
            tmp_path / "other",
            RunRequest(scenario="corridor/one", planner="embedded", checkpoints=postgres.url),
        )
    )
    for statement in END_THE_SESSION:
        server.execute(statement.encode())
    with pytest.raises(InfrastructureError, match="database of the checkpoints"):
        await aresume(run)
    server.execute("DROP TRIGGER ending ON checkpoints")
    server.execute("UPDATE cookmas_leases SET holder = NULL")
    assert len(await history(run)) == EVERY + 1, "neither deleted nor written"
    await aresume(run)
    await hold(run, whole)


END_THE_SESSION: Sequence[str] = (
    "CREATE OR REPLACE FUNCTION ending() RETURNS trigger LANGUAGE plpgsql AS $$ "
    "BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$",
    "CREATE TRIGGER ending AFTER DELETE ON checkpoints FOR EACH ROW EXECUTE FUNCTION ending()",
)


def test_how_many_are_kept_is_in_the_runs_file(tmp_path: Path) -> None:
    usual = create(tmp_path / "usual", RunRequest(scenario="open", planner="embedded", pace=0.0))
    assert read_run(usual).keep_checkpoints == KEPT_OPEN
    few = create(
        tmp_path / "few",
        RunRequest(scenario="open", planner="embedded", pace=0.0, keep_checkpoints=5),
    )
    assert read_run(few).keep_checkpoints == 5
    closed = create(tmp_path / "closed", RunRequest(scenario="level1/01", planner="embedded"))
    assert read_run(closed).keep_checkpoints is None
    done = CliRunner().invoke(app, ["serve", "--keep-checkpoints", "0"])
    assert done.exit_code == 2
