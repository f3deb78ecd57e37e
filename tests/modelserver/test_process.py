"""The server as a process: where it listens, what it refuses, and that nothing is left of it."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

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
    _, said = server.process.communicate(timeout=30)
    expected = {signal.SIGTERM: 0, signal.SIGINT: 130, signal.SIGKILL: -9}
    assert server.process.returncode == expected[how], said
    assert said == "" or how == signal.SIGKILL
    deadline = time.monotonic() + 10
    while any(map(alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(alive, children))


def refused(wire: Wire, *options: str) -> str:
    done = subprocess.run(
        [*wire.command, *options], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    return done.stderr


def test_bad_options_are_refused_in_one_line(wire: Wire, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"seed": 1, "rates": {}}\n')
    port = wire.server().split(":")[-1].removesuffix("/v1")
    for options, expected in (
        (["--fault", "illegal=2"], "with a rate from 0 to 1"),
        (["--port", port], "cannot be listened at"),
        (["--port", "0", "--answers", str(path)], "was made with"),
    ):
        assert expected in refused(wire, *options)
    path.write_text('{"seed": 0, "rates": {}}\n{"request": 1')
    assert "line 2: breaks off" in refused(wire, "--port", "0", "--answers", str(path))
