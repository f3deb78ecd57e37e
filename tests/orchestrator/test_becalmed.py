"""An open episode in which it is nobody's move, and nothing comes of that, sleeps or ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

from cookmas.api import aresume, create
from cookmas.client import AsyncClient
from cookmas.episodes.trace import StepRecord
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.status import status_of

STILL = "tests.worlds.hands.opened:STILL"


async def test_it_sleeps_until_it_is_closed_and_ends_then(tmp_path: Path) -> None:
    folder = create(
        tmp_path / "run",
        RunRequest(scenario="ring", planner="dash", world=STILL, pace=0.0, max_stalled=5),
    )
    playing = asyncio.create_task(aresume(folder))
    async with asyncio.timeout(60):
        while (await status_of(folder)).state != "asleep":
            await asyncio.sleep(0.02)
        async with AsyncClient(folder) as client:
            await client.close()
        run = await playing
    assert run.trace.end
    assert run.trace.end.termination == "no_progress"
    assert "nobody's move for 6 timesteps in a row" in run.trace.end.why
    assert len(list(run.trace.of(StepRecord))) == 12
