"""An episode with people as workers."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import nullcontext
from typing import Any, TypeVar

from cookmas.api import Listener, Run, Supervisor, aresume
from cookmas.episodes.trace import AnyRecord
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.naming import is_lineup, parts_of
from cookmas.orchestrator.planners.people import PERSON
from cookmas.orchestrator.runs.folder import RUN, RunFile, RunFolder
from cookmas.seats.people.seat import PersonSeat
from cookmas.seats.people.study import Study
from cookmas.seats.people.talking import TalkingPerson
from cookmas.seats.people.view import View

Result = TypeVar("Result")


def seats_of(file: RunFile) -> list[PersonSeat]:
    """Return a seat for each worker that a person plays in a run."""
    return [seat_of(file, worker) for worker in file.people]


def seat_of(file: RunFile, name: str) -> PersonSeat:
    """Return the seat of the person with this name in a run."""
    return PersonSeat(name, View(name, file.world), file.limit, suggests=suggests(file, name))


def suggests(file: RunFile, worker: str) -> bool:
    """Return whether the person who plays a worker gets suggestions."""
    if not is_lineup(file.planner):
        return file.suggestions
    return file.suggestions and parts_of(file.planner, RUN).get(worker, PERSON) != PERSON


async def episode(
    run: RunFolder,
    workers: Sequence[PersonSeat],
    turn: asyncio.Lock | None = None,
    others: Sequence[PersonSeat] = (),
    planner: Planner | None = None,
    supervisor: Supervisor | None = None,
    listen: Listener | None = None,
) -> Run:
    """Play the run in a folder with people at the seats of `workers`, and return the run.

    These people and the `others`, who play no worker, answer the study's questions before and after
    the episode. If people share one terminal, `turn` is the lock that lets one of them answer at a
    time. `planner`, `supervisor` and `listen` are as in `aresume`.
    """
    study, limit = Study(run.path), run.file.limit
    people = {
        seat.worker: TalkingPerson(seat, math.inf if limit is None else limit, turn)
        for seat in workers
    }

    def hear(record: AnyRecord) -> None:
        for seat in workers:
            seat.view.take(record)
        if listen:
            listen(record)

    async def in_turn(ask: Callable[[PersonSeat], Awaitable[None]], seat: PersonSeat) -> None:
        async with turn or nullcontext():
            await ask(seat)

    everybody = (*workers, *others)
    await asyncio.gather(*(in_turn(study.begin, seat) for seat in everybody))
    done = await aresume(run, hear, planner=planner, people=people, supervisor=supervisor)
    await asyncio.gather(*(in_turn(study.end, seat) for seat in everybody))
    return done


async def run_beside(
    main: Coroutine[Any, Any, Result], others: Sequence[Coroutine[Any, Any, None]]
) -> Result:
    """Return the result of `main`. Run the `others` at the same time, and cancel them when `main`
    ends.

    Raises the first error of any of the coroutines.
    """
    first = asyncio.create_task(main)
    tasks = [first, *map(asyncio.create_task, others)]
    try:
        while not first.done():
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        return first.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
