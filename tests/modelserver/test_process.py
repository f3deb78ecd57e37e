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
from collections.abc import Callable
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


async def until(holds: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0.01)


async def ends_quietly(process: subprocess.Popen[str], how: signal.Signals) -> None:
    """End a server by a signal; nothing is left of it, and it says one line unless it is killed."""
    children = processes_of(process.pid)
    assert children
    process.send_signal(how)
    _, said = await asyncio.to_thread(process.communicate, timeout=30)
    if how == signal.SIGKILL:
        assert process.returncode == -how
    else:
        assert (process.returncode, said) == (128 + how, TOLD)
    await until(lambda: not any(map(alive, children)))


@pytest.mark.parametrize(
    ("fault", "stream", "how"),
    [
        ("slow", False, signal.SIGTERM),
        ("stall", False, signal.SIGKILL),
        ("stall", True, signal.SIGTERM),
        ("stall", True, signal.SIGINT),
    ],
)
async def test_it_ends_at_once_and_quietly_with_answers_under_way(
    wire: Wire, tmp_path: Path, fault: str, stream: bool, how: signal.Signals
) -> None:
    path = tmp_path / "answers.jsonl"
    faults = ("--fault", f"{fault}=1", "--slow", "600")
    server = Server("--processes", "1", "--answers", str(path), *faults)
    assert server.url.startswith("http://127.0.0.1:")
    requests = wire.unlike(wire.prompt("level1/03"), 3)
    async with wire.client(server.url) as client:
        create: Any = client.chat.completions.with_raw_response.create
        asked = [
            asyncio.create_task(create(model="m", messages=messages, stream=stream))
            for messages in requests
        ]
        await until(lambda: path.read_bytes().count(b"\n") == 1 + len(requests))
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
    async with wire.client(server.url) as client:
        create: Any = client.chat.completions.create
        prompts = [wire.prompt(f"level3/{number:02}") for number in range(1, 9)]
        asked = [asyncio.create_task(create(model="m", messages=each)) for each in prompts]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        await ends_quietly(server.process, signal.SIGTERM)
        answers = await asyncio.gather(*asked, return_exceptions=True)
    assert any(isinstance(answer, openai.APIConnectionError) for answer in answers)


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


async def test_a_planner_that_fails_is_answered_in_one_line(wire: Wire) -> None:
    server = Server("--processes", "1")
    await wire.ask(server.url, wire.prompt("level1/03"))
    for child in processes_of(server.process.pid):
        if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
            os.kill(child, signal.SIGKILL)
    (error,) = await wire.ask_all(server.url, [wire.prompt("level2/06")])
    assert error.status_code == 500
    assert "the planner failed: BrokenProcessPool" in error.body["message"]
    server.stop()


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
