"""Two orchestrators of one kitchen, the first of them crashed or paused for real."""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from cookmas.client import Client
from cookmas.files.errors import LOCKED
from tests.live.conftest import FOLLOW
from tests.warm import QUICKLY, hurried

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun, Process

    Verified = Callable[[OpenRun, Sequence[str]], None]


def pause(process: Process) -> None:
    """Stop a process, and wait until it stands still."""
    process.send_signal(signal.SIGSTOP)
    process.wait_until_stopped()


def follow(run: OpenRun, playing: Process) -> Process:
    """Who follows one that is paused, which must not be in the midst of writing then."""
    for _ in range(20):
        pause(playing)
        successor = run.play(FOLLOW)
        if run.is_taken_up(successor):
            return successor
        _, said = successor.communicate()
        assert LOCKED in said.decode()
        playing.send_signal(signal.SIGCONT)
        time.sleep(0.1)
    raise AssertionError("it was paused in the midst of writing each time")


def test_a_second_orchestrator_is_refused_and_follows_a_crashed_one_at_once(
    open_run: OpenRun, verified: Verified
) -> None:
    first = open_run.play()
    with Client(open_run.folder, "anna", patience=60) as kitchen:
        kitchen.order("1 Garden Salad", id="anna-0")
        second = open_run.play()
        _, said = second.communicate(timeout=60)
        assert second.returncode == 2
        assert "under way in another process" in said.decode()
        first.kill()
        first.wait()
        open_run.play()
        began = time.monotonic()
        answer = kitchen.cancel("live1")
        assert answer is not None
        assert time.monotonic() - began < 30


def test_a_paused_orchestrator_that_wakes_up_writes_nothing(
    open_run: OpenRun, verified: Verified, faults: int
) -> None:
    chance = random.Random(9)
    sender = open_run.send("anna", 6 + 2 * faults, 1)
    playing = open_run.play()
    open_run.wait_until_taken_up(playing)
    for _ in range(faults):
        time.sleep(chance.random())
        successor = follow(open_run, playing)
        time.sleep(chance.random())
        playing.send_signal(signal.SIGCONT)
        _, said = playing.communicate(timeout=60)
        assert playing.returncode == 2, said.decode()
        assert "another process" in said.decode()
        assert successor.poll() is None
        playing = successor
    _, said = sender.communicate(timeout=300)
    assert sender.returncode == 0, said.decode()
    playing.kill()
    playing.wait()
    open_run.finish()
    verified(open_run, ["anna"])


@pytest.mark.parametrize("kind", ["sqlite_run", "postgres_run", "redis_run"])
def test_a_paused_orchestrator_that_wakes_up_leaves_everything_as_it_is(
    kind: str, request: pytest.FixtureRequest
) -> None:
    run: OpenRun = request.getfixturevalue(kind)
    playing = run.play()
    run.wait_until_taken_up(playing)
    send_all(run, 3)
    wait_until_idle(run, 3)
    successor = follow(run, playing)
    send_all(run, 4)
    wait_until_idle(run, 4)
    pause(successor)
    before = settled(run)
    assert {"trace.jsonl", "lock"} < set(before)
    assert "measurements.json" not in before
    playing.send_signal(signal.SIGCONT)
    _, said = playing.communicate(timeout=60)
    assert playing.returncode == 2, said.decode()
    assert "another process" in said.decode()
    after = run.written()
    assert [name for name in before | after if before.get(name) != after.get(name)] == []
    successor.send_signal(signal.SIGCONT)
    with Client(run.where, patience=0) as kitchen:
        kitchen.close()
    _, said = successor.communicate(timeout=60)
    assert successor.returncode in (0, 1), said.decode()
    assert (run.folder / "measurements.json").exists()


def settled(run: OpenRun) -> dict[str, Any]:
    """Return what is written once a server has done what a paused process has asked it for."""
    before, written = None, run.written()
    while before != written:
        time.sleep(0.1)
        before, written = written, run.written()
    return written


def send_all(run: OpenRun, count: int) -> None:
    """Send those of so many messages that have no answer yet, and wait for the answers."""
    sender = run.send("anna", count, 1)
    _, said = sender.communicate(timeout=60)
    assert sender.returncode == 0, said.decode()


def wait_until_idle(run: OpenRun, letters: int) -> None:
    """Wait until whoever has taken the last of so many messages has done all that was ordered.

    An earlier status may be of another process.
    """
    until = time.monotonic() + 60
    with Client(run.where, patience=0) as kitchen:
        while not (status := kitchen.status()) or (
            status["letters"] < letters or not status["asleep"]
        ):
            assert time.monotonic() < until
            time.sleep(0.05)


AT_ONCE = hurried(
    QUICKLY,
    {
        "cookmas.mailboxes.sqlite.file:PATIENCE": 0.1,
        "cookmas.orchestrator.checkpoints.sqlite:PATIENCE": 0.1,
    },
)
"""Code of an orchestrator that does not wait for who writes to a file."""


def test_who_follows_one_that_stands_still_while_it_writes_is_told_so(sqlite_run: OpenRun) -> None:
    first = sqlite_run.play()
    sqlite_run.wait_until_taken_up(first)
    first.kill()
    first.wait()
    checkpoints = sqlite_run.folder / "checkpoints.sqlite"
    with closing(sqlite3.connect(checkpoints, isolation_level=None)) as writing:
        writing.execute("BEGIN IMMEDIATE")
        _, said = sqlite_run.play(AT_ONCE).communicate(timeout=60)
        writing.execute("ROLLBACK")
    assert f"{checkpoints}: {LOCKED}" in said.decode()
    assert said.decode().count("\n") == 1
    sqlite_run.finish()


@pytest.mark.parametrize("kind", ["checkpoints in postgres", "kitchen in redis"])
def test_who_has_a_copy_of_the_folder_is_refused_and_follows_only_one_that_stands_still(
    kind: str, request: pytest.FixtureRequest, verified: Verified
) -> None:
    first: OpenRun = request.getfixturevalue(
        "redis_run" if kind == "kitchen in redis" else "postgres_run"
    )
    playing = first.play()
    first.wait_until_taken_up(playing)
    sender = first.send("anna", 2, 1)
    sender.communicate(timeout=60)
    elsewhere = replace(first, folder=first.folder.with_name("copy"))
    pause(playing)
    shutil.copytree(first.folder, elsewhere.folder, ignore=shutil.ignore_patterns("bell"))
    playing.send_signal(signal.SIGCONT)
    refused = elsewhere.play()
    _, said = refused.communicate(timeout=60)
    assert refused.returncode == 2
    assert "under way in another process" in said.decode()
    assert playing.poll() is None
    pause(playing)
    shutil.rmtree(elsewhere.folder)
    shutil.copytree(first.folder, elsewhere.folder, ignore=shutil.ignore_patterns("bell"))
    successor = elsewhere.play(FOLLOW)
    elsewhere.wait_until_taken_up(successor)
    with Client(elsewhere.where, "bert", patience=60) as kitchen:
        assert kitchen.order("1 Garden Salad")
    playing.send_signal(signal.SIGCONT)
    _, said = playing.communicate(timeout=60)
    assert playing.returncode == 2, said.decode()
    assert "another process" in said.decode()
    assert successor.poll() is None
