"""Simulated people who answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cookmas.api import create
from cookmas.orchestrator.runs.folder import RunFolder, read_run
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.playing import episode, run_beside, seats_of
from cookmas.people.working.asked import MoveQuestion
from cookmas.people.working.seat import PersonSeat

Choice = Callable[[MoveQuestion], str | None]
"""Returns a person's action; None if the person does not answer in time."""


def follow(move: MoveQuestion) -> str:
    """Return the suggested action."""
    return move.asked["assignment"]


def prepared(
    folder: Path, scenario: str, *people: str, planner: str = "embedded", **more: Any
) -> Path:
    """Prepare a run in which people play these workers, without consent and questionnaire."""
    return create(folder, RunRequest(scenario=scenario, planner=planner, people=people, **more))


async def sit(seat: PersonSeat, choose: Choice) -> None:
    """Answer the questions of a seat."""
    seen = 0
    while True:
        await seat.wait_for_change(seen)
        seen = seat.number
        if isinstance(seat.question, MoveQuestion) and (said := choose(seat.question)) is not None:
            seat.answer(seen, said)


async def play(folder: Path, **choices: Choice) -> bytes:
    """Return the trace of a run that people play by their choices."""
    seats = seats_of(read_run(folder))
    sitting = [sit(seat, choices[seat.worker]) for seat in seats]
    await run_beside(episode(RunFolder(folder), seats), sitting)
    return (folder / "trace.jsonl").read_bytes()


async def play_until(folder: Path, stop: asyncio.Event, **choices: Choice) -> None:
    """Play until a condition holds, then stop."""
    playing = asyncio.create_task(play(folder, **choices))
    await asyncio.wait_for(stop.wait(), 60)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
