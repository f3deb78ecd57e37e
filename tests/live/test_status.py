"""`cookmas status`: whether a kitchen is alive, what waits, and who is out of reach."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from cookmas.api import aresume
from cookmas.client import AsyncClient, Client
from cookmas.commands.cli import app
from cookmas.files.errors import NoOpenEpisodeError
from cookmas.status import Status, status_of
from tests.live.conftest import open_small

if TYPE_CHECKING:
    from tests.live.conftest import OpenRun, RedisRun

SLOW = """
import asyncio
from cookmas.commands.start import main
from cookmas.solving.restaurant.planners import EmbeddedPlanner
EmbeddedPlanner.effort = 1
plan = EmbeddedPlanner.plan
seconds = iter([0.5, 600])
async def slowly(self, observation):
    await asyncio.sleep(next(seconds))
    return await plan(self, observation)
EmbeddedPlanner.plan = slowly
main()
"""
"""`cookmas` with a planner whose second call does not end."""


def status(where: Path | str) -> Status:
    return asyncio.run(status_of(where))


def until(where: Path | str, holds: Callable[[Status], bool]) -> Status:
    """The first status for which something holds."""
    end = time.monotonic() + 60
    while not holds(found := status(where)):
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return found


def said(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, result.output


def test_a_kitchen_whose_orchestrator_was_killed_is_down_until_it_is_gone_on_with(
    sqlite_run: OpenRun,
) -> None:
    folder, at = sqlite_run.folder, ("status", "--at", str(sqlite_run.folder))
    playing = sqlite_run.play()
    alive = until(folder, lambda found: found.state == "asleep")
    assert (alive.alive, alive.heartbeat_seconds is not None) == (True, True)
    assert said(*at)[0] == 0
    playing.kill()
    playing.wait()
    dead = status(folder)
    assert (dead.state, dead.alive, dead.heartbeat_seconds) == ("down", False, None)
    code, shown = said(*at)
    assert (code, "asleep" in shown) == (3, False)
    assert "down: no orchestrator plays it, though it is not over; 'cookmas resume'" in shown
    long_ago = time.time() - 60
    os.utime(folder / "lock", (long_ago, long_ago))
    playing = sqlite_run.play()
    while not (found := status(folder)).alive:
        assert found.state in ("down", "unresponsive"), "it has the lock before its first heartbeat"
    assert said("close", *at[1:])[0] == 0
    assert playing.wait(60) in (0, 1)
    over = status(folder)
    assert (over.state, over.alive, over.ended) == ("over", False, "closed")
    assert said(*at)[0] == 0


def test_a_kitchen_whose_orchestrator_stands_still_is_unresponsive(sqlite_run: OpenRun) -> None:
    playing = sqlite_run.play()
    until(sqlite_run.folder, lambda found: found.state == "asleep")
    playing.send_signal(signal.SIGSTOP)
    playing.wait_until_stopped()
    long_ago = time.time() - 60
    os.utime(sqlite_run.folder / "lock", (long_ago, long_ago))
    found = status(sqlite_run.folder)
    assert (found.state, found.alive) == ("unresponsive", False)
    assert found.heartbeat_seconds is not None
    assert 60 <= found.heartbeat_seconds < 120
    assert said("status", "--at", str(sqlite_run.folder))[0] == 3
    playing.send_signal(signal.SIGCONT)
    until(sqlite_run.folder, lambda found: found.alive)


async def test_an_end_that_was_not_published_is_read_from_the_trace(tmp_path: Path) -> None:
    open_small(tmp_path / "run")
    await AsyncClient(tmp_path / "run").close()
    await aresume(tmp_path / "run")
    with closing(sqlite3.connect(tmp_path / "run/mailbox.sqlite")) as database, database:
        database.execute("UPDATE episode SET status = json_remove(status, '$.ended')")
    found = await status_of(tmp_path / "run")
    assert (found.state, found.ended) == ("over", "closed")
    with (tmp_path / "run/trace.jsonl").open("rb+") as trace:
        trace.truncate((tmp_path / "run/trace.jsonl").stat().st_size - 9)
    assert (await status_of(tmp_path / "run")).state == "down"
    (tmp_path / "run/trace.jsonl").unlink()
    assert (await status_of(tmp_path / "run")).state == "down"


def test_all_that_waits_is_counted_with_the_age_of_the_oldest(sqlite_run: OpenRun) -> None:
    folder = sqlite_run.folder
    with Client(folder, "anna", patience=0) as anna:
        anna.order("1 Garden Salad")
    with closing(sqlite3.connect(folder / "mailbox.sqlite")) as database, database:
        row = "INSERT INTO messages (sender, id, event, sent) VALUES ('bert', ?, '{}', ?)"
        now = time.time()
        database.executemany(row, [(str(number), now - 65) for number in range(1999)])
    found = status(folder)
    assert (found.state, found.waiting, found.taken) == ("down", 2000, 0)
    assert found.oldest_seconds is not None
    assert 65 <= found.oldest_seconds < 120
    code, shown = said("status", "--at", str(folder))
    told = re.search(r"2,000 waiting, the oldest for (\d+) s", shown)
    assert code == 3
    assert told
    assert 65 <= int(told[1]) < 120
    code, line = said("status", "--json", "--at", str(folder))
    assert (code, Status.model_validate_json(line).waiting) == (3, 2000)


def test_the_planners_lag_is_told(tmp_path: Path, sqlite_run: OpenRun) -> None:
    folder = sqlite_run.folder = open_small(tmp_path / "paced", pace=0.05)
    playing = sqlite_run.play(SLOW)
    with Client(folder, "anna", patience=0) as anna:
        anna.order("1 Garden Salad")
        late = until(folder, lambda found: found.reached == 1)
        assert 0.3 <= late.late_seconds < 30
        assert late.call_seconds is None
        assert sum(late.message_waits.counts) == 1
        assert late.message_waits.seconds > 0
        anna.order("1 Garden Salad")
    first = until(folder, lambda found: found.state == "planning")
    later = until(folder, lambda found: (found.call_seconds or 0) > (first.call_seconds or 0) + 0.2)
    assert later.state == "planning"
    assert "planning for " in said("status", "--at", str(folder))[1]
    playing.kill()
    playing.wait()
    assert status(folder).call_seconds is None
    restarted = time.time()
    playing = sqlite_run.play(SLOW.replace("0.5, ", ""))
    sqlite_run.wait_until_taken_up(playing)
    while (again := status(folder)).state != "planning":
        assert (again.state, again.call_seconds) == ("opening", None)
    assert again.call_seconds is not None
    assert again.call_seconds <= time.time() - restarted


@pytest.mark.parametrize("redis_run", ["remote"], indirect=True)
def test_a_remote_worker_that_died_is_out_of_reach(redis_run: RedisRun) -> None:
    playing = redis_run.play()
    redis_run.wait_until_taken_up(playing)
    worker = redis_run.work("worker_2")
    found = until(redis_run.where, lambda found: found.state == "asleep" and not found.away)
    assert (found.alive, found.heartbeat_seconds is not None) == (True, True)
    worker.kill()
    worker.wait()
    asleep = until(redis_run.where, lambda found: bool(found.away))
    assert asleep.away == {"worker_2": "no process stands in for worker_2"}
    with Client(redis_run.where, "anna", patience=60) as anna:
        anna.order("1 Garden Salad")
    told = until(redis_run.where, lambda found: "did not answer" in found.away["worker_2"])
    assert told.state in ("acting", "planning", "asleep")
    code, shown = said("status", "--redis", redis_run.where)
    assert (code, "worker_2 is out of reach: worker_2 did not answer" in shown) == (0, True)
    playing.kill()
    playing.wait()
    until(redis_run.where, lambda found: found.state == "down")
    with Client(redis_run.where, "anna", patience=0) as anna:
        anna.order("1 Garden Salad")
    waiting = status(redis_run.folder)
    assert (waiting.state, waiting.waiting) == ("down", 1)
    assert waiting.oldest_seconds is not None
    with pytest.raises(NoOpenEpisodeError):
        status(redis_run.where.replace("#corner", "#nowhere"))


def test_the_house_withdraws_what_waits_and_its_sender_is_told(sqlite_run: OpenRun) -> None:
    at = ("--at", str(sqlite_run.folder))
    waiting = sqlite_run.start(
        "from cookmas.commands.start import main; main()",
        "order",
        "1 Garden Salad",
        "--sender",
        "anna",
        *at,
    )
    until(sqlite_run.folder, lambda found: found.waiting == 1)
    assert said("withdraw", "--sender", "bert", *at) == (0, "0 messages withdrawn\n")
    assert said("withdraw", "--all", *at) == (0, "1 message withdrawn\n")
    assert waiting.wait(60) == 1
    sqlite_run.finish()
    assert status(sqlite_run.folder).taken == 0
