"""The file of the wires in a run's folder: locked by another process, or empty."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from pathlib import Path

import pytest

from cookmas.api import aresume, create
from cookmas.files.errors import InfrastructureError, StorageError
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.underway import Jobs
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.workers.protocol import Assigned, AwayError
from cookmas.workers.remote import RemoteWorker, WireChannel
from cookmas.workers.wires import FILE, FOLDER_PATIENCE, LOCKED, WORKERS, make_wires, wire_at


async def test_who_cannot_open_the_wires_does_not_take_the_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = RunRequest(scenario="open", pace=0.0, remote=("worker_2",))
    run = create(tmp_path / "run", request)
    make_wires(run, 1)
    asked: list[str] = []
    monkeypatch.setattr(
        "cookmas.orchestrator.runs.opening.take_lease", lambda *_: asked.append("the lease")
    )
    with contextlib.closing(sqlite3.connect(run / WORKERS / FILE)) as writing:
        writing.execute("BEGIN IMMEDIATE")
        with pytest.raises(InfrastructureError, match="another process stopped during a write"):
            await aresume(run)
    assert asked == []


async def test_an_empty_file_of_wires_is_made_anew(tmp_path: Path) -> None:
    make_wires(tmp_path, 1)
    path = tmp_path / WORKERS / FILE
    path.write_bytes(b"")
    make_wires(tmp_path, 2)
    wire = wire_at(tmp_path, "worker_2", 0)
    await wire.report({"assignment": "", "action": "", "report": ""})
    assert await wire.newest("reports") != "0"
    await wire.close()


async def test_a_wire_that_cannot_be_written_stops_the_episode_and_a_locked_one_is_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cookmas.workers.wires.LOCKED", 0.01)
    make_wires(tmp_path, 1)
    path = tmp_path / WORKERS / FILE
    wire = wire_at(tmp_path, "worker_2", 0)
    long = Assigned("bake", "worker_2", 1, "bakery", timesteps=9)
    jobs = Jobs({"worker_2": RemoteWorker(WireChannel(wire), 10)})
    with contextlib.closing(sqlite3.connect(path)) as writing:
        writing.execute("BEGIN EXCLUSIVE")
        with pytest.raises(AwayError, match="another process stopped during a write"):
            await jobs.report(1, "worker_2", long, 10)
    # SQLite makes its log for each call, which a full disk prevents, and a folder in its place too.
    log = path.with_name(f"{FILE}-wal")
    log.mkdir()
    with pytest.raises(StorageError, match="unable to open database file"):
        await jobs.report(1, "worker_2", long, 10)
    log.rmdir()
    assert not await wire.wait("reports", "0", 0)
    await wire.close()


def test_a_wire_is_given_up_before_its_worker() -> None:
    assert Context.patience > FOLDER_PATIENCE + 2 * LOCKED


async def test_an_error_of_a_pipe_or_of_a_seat_is_one_of_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    make_wires(tmp_path, 1)
    wire = wire_at(tmp_path, "worker_2", 0)
    monkeypatch.setattr(os, "mkfifo", fail)
    monkeypatch.setattr("cookmas.workers.wires.lock_file", fail)
    for call in wire.wait("reports", "0", 1), wire.sit("me", 1):
        with pytest.raises(InfrastructureError, match="workers: Input/output error"):
            await call
    await wire.close()
