"""A run whose clock went back between two lives continues from its last checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

import pytest
import yaml
from langgraph.checkpoint.base import id as checkpoint_id

from cookmas.api import aresume, create
from cookmas.loading import load, planner_of
from cookmas.orchestrator.checkpoints.postgres import postgres_checkpoints
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.graph.checkpoint import count_records, latest_of
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.runs.folder import CHECKPOINTS, TRACE, RunFolder
from cookmas.orchestrator.runs.opening import open_run
from cookmas.orchestrator.runs.request import RunRequest

HOUR = 3600 * 10**9


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    url: str = request.getfixturevalue("postgres").url
    return url


@pytest.fixture
def schedule(tmp_path: Path) -> str:
    path = tmp_path / "walk.yaml"
    walks = [{"worker_1": f"navigate({station})"} for station in ("fridge", "pantry")]
    path.write_text(yaml.safe_dump(walks * 60))
    return str(path)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets back the clock of the checkpoints' ids."""
    now = time.time_ns

    def set_back(hours: int) -> None:
        monkeypatch.setattr(checkpoint_id, "_last_v6_timestamp", None)
        monkeypatch.setattr("time.time_ns", lambda: now() - hours * HOUR)

    return set_back


async def play(run: Path, timesteps: int) -> None:
    """Play a run until it has had some timesteps."""
    folder = RunFolder(run)
    loaded = load(folder.file)
    planner = planner_of(loaded)
    assert not isinstance(planner, Team)
    async with (
        open_run(folder, loaded.scenario, planner) as episode,
        aclosing(episode.stream()) as records,  # type: ignore[type-var]
    ):
        played = 0
        async for record in records:
            played += record.kind == "step"
            if played == timesteps:
                break


async def count_kept(run: Path) -> int:
    """Return the number of records that the last checkpoint of a run counts."""
    file = RunFolder(run).file
    opened = (
        postgres_checkpoints(file.checkpoints, file.thread)
        if file.checkpoints
        else sqlite_checkpoints(run / CHECKPOINTS)
    )
    async with opened as saver:
        latest = await latest_of(saver)
    assert latest
    return count_records(latest)


async def test_a_clock_that_went_back_takes_no_run_back(
    tmp_path: Path, place: str | None, schedule: str, clock: Callable[[int], None]
) -> None:
    request = RunRequest(
        scenario="level1/01", planner=schedule, checkpoints=place, keep_checkpoints=2
    )
    run = create(tmp_path / "run", request)
    for timesteps, hours in ((6, 0), (70, 1), (80, 3), (90, 2)):
        clock(hours)
        await play(run, timesteps)
        assert await count_kept(run) >= 3 * timesteps - 2
    clock(0)
    await aresume(run)
    whole = create(tmp_path / "whole", RunRequest(scenario="level1/01", planner=schedule))
    await aresume(whole)
    assert (run / TRACE).read_bytes() == (whole / TRACE).read_bytes()
