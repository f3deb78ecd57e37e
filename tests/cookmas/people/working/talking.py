"""Simulated people who talk with their partners."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cookmas.api import Run, create
from cookmas.episodes.trace import MessageRecord, Trace
from cookmas.episodes.trace_file import read_trace
from cookmas.orchestrator.runs.folder import RunFolder, read_run
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.people.playing import episode, run_beside, seats_of
from cookmas.people.working.asked import MoveQuestion, TalkQuestion
from cookmas.people.working.seat import PersonSeat

Asked = MoveQuestion | TalkQuestion

Answer = Callable[[Asked], Any]
"""Returns a person's answer; None if the person does not answer in time."""

TASK = "collab-overcooked/level_1/01"

PAIR = "bob=person,alice=person"
BOTH = ("bob", "alice")

PEPPER = ("pickup(bell_pepper,ingredient_dispenser)", "place_obj_on_counter()")

WAIT = "wait(1)"


def made(folder: Path, planner: str, *people: str, **more: Any) -> Path:
    """Prepare a run of a task, in which people play these cooks."""
    return create(folder, RunRequest(scenario=TASK, planner=planner, people=people, **more))


def words(say: str, *, end: bool = False, **more: str) -> dict[str, Any]:
    """Return the answer of a person who says something."""
    return {"say": say, "end": end, **more}


async def sit(seat: PersonSeat, answer: Answer) -> None:
    """Answer the questions of a seat."""
    seen = 0
    while True:
        await seat.wait_for_change(seen)
        seen = seat.number
        question = seat.question
        if isinstance(question, Asked) and (said := answer(question)) is not None:
            seat.answer(seen, said)


async def talk(folder: Path, **people: Answer) -> Run:
    """Return a run in which each person answers by a function."""
    seats = seats_of(read_run(folder))
    sitting = [sit(seat, people[seat.worker]) for seat in seats]
    return await run_beside(episode(RunFolder(folder), seats), sitting)


async def talk_until(stop: asyncio.Event, folder: Path, **people: Answer) -> None:
    """Play until an event, and then stop the run."""
    playing = asyncio.create_task(talk(folder, **people))
    await asyncio.wait_for(stop.wait(), 60)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


def trace_of(folder: Path) -> Trace:
    return read_trace(folder / "trace.jsonl")


def said(trace: Trace) -> list[tuple[int, str, str]]:
    """Return the messages of a trace: timestep, speaker and text."""
    return [(each.timestep, each.agent, each.text) for each in trace.of(MessageRecord)]
