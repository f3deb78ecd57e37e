"""An episode that goes on elsewhere needs its checkpoints and its trace, and says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import cookmas
from cookmas.episodes.trace import End, StepRecord
from cookmas.files.errors import MissingError
from cookmas.orchestrator.checkpoints.sqlite import sqlite_checkpoints
from cookmas.orchestrator.parts import Storage


async def play(checkpoints: Path, trace: Path, until: int | None = None) -> bool:
    """Play, or play on; return whether the episode has ended."""
    scenario = cookmas.load_scenario("level1/01")
    planner = cookmas.load_planner("embedded", scenario)
    async with sqlite_checkpoints(checkpoints) as saver:
        storage = Storage(path=trace, checkpointer=saver)
        records = cookmas.episode_of(scenario, planner, storage=storage).stream()
        async for record in records:
            if isinstance(record, StepRecord) and record.timestep == until:
                await records.aclose()  # type: ignore[attr-defined]
                return False
    return isinstance(record, End)


async def test_only_the_trace_is_needed_beside_the_checkpoints(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    assert not await play(tmp_path / "c.sqlite", here / "t.jsonl", 5)
    with pytest.raises(MissingError, match=r"there/t\.jsonl: .* count \d+ records of it; copy it"):
        await play(tmp_path / "c.sqlite", there / "t.jsonl")
    assert not any(there.iterdir())
    (here / "t.jsonl").rename(there / "t.jsonl")
    assert await play(tmp_path / "c.sqlite", there / "t.jsonl")
