"""`cookmas backup`: a copy that is made while the kitchen is played, and gone on with elsewhere."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import cookmas
from cookmas.client import Client
from cookmas.commands.cli import app
from cookmas.episodes.trace import EventRecord, StepRecord, Trace
from cookmas.orchestrator.runs import backup
from cookmas.orchestrator.runs.folder import read_run

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun

SENDERS = ("anna", "bert")


def back_up(run: OpenRun, to: Path) -> str:
    result = CliRunner().invoke(app, ["backup", str(to), "--at", str(run.folder)])
    assert result.exit_code == 0, result.output
    return result.output


def answered(run: OpenRun) -> dict[str, str]:
    """What each message was about that has been answered up to now."""
    logs = [run.log(sender) for sender in SENDERS if run.log(sender).exists()]
    lines = [line for log in logs for line in log.read_text().split("\n")[:-1]]
    return {entry["id"]: entry["answer"]["about"] for entry in map(json.loads, lines)}


def answers(folder: Path) -> dict[str, dict[str, Any]]:
    with closing(sqlite3.connect(folder / "mailbox.sqlite")) as database:
        found = database.execute("SELECT id, answer FROM messages").fetchall()
    return {name: json.loads(answer) for name, answer in found}


def served(trace: Trace) -> Sequence[str]:
    return [
        command.action
        for record in trace.of(StepRecord)
        for command in record.commands
        if command.action.startswith("serve(") and command.worker not in record.fails
    ]


def verify(folder: Path, ids: Sequence[str]) -> None:
    """The run is over, replays, and has each of these messages once, with its answer."""
    trace = cookmas.read_trace(folder / "trace.jsonl")
    assert trace.end is not None
    assert trace.end.termination == "closed"
    assert all(frame.equal for frame in cookmas.replay(trace))
    numbers = [record.number for record in trace.of(EventRecord)]
    told = answers(folder)
    assert numbers == list(range(1, len(told) + 1))
    assert set(ids) <= set(told)
    assert len(served(trace)) == len(set(served(trace)))


def test_a_copy_made_while_it_is_played_is_gone_on_with_elsewhere(
    sqlite_run: OpenRun, tmp_path: Path
) -> None:
    sqlite_run.play()
    sending = [sqlite_run.send(sender, 6, seed) for seed, sender in enumerate(SENDERS)]
    while len(answered(sqlite_run)) < 4:
        assert all(process.poll() in (None, 0) for process in sending)
        time.sleep(0.01)
    before = answered(sqlite_run)
    back_up(sqlite_run, tmp_path / "copy")
    for process in sending:
        assert process.wait(120) == 0
    original, sqlite_run.folder = sqlite_run.folder, tmp_path / "copy"
    assert sorted(path.name for path in sqlite_run.folder.iterdir()) == [
        "checkpoints.sqlite",
        "house.token",
        "mailbox.sqlite",
        "run.json",
        "trace.jsonl",
    ]
    assert sqlite_run.folder.stat().st_mode & 0o777 == 0o700
    sqlite_run.finish()
    verify(sqlite_run.folder, list(before))
    told = answers(sqlite_run.folder)
    assert {name: told[name].get("about") for name in before} == before
    assert len(answers(original)) == 12


@pytest.mark.parametrize("played", [True, False])
def test_what_happens_between_two_files_happens_once_in_the_copy(
    sqlite_run: OpenRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, played: bool
) -> None:
    copy, ids = backup._copy_database, ["a"]

    def order() -> None:
        if not sqlite_run.processes:
            sqlite_run.play()
        ids.append(f"{len(ids)}")
        with Client(sqlite_run.folder, "anna", patience=60) as anna:
            anna.order("1 Garden Salad", id=ids[-1])

    def between_orders(path: Path, to: Path) -> None:
        if sqlite_run.processes:
            order()
        copy(path, to)
        order()

    with Client(sqlite_run.folder, "anna", patience=0) as anna:
        anna.order("1 Garden Salad", id="a")
    if played:
        order()
    else:
        sqlite3.connect(sqlite_run.folder / "checkpoints.sqlite").close()
    monkeypatch.setattr(backup, "_copy_database", between_orders)
    back_up(sqlite_run, tmp_path / "copy")
    sqlite_run.folder = tmp_path / "copy"
    sqlite_run.finish()
    verify(sqlite_run.folder, ids[:-1])
    told = answers(sqlite_run.folder)
    assert [told[name]["about"] for name in ids[:-1]] == [f"live{n}" for n in range(1, len(ids))]


def test_a_copy_that_was_interrupted_is_no_run(
    sqlite_run: OpenRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(source: Path, to: Path) -> None:
        raise OSError(28, "No space left on device", str(source))

    words = ["backup", str(tmp_path / "copy"), "--at", str(sqlite_run.folder)]
    with monkeypatch.context() as full:
        full.setattr("shutil.copy2", fail)
        result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert result.output.startswith(f"cookmas: {tmp_path / 'copy'}: No space left on device")
    assert not (tmp_path / "copy").exists()
    (tmp_path / "copy.new" / "half").mkdir()
    back_up(sqlite_run, tmp_path / "copy")
    assert not (tmp_path / "copy" / "half").exists()
    assert not (tmp_path / "copy.new").exists()
    again = CliRunner().invoke(app, words)
    assert (again.exit_code, again.output.count("\n")) == (2, 1)
    assert "exists already" in again.output
    sqlite_run.folder = tmp_path / "copy"
    sqlite_run.finish()


def test_a_copy_into_the_run_itself_is_refused(sqlite_run: OpenRun) -> None:
    words = ["backup", str(sqlite_run.folder / "a/copy"), "--at", str(sqlite_run.folder)]
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "is within the run" in result.output
    assert not (sqlite_run.folder / "a").exists()


def test_a_copy_is_on_the_disk_before_it_appears(
    sqlite_run: OpenRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    fsync, to = os.fsync, tmp_path / "copy"

    def note(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}"))
        if synced[-1] != str(tmp_path):
            assert not to.exists()
        fsync(handle)

    monkeypatch.setattr(os, "fsync", note)
    back_up(sqlite_run, to)
    draft = f"{to}.new"
    assert {*synced} == {draft, str(tmp_path), *(f"{draft}/{path.name}" for path in to.iterdir())}


def test_what_is_kept_elsewhere_is_named(sqlite_run: OpenRun, tmp_path: Path) -> None:
    file = sqlite_run.folder / "run.json"
    elsewhere = {"url": "redis://localhost", "episode": "corner", "run": "r"}
    data = {**json.loads(file.read_text()), "redis": elsewhere, "checkpoints": "postgresql://d/b"}
    file.write_text(json.dumps(data))
    said = back_up(sqlite_run, tmp_path / "copy")
    assert "back up the database postgresql://d/b" in said
    assert "back up Redis at redis://localhost" in said
    assert read_run(tmp_path / "copy") == read_run(sqlite_run.folder)
