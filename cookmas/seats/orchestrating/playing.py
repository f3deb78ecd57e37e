"""Episodes in which people play workers, plan as the orchestrator, or supervise it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

from cookmas.api import Listener, Run, load_planner, load_scenario
from cookmas.display.terminal import console
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.trace import AnyRecord
from cookmas.files.errors import InputError
from cookmas.orchestrator.member import Team
from cookmas.orchestrator.planner import Planner
from cookmas.orchestrator.planners.people import PEOPLE as PLANNING_PEOPLE
from cookmas.orchestrator.planners.people import DraftingPersonPlanner, PersonPlanner, PlannerPlace
from cookmas.orchestrator.runs.folder import RunFile, RunFolder
from cookmas.person_roles import ORCHESTRATOR, SUPERVISOR
from cookmas.seats.orchestrating.page import WHERE, PagePlace
from cookmas.seats.orchestrating.terminal import TerminalPlace
from cookmas.seats.people.page import PageSeat, serve_questions
from cookmas.seats.people.playing import episode, run_beside, seat_of, seats_of
from cookmas.seats.people.study import PEOPLE
from cookmas.seats.people.supervisor import Supervisor, supervisor_of
from cookmas.seats.people.terminal import SharedTerminal
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
    from cookmas.display.live.serve import serve_beside
    from cookmas.showing import show

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
                show(run),
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
                show(run),
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
