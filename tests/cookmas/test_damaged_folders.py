"""Folders of runs with something else in the place of a file, and folders copied by half."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

import cookmas
from cookmas.mailboxes.sqlite.file import HOUSE_TOKEN, create_mailbox
from cookmas.mailboxes.sqlite.letterbox import SqliteLetterbox
from cookmas.orchestrator.runs.folder import CHECKPOINTS, MEASUREMENTS, RUN, TRACE
from cookmas.orchestrator.runs.lease import LOCK
from tests.cookmas.commands.calling import cookmas as said
from tests.warm import say

SCENARIO = "corridor/one"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "run"
    cookmas.play(SCENARIO, folder=folder)
    return folder


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    """The folder of a run that was killed before its end."""
    folder = shutil.copytree(whole, tmp_path / "run")
    *kept, _ = (folder / TRACE).read_bytes().splitlines(keepends=True)
    (folder / TRACE).write_bytes(b"".join(kept))
    return folder


def refused(code: int, printed: str, path: object) -> None:
    assert (code, printed.count("\n")) == (2, 1), printed
    assert str(path) in printed


@pytest.mark.parametrize("name", [RUN, TRACE, MEASUREMENTS, LOCK])
def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(run: Path, name: str) -> None:
    (run / name).unlink()
    os.mkfifo(run / name)
    refused(*say(run.parent, "", "resume", run.name), name)


def test_a_scenario_that_is_a_pipe_or_never_ends_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "endless.yaml").symlink_to("/dev/zero")
    for name in ("pipe.yaml", "endless.yaml"):
        refused(*say(tmp_path, "", "run", name), name)


def test_a_trace_whose_checkpoints_are_lost_is_kept(run: Path) -> None:
    for part in run.glob(f"{CHECKPOINTS}*"):
        part.unlink()
    before = (run / TRACE).read_bytes()
    done = said("resume", run)
    refused(done.exit_code, done.output, run / TRACE)
    assert (run / TRACE).read_bytes() == before
    assert said("fork", run, "--at", "1", "--quiet").exit_code == 0


def test_nothing_is_warned_of_where_an_address_is_none() -> None:
    done = said("run", SCENARIO, "--live", "--redis", "http://x")
    refused(done.exit_code, done.stderr, "redis://HOST:PORT/0#NAME")


async def test_a_token_that_is_a_pipe_or_never_ends_is_none(tmp_path: Path) -> None:
    create_mailbox(tmp_path)
    token = tmp_path / HOUSE_TOKEN
    token.unlink()
    os.mkfifo(token)
    assert await SqliteLetterbox(tmp_path).house_token() is None
    token.unlink()
    token.symlink_to("/dev/zero")
    assert await SqliteLetterbox(tmp_path).house_token() is None


def _write_other_tables(path: Path) -> None:
    path.unlink()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE checkpoints (x)")
        database.execute("CREATE TABLE writes (x)")
        database.commit()


def _make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "other bytes": lambda path: path.write_bytes(b"no database" * 1000),
    "cut in two": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "zeros": lambda path: path.write_bytes(path.read_bytes()[:8192] + bytes(40_000)),
    "other tables": _write_other_tables,
    "a folder": _make_folder,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_checkpoints_do_not_promise_that_a_resume_continues(
    run: Path, damage: Callable[[Path], object]
) -> None:
    for part in run.glob(f"{CHECKPOINTS}-*"):
        part.unlink()
    damage(run / CHECKPOINTS)
    before = (run / TRACE).read_bytes()
    done = said("resume", run)
    refused(done.exit_code, done.output, "checkpoints")
    assert "cookmas resume" not in done.output
    assert "'cookmas fork'" in done.output
    assert (run / TRACE).read_bytes() == before
    assert said("fork", run, "--at", "1", "--quiet").exit_code == 0
