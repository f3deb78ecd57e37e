"""A worker that a person wrote, and that fails: it costs the action, and it is made anew."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest

from cookmas.episodes.failure import FailedError
from cookmas.files.errors import InputError
from cookmas.workers.own import OwnWorker
from cookmas.workers.protocol import Assigned

WORKERS = """
import os, sys, time

class Odd:
    async def act(self, timestep, worker, assignment):
        match assignment:
            case "raise":
                raise ValueError("no \\x1b[31m")
            case "exit":
                sys.exit(0)
            case "die":
                os._exit(0)
            case "nothing":
                return None
            case "loop":
                while True:
                    pass
        return f"{worker} does {assignment} at {timestep}"

class Broken:
    def __init__(self):
        raise ValueError("not made")

class NotAsync:
    def act(self, timestep, worker, assignment):
        return assignment
"""


@pytest.fixture(autouse=True)
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_workers.py").write_text(WORKERS)
    monkeypatch.syspath_prepend(str(tmp_path))


async def test_what_goes_wrong_costs_the_action_alone() -> None:
    faults = {
        "raise": r"ValueError: no \[31m at own_workers\.py:8",
        "nothing": r"TypeError: act answers a NoneType; expected .+ at own_workers\.py:5",
        "exit": r"SystemExit: 0 at own_workers\.py:10",
        "die": r"its process ended with exit code 0",
        "loop": r"TimeLimitError: no answer within 2 s at own_workers\.py:\d+",
    }
    with contextlib.closing(OwnWorker("own_workers:Odd", seconds=2)) as worker:
        for assignment, fault in faults.items():
            with pytest.raises(FailedError) as caught:
                await worker.act(1, "worker_1", Assigned(assignment))
            assert re.fullmatch(fault, str(caught.value)), str(caught.value)
        assert (
            await worker.act(7, "worker_2", Assigned("wait"))
        ).action == "worker_2 does wait at 7"


async def test_a_worker_that_is_none_is_refused() -> None:
    with pytest.raises(FailedError, match=r"ValueError: not made at own_workers\.py:2\d"):
        OwnWorker("own_workers:Broken")
    with pytest.raises(InputError, match="has no Missing"):
        OwnWorker("own_workers:Missing")
    with (
        contextlib.closing(OwnWorker("own_workers:NotAsync")) as worker,
        pytest.raises(FailedError, match="act is not async"),
    ):
        await worker.act(1, "worker_1", Assigned("wait"))
