"""An episode whose orchestrator is a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cookmas.api import Listener, Run, aresume, load_planner, load_scenario
from cookmas.orchestrating.terminal import TerminalPlace
from cookmas.terminal import console
from cookmas.worlds import domain_of
from orchestrator.member import Team
from orchestrator.planners.person import (
    DraftingPersonPlanner,
    PersonPlanner,
    Place,
)
from orchestrator.runs import RunFile, read_run

DRAFTER = "embedded"
"""The planner that makes drafts."""


async def at_terminal(folder: Path, listen: Listener) -> Run:
    """Play or go on with the run in a folder; the person sits at this terminal.

    Raises NobodyThereError if the person leaves.
    """
    file = read_run(folder)
    place = TerminalPlace(console(), domain_of(file.world).viewing)
    return await aresume(folder, listen, planner=planner_of(file, place))


async def at_page(
    folder: Path, host: str, port: int, ready: Callable[[str], None], listen: Listener
) -> Run:
    """The same; the person sits at the page, which is served meanwhile.

    `ready` is told its address. In the end the page is told the verdict.
    """
    from cookmas.live.serve import served_beside
    from cookmas.orchestrating.page import WHERE, PagePlace

    file, place = read_run(folder), PagePlace()
    world = file.world if ":" in file.world else None
    offers = {"schedule": WHERE}
    async with served_beside(folder, host, port, world, place.routes, offers) as address:
        ready(address)
        run = await aresume(folder, listen, planner=planner_of(file, place))
        place.close()
        return run


def planner_of(file: RunFile, place: Place) -> PersonPlanner:
    """The person who plans a run, at a place."""
    if file.planner != DraftingPersonPlanner.name:
        return PersonPlanner(place, file.limit)
    scenario = load_scenario(file.scenario, file.world, file.settings)
    drafter = load_planner(DRAFTER, scenario, world=file.world)
    assert not isinstance(drafter, Team)
    return DraftingPersonPlanner(place, file.limit, drafter)
