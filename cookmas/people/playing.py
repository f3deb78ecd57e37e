"""Episodes in which people play workers, plan as the orchestrator, or supervise it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, nullcontext
from typing import Any, TypeVar

from cookmas.api import Listener, Run, aresume, load_planner, load_scenario
from cookmas.api import Supervisor as Supervising
from cookmas.display.terminal import console
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.trace import AnyRecord
from cookmas.files.errors import InputError
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.options import ORCHESTRATOR, SUPERVISOR
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.naming import is_lineup, parts_of
from cookmas.orchestrator.planners.seats import PEOPLE as PLANNING_PEOPLE
from cookmas.orchestrator.planners.seats import (
    PERSON,
    DraftingPersonPlanner,
    PersonPlanner,
    PlannerPlace,
)
from cookmas.orchestrator.runs.folder import RUN, RunFile, RunFolder
from cookmas.people.orchestrating.page import WHERE, PagePlace
from cookmas.people.orchestrating.terminal import TerminalPlace
from cookmas.people.working.page import PageSeat, serve_questions
from cookmas.people.working.seat import PersonSeat
from cookmas.people.working.study import PEOPLE, Study
from cookmas.people.working.supervisor import Supervisor, supervisor_of
from cookmas.people.working.talking import TalkingPerson
from cookmas.people.working.terminal import SharedTerminal
from cookmas.people.working.view import View
from cookmas.world_names import domain_of

DRAFTER = "embedded"
"""The planner that drafts schedules for a person."""

Ready = Callable[[str, str], None]
"""A function that is called with the name of each place and the address of its page."""


def ignore(record: AnyRecord) -> None:
    """Ignore a record."""


async def at_terminal(run: RunFolder, listen: Listener = ignore) -> Run:
    """Play or continue the run in a folder. All people take turns at this terminal.

    Raises EOFError or NobodyThereError if the input ends, and RefusedError if a person does not
    consent.
    """
    file, turn = run.file, asyncio.Lock()
    table = SharedTerminal(console())
    workers, others = seats_of(file), []
    planner: PersonPlanner | None = None
    supervisor: Supervisor | None = None
    if _plans(file):
        others.append(seat_of(file, ORCHESTRATOR))
        viewing = domain_of(file.world).viewing
        planner = planner_of(file, TerminalPlace(console(), viewing, table.keyboard))
    if file.supervisor:
        others.append(seat_of(file, SUPERVISOR))
        supervisor = supervisor_of(run, table, turn)
    hear = supervisor.hear if supervisor else None
    playing = episode(run, workers, turn, others, planner, hear, listen)
    return await run_beside(playing, [table.sit(seat) for seat in (*workers, *others)])


async def at_pages(
    run: RunFolder, host: str, port: int, ready: Ready, listen: Listener = ignore
) -> Run:
    """Play or continue the run in a folder. Each person has a page, except the supervisor, who
    uses this terminal.

    A worker's page shows only what that worker may know. The pages are served at `port` and the
    ports after it, or at any free ports if `port` is 0. At the end the orchestrator's page shows
    the verdict.
    """
    from cookmas.display.live.app import ShownRun
    from cookmas.display.live.serve import serve_beside
    from cookmas.replaying import judge_run

    folder, file, workers = run.path, run.file, seats_of(run.file)
    others, planner = [], None
    pages = {seat.worker: PageSeat(seat) for seat in workers}
    async with AsyncExitStack() as serving:
        place: PagePlace | None = None
        ports = iter(range(port, port + len(workers) + 1)) if port else iter([0] * 99)
        if _plans(file):
            place, seat = PagePlace(), seat_of(file, ORCHESTRATOR)
            planner = planner_of(file, place)
            pages[ORCHESTRATOR] = page = PageSeat(seat)
            studies = (folder / PEOPLE).exists()
            served = serve_beside(
                ShownRun.of(run, judge_run),
                host,
                next(ports),
                routes=(*place.routes, *page.routes),
                offers={"schedule": WHERE, **(page.offers if studies else {})},
                worker=ORCHESTRATOR,
            )
            ready(ORCHESTRATOR, await serving.enter_async_context(served))
            others.append(seat)
        for seat in workers:
            page = pages[seat.worker]
            served = serve_beside(
                ShownRun.of(run, judge_run),
                host,
                next(ports),
                routes=page.routes,
                offers=page.offers,
                worker=seat.worker,
                suggestions=seat.suggests,
            )
            ready(seat.worker, await serving.enter_async_context(served))
        supervisor: Supervisor | None = None
        sitting = []
        if file.supervisor:
            table, own = SharedTerminal(console()), seat_of(file, SUPERVISOR)
            supervisor = supervisor_of(run, table, asyncio.Lock())
            sitting.append(table.sit(own))
            others.append(own)
        async with serve_questions(list(pages.values())):
            try:
                hear = supervisor.hear if supervisor else None
                playing = episode(run, workers, None, others, planner, hear, listen)
                return await run_beside(playing, sitting)
            finally:
                if place:
                    place.close()


def _plans(file: RunFile) -> bool:
    return file.planner in PLANNING_PEOPLE


def planner_of(file: RunFile, place: PlannerPlace) -> PersonPlanner:
    """Return a planner for a run whose schedules a person writes at a place."""
    if file.planner != DraftingPersonPlanner.name:
        return PersonPlanner(place, file.limit)
    drafter = load_drafter(load_scenario(file.scenario, file.world, file.settings), file.world)
    return DraftingPersonPlanner(place, file.limit, drafter)


def load_drafter(scenario: Scenario, world: str | None) -> Planner:
    """Return the planner that makes drafts. Raise InputError if it plans for each worker apart."""
    drafter = load_planner(DRAFTER, scenario, world=world)
    if isinstance(drafter, Team):
        raise InputError(
            "--draft", f"the planner {DRAFTER} of this world makes no schedule for all workers"
        )
    return drafter


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
    supervisor: Supervising | None = None,
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
