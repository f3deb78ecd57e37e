"""An episode that people play."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from cookmas.api import Run, aresume
from cookmas.people.seat import Seat
from cookmas.people.study import Study
from cookmas.people.terminal import Table
from cookmas.people.view import View
from cookmas.terminal import console
from episodes.trace import AnyRecord
from orchestrator.runs.folder import RunFile, read_run
from workers.person import Person

Result = TypeVar("Result")


def seats_of(folder: Path) -> list[Seat]:
    """A seat for each of the workers whom people play in the run of a folder."""
    file = read_run(folder)
    return [seat_of(file, worker) for worker in file.people]


def seat_of(file: RunFile, name: str) -> Seat:
    """A seat for whoever has this name in a run."""
    return Seat(name, View(name, file.world), file.limit)


async def at_terminal(folder: Path) -> Run:
    """Play or go on with the run in a folder, everybody at this terminal, one after the other.

    Raises EOFError if the input ends, RefusedError if somebody does not agree.
    """
    seats = seats_of(folder)
    table, turn = Table(console()), asyncio.Lock()
    return await beside(episode(folder, seats, turn), [table.sit(seat) for seat in seats])


async def at_pages(folder: Path, host: str, port: int, ready: Callable[[str, str], None]) -> Run:
    """The same, everybody at a page of their own, which nobody else sees.

    The pages are served at this port and those after it, or at any. `ready` is told of each worker
    its page's address. Raises RefusedError if somebody does not agree.
    """
    from cookmas.live.serve import served_beside
    from cookmas.people.page import PageSeat, asked_at

    seats = seats_of(folder)
    async with AsyncExitStack() as serving:
        pages = [PageSeat(seat) for seat in seats]
        for number, (seat, page) in enumerate(zip(seats, pages, strict=True)):
            at = port + number if port else 0
            served = served_beside(
                folder, host, at, routes=page.routes, offers=page.offers, worker=seat.worker
            )
            ready(seat.worker, await serving.enter_async_context(served))
        async with asked_at(pages):
            return await episode(folder, seats)


async def episode(folder: Path, seats: Sequence[Seat], turn: asyncio.Lock | None = None) -> Run:
    """The run in a folder with people at these seats, and what is asked before it and after it.

    Those who take turns at one place share their `turn`.
    """
    study = Study(folder)
    limit = read_run(folder).limit
    people = {
        seat.worker: Person(seat, math.inf if limit is None else limit, turn) for seat in seats
    }

    def listen(record: AnyRecord) -> None:
        for seat in seats:
            seat.view.take(record)

    async def in_turn(ask: Callable[[Seat], Awaitable[None]], seat: Seat) -> None:
        async with turn or nullcontext():
            await ask(seat)

    await asyncio.gather(*(in_turn(study.begin, seat) for seat in seats))
    run = await aresume(folder, listen, people=people)
    await asyncio.gather(*(in_turn(study.end, seat) for seat in seats))
    return run


async def studied(folder: Path, seat: Seat, play: Callable[[], Awaitable[Run]]) -> Run:
    """The run in a folder as it is played, and what one person is asked before it and after it.

    Raises RefusedError if the person does not agree.
    """
    study = Study(folder)
    await study.begin(seat)
    run = await play()
    await study.end(seat)
    return run


async def studied_at(
    folder: Path, place: str, table: Table, play: Callable[[], Awaitable[Run]]
) -> Run:
    """The same for the person in a place that is no worker's, who sits at a terminal.

    Raises EOFError if the input ends before there is an answer.
    """
    seat = seat_of(read_run(folder), place)
    return await beside(studied(folder, seat, play), [table.sit(seat)])


async def beside(
    main: Coroutine[Any, Any, Result], others: Sequence[Coroutine[Any, Any, None]]
) -> Result:
    """The result of `main`; the others go on beside it, and end with it.

    Raises the first error of any.
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
