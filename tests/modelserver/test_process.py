"""The server as a process: where it listens, what it refuses, and that nothing is left of it."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openai
import pytest

from cookmas.modelserver.scripts import end_with_parent
from cookmas.modelserver.serve import end_planning
from tests.modelserver.conftest import TOLD, Server
from tests.warm import COOKMAS

if TYPE_CHECKING:
    from tests.modelserver.conftest import Wire


def processes_of(parent: int) -> list[int]:
    path = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(child) for child in path.read_text().split()]


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def test_it_listens_at_the_loopback_address(wire: Wire) -> None:
    assert wire.server().startswith("http://127.0.0.1:")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
async def test_nothing_is_left_of_a_server_that_ended(wire: Wire, how: signal.Signals) -> None:
    server = wire.alone("--processes", "1")
    await wire.ask(server.url, wire.prompt("level1/03"))
    children = processes_of(server.process.pid)
    assert children
    server.process.send_signal(how)
    _, said = server.process.communicate(timeout=60)
    expected = {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGKILL: -9}
    assert server.process.returncode == expected[how], said
    assert said == TOLD or how == signal.SIGKILL
    deadline = time.monotonic() + 60
    while any(map(alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, children))


@pytest.mark.parametrize(
    ("options", "stream", "how"),
    [
        (("--fault", "slow=1", "--slow", "600"), False, signal.SIGTERM),
        (("--fault", "stall=1"), False, signal.SIGTERM),
        (("--fault", "stall=1"), True, signal.SIGTERM),
        (("--fault", "stall=1"), True, signal.SIGINT),
    ],
)
async def test_it_ends_at_once_and_quietly_with_answers_under_way(
    wire: Wire, options: tuple[str, ...], stream: bool, how: signal.Signals
) -> None:
    server = wire.alone("--processes", "1", *options)
    requests = wire.unlike(wire.prompt("level1/03"), 3)
    async with wire.client(server.url) as client:
        create: Any = client.chat.completions.with_raw_response.create
        asked = [
            asyncio.create_task(create(model="m", messages=messages, stream=stream))
            for messages in requests
        ]
        await asyncio.sleep(3)
        await ends_quietly(server.process, how)
        await asyncio.gather(*asked, return_exceptions=True)


LATE = f"""
import time
from concurrent.futures.process import _ExecutorManagerThread as Pool
wait = Pool.wait_result_broken_or_wakeup
def wait_late(pool):
    heard = wait(pool)
    time.sleep(0.5)
    return heard
Pool.wait_result_broken_or_wakeup = wait_late
{COOKMAS}
"""
"""`cookmas`, on a machine so busy that the thread of a pool hears late what it is told."""


@pytest.mark.parametrize("script", [COOKMAS, LATE], ids=["in time", "late"])
async def test_it_ends_at_once_and_quietly_while_it_plans(wire: Wire, script: str) -> None:
    server = Server("--processes", "1", script=script)
    prompts = [wire.prompt(f"level3/{number:02}") for number in range(1, 21)]
    asking = asyncio.create_task(wire.ask_all(server.url, prompts))
    await asyncio.sleep(2)
    await ends_quietly(server.process, signal.SIGTERM)
    assert any(isinstance(answer, openai.APIConnectionError) for answer in await asking)


def test_planning_ends_quietly_with_tasks_that_nobody_awaits_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def kill_and_wait(process: BaseProcess) -> None:
        os.kill(process.pid or 0, signal.SIGKILL)
        thread.join(1)

    monkeypatch.setattr(BaseProcess, "kill", kill_and_wait)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(1, mp_context=context, initializer=end_with_parent)
    tasks = [pool.submit(time.sleep, 600) for _ in range(8)]
    (thread,) = (one for one in threading.enumerate() if "ExecutorManager" in type(one).__name__)
    while not tasks[0].running():
        time.sleep(0.01)
    assert tasks[-1].cancel()
    end_planning(pool)
    assert not thread.is_alive()
    assert all(task.done() for task in tasks)


async def ends_quietly(process: subprocess.Popen[str], how: signal.Signals) -> None:
    process.send_signal(how)
    _, said = await asyncio.to_thread(process.communicate, timeout=30)
    assert said == TOLD
    assert process.returncode == 128 + how


async def test_a_planner_that_fails_is_answered_in_one_line(wire: Wire) -> None:
    server = wire.alone("--processes", "1")
    await wire.ask(server.url, wire.prompt("level1/03"))
    for child in processes_of(server.process.pid):
        if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
            os.kill(child, signal.SIGKILL)
    (error,) = await wire.ask_all(server.url, [wire.prompt("level2/06")])
    assert error.status_code == 500
    assert "the planner failed: BrokenProcessPool" in error.body["message"]
    server.stop()


async def test_an_empty_file_of_answers_is_a_new_one(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.touch()
    server = wire.alone("--processes", "1", "--answers", str(path))
    await wire.ask(server.url, wire.prompt("level1/03"))
    server.stop()
    assert len(path.read_text().splitlines()) == 2


def test_bad_options_are_refused_in_one_line(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"seed": 1, "rates": {}}\n')
    port = wire.server().split(":")[-1].removesuffix("/v1")
    for options, expected in (
        (["--fault", "illegal=2"], "expected a rate of illegal from 0 to 1"),
        (["--port", port], "is not a usable address"),
        (["--port", "0", "--answers", str(path)], "was made with"),
        (["--port", "0", "--answers", sys.executable], "line 1: is not a recorded answer"),
        (["--port", "0", "--answers", str(tmp_path)], "is not a regular file"),
    ):
        assert expected in wire.refused(*options)
    path.write_text('{"seed": 0, "rates": {}}\n{"request": 1')
    assert "line 2: breaks off" in wire.refused("--port", "0", "--answers", str(path))
