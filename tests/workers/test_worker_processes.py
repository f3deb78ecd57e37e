"""Processes that play workers: their seats, signals, and the folder of the run."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from cookmas.api import create
from cookmas.commands.worker import worker as worker_command
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.orchestrator.runs.backup import back_up
from cookmas.orchestrator.runs.folder import RUN, read_run
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.workers import wires
from cookmas.workers.carrying_out import work
from cookmas.workers.remote import RemoteWorker, WireChannel
from cookmas.workers.wires import FILE, WORKERS, make_wires, wire_at
from tests.warm import COOKMAS, Warm
from tests.workers.elsewhere import Robot, Where, wait_for_report, working


async def test_a_worker_that_is_stopped_says_nothing_of_its_wire(where: Where) -> None:
    told: list[str] = []
    working = asyncio.create_task(work(where, "worker_3", Robot(), told.append))
    await wait_for_report(where, "worker_3")
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    await asyncio.sleep(0.1)
    assert told == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_a_worker_with_one_line(
    number: signal.Signals, where: Where, tmp_path: Path
) -> None:
    if isinstance(where, Path):
        opened = RunRequest(scenario="corridor/one", pace=0.0, remote=("walker_1",))
        await asyncio.to_thread(create, tmp_path, opened)
        place = [str(where)]
    else:
        place = ["--redis", where]
    command = (COOKMAS, "worker", "walker_1", *place)
    process = Warm[bytes](command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    async with asyncio.timeout(60):
        await wait_for_report(where, "walker_1")
        process.send_signal(number)
        told = await asyncio.to_thread(process.communicate)
    assert told == (b"", b"cookmas: interrupted; walker_1 is away now\n")
    assert process.returncode == 128 + number


@pytest.mark.parametrize(
    ("remote", "problem"),
    [((), "has no remote workers"), (("walker_1",), "expected one of walker_1")],
)
def test_a_worker_that_the_run_plays_itself_is_refused(
    tmp_path: Path, remote: tuple[str, ...], problem: str
) -> None:
    create(tmp_path, RunRequest(scenario="corridor/one", pace=0.0, remote=remote))
    with pytest.raises(InputError, match=f"walker_2: {problem}; 'cookmas serve --remote NAME'"):
        worker_command("walker_2", tmp_path)


async def test_a_seat_is_free_again_when_its_process_has_ended(where: Where) -> None:
    wire = wire_at(where, "worker_2", 10)
    assert not await wire.is_seated()
    for _ in range(2):
        async with working(where, Robot()):
            assert await wire.is_seated()
    async with asyncio.timeout(20):
        while await wire.is_seated():
            await asyncio.sleep(0.05)
    await wire.close()


async def test_a_process_that_is_stopped_while_it_sits_down_leaves_the_seat_free(
    tmp_path: Path,
) -> None:
    make_wires(tmp_path, 1)
    wire = wire_at(tmp_path, "worker_2", 10)
    for turns in range(40):
        task = asyncio.create_task(work(tmp_path, "worker_2", Robot()))
        await asyncio.sleep(turns / 2000)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert not await wire.is_seated()
    await wire.close()


async def test_a_locked_folder_is_waited_for(tmp_path: Path) -> None:
    make_wires(tmp_path, 1)
    told: list[str] = []
    task = asyncio.create_task(work(tmp_path, "worker_2", robot := Robot(), told.append))
    await wait_for_report(tmp_path, "worker_2")
    wire = wire_at(tmp_path, "worker_2", 60)
    with closing(sqlite3.connect(tmp_path / WORKERS / FILE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        acting = asyncio.create_task(RemoteWorker(WireChannel(wire), 10).act(1, "worker_2", "pick"))
        await asyncio.sleep(1.5 * wires.LOCKED)
        assert not acting.done()
        other.execute("ROLLBACK")
    assert (await acting).action == "pick"
    assert robot.done == ["pick"]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await wire.close()
    with pytest.raises(InfrastructureError, match="unable to open database file"):
        await wire_at(tmp_path / "nowhere", "worker_2", 0).newest("work")


async def test_a_worker_waits_for_the_folder_and_for_one_that_is_made_anew(tmp_path: Path) -> None:
    told: list[str] = []
    task = asyncio.create_task(work(tmp_path, "worker_2", robot := Robot(), told.append))
    while not told:
        await asyncio.sleep(0.05)
    assert told == [
        f"{tmp_path / WORKERS / FILE}: unable to open database file; waiting until it can be used"
    ]
    for timestep in (1, 2):
        make_wires(tmp_path, timestep)
        wire = wire_at(tmp_path, "worker_2", 60)
        remote = RemoteWorker(WireChannel(wire, timestep), 10)
        await asyncio.wait_for(remote.wait_until_back(), 60)
        assert (await remote.act(timestep, "worker_2", "pick")).action == "pick"
        await wire.close()
        # SQLite makes and removes its own files meanwhile, when the worker closes the old wire.
        while (tmp_path / WORKERS).exists():
            shutil.rmtree(tmp_path / WORKERS, ignore_errors=True)
    assert robot.done == ["pick", "pick"]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def test_remote_workers_that_an_earlier_version_wrote_beside_redis_are_found(
    tmp_path: Path,
) -> None:
    create(tmp_path, RunRequest(scenario="corridor/one", pace=0.0, remote=("walker_1",)))
    written = json.loads((tmp_path / RUN).read_text())
    del written["remote"]
    place = {"url": "redis://localhost", "episode": "corner", "run": "r", "remembered": 9}
    written["redis"] = {**place, "workers": ["walker_2"], "deadline": 3.0}
    (tmp_path / RUN).write_text(json.dumps(written))
    file = read_run(tmp_path)
    assert (file.remote, file.worker_deadline) == (("walker_2",), 3.0)
    assert file.redis
    assert file.redis.episode == "corner"


def test_a_backup_leaves_out_assignments_and_reports(tmp_path: Path) -> None:
    create(tmp_path / "run", RunRequest(scenario="corridor/one", pace=0.0, remote=("walker_1",)))
    make_wires(tmp_path / "run", 1)
    os.mkfifo(tmp_path / "run" / WORKERS / "walker_1.work")
    assert not [*back_up(tmp_path / "run", tmp_path / "copy")]
    assert not (tmp_path / "copy" / WORKERS).exists()
