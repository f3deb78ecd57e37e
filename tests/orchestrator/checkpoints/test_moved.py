"""An episode that goes on elsewhere needs its checkpoints and its trace, and says so."""

from __future__ import annotations

import importlib
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import End, StepRecord
from cookmas.files.errors import MissingError
from cookmas.orchestrator.checkpoints.postgres import postgres_checkpoints
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints

Opened = Callable[[], AbstractAsyncContextManager[Any]]


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    server = importlib.import_module("tests.live.postgres").Postgres()
    yield server.url
    server.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def checkpoints(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Return a function that opens the checkpoints, as each process does anew."""
    if request.param == "sqlite":
        return lambda: sqlite_checkpoints(tmp_path / "c.sqlite")
    url, thread = request.getfixturevalue("postgres_url"), uuid.uuid4().hex
    return lambda: postgres_checkpoints(url, thread)


async def play(checkpoints: Opened, trace: Path, until: int | None = None) -> bool:
    """Play, or play on; return whether the episode has ended."""
    scenario = cookmas.load_scenario("level1/01")
    planner = cookmas.load_planner("embedded", scenario)
    async with checkpoints() as saver:
        records = cookmas.episode_of(scenario, planner, path=trace, checkpointer=saver).stream()
        async for record in records:
            if isinstance(record, StepRecord) and record.timestep == until:
                await records.aclose()  # type: ignore[attr-defined]
                return False
    return isinstance(record, End)


async def test_only_the_trace_is_needed_beside_the_checkpoints(
    tmp_path: Path, checkpoints: Opened
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    assert not await play(checkpoints, here / "t.jsonl", 5)
    with pytest.raises(MissingError, match=r"there/t\.jsonl: .* count \d+ records of it; copy it"):
        await play(checkpoints, there / "t.jsonl")
    assert not any(there.iterdir())
    (here / "t.jsonl").rename(there / "t.jsonl")
    assert await play(checkpoints, there / "t.jsonl")
    whole = (await cookmas.aplay("level1/01")).trace
    moved = cookmas.read_trace(there / "t.jsonl")
    assert moved.records[1:] == whole.records[1:]
