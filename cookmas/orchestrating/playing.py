"""An episode whose orchestrator is a person."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from cookmas.api import Listener, Run, aresume, load_planner, load_scenario
from cookmas.orchestrating.terminal import TerminalPlace
from cookmas.people.playing import seat_of, studied, studied_at
from cookmas.people.study import PEOPLE
from cookmas.people.terminal import Table
from cookmas.places import ORCHESTRATOR
from cookmas.terminal import console
from cookmas.worlds import domain_of
from orchestrator.member import Team
from orchestrator.planners.person import (
    DraftingPersonPlanner,
    PersonPlanner,
    Place,
)
from orchestrator.runs.folder import RunFile, read_run
from worlds import capabilities

DRAFTER = "embedded"
"""The planner that makes drafts."""


async def at_terminal(folder: Path, listen: Listener) -> Run:
    """Play or go on with the run in a folder; the person sits at this terminal.

    Raises NobodyThereError if the person leaves, RefusedError if they do not agree to what is
    asked before.
    """
    file, shown = read_run(folder), console()
    table = Table(shown)
    place = TerminalPlace(shown, capabilities.viewing(domain_of(file.world)), table.keyboard)
    play = partial(aresume, folder, listen, planner=planner_of(file, place))
    return await studied_at(folder, ORCHESTRATOR, table, play)


async def at_page(
    folder: Path, host: str, port: int, ready: Callable[[str], None], listen: Listener
) -> Run:
    """The same; the person sits at the page, which is served meanwhile.

    `ready` is told its address. In the end the page is told the verdict.
    """
    from cookmas.live.serve import served_beside
    from cookmas.orchestrating.page import WHERE, PagePlace
    from cookmas.people.page import PageSeat, asked_at

    file, place = read_run(folder), PagePlace()
    seat = seat_of(file, ORCHESTRATOR)
    asked = PageSeat(seat)
    studies = (folder / PEOPLE).exists()
    routes = (*place.routes, *asked.routes)
    offers = {"schedule": WHERE, **(asked.offers if studies else {})}
    play = partial(aresume, folder, listen, planner=planner_of(file, place))
    async with served_beside(
        folder, host, port, routes=routes, offers=offers, worker=ORCHESTRATOR
    ) as address:
        ready(address)
        async with asked_at([asked]):
            try:
                return await studied(folder, seat, play)
            finally:
                place.close()


def planner_of(file: RunFile, place: Place) -> PersonPlanner:
    """The person who plans a run, at a place."""
    if file.planner != DraftingPersonPlanner.name:
        return PersonPlanner(place, file.limit)
    scenario = load_scenario(file.scenario, file.world, file.settings)
    drafter = load_planner(DRAFTER, scenario, world=file.world)
    assert not isinstance(drafter, Team)
    return DraftingPersonPlanner(place, file.limit, drafter)
