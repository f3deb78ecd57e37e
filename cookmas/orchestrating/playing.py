"""An episode whose orchestrator is a person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from cookmas.api import Listener, Run, aresume, load_planner
from cookmas.orchestrating.terminal import TerminalPlace
from cookmas.terminal import console
from cookmas.worlds import domain_of
from orchestrator.planners.person import DraftingPersonPlanner, PersonPlanner, Place
from orchestrator.runs import RunFile, read_run

DRAFTER = "embedded"
"""The planner that makes drafts."""


async def at_terminal(folder: Path, listen: Listener) -> Run:
    """Play or go on with the run in a folder; the person sits at this terminal.

    Raises NobodyThereError if the input ends.
    """
    file = read_run(folder)
    place = TerminalPlace(console(), domain_of(file.world))
    return await aresume(folder, listen, planner=planner_of(file, place))


async def at_page(
    folder: Path, host: str, port: int, ready: Callable[[str], None], listen: Listener
) -> Run:
    """The same; the person sits at the page, which is served meanwhile.

    `ready` is told its address. After the end it is served until whoever calls this is cancelled,
    so that the verdict can be looked at: `listen` is told the end of the episode before.
    """
    file = read_run(folder)
    place = PagePlace()
    with serving(folder, host, port, place) as (server, address):
        ready(address)
        serving_it = asyncio.create_task(server.serve())
        try:
            return await aresume(folder, listen, planner=planner_of(file, place))
        finally:
            server.should_exit = True
            await serving_it


def planner_of(file: RunFile, place: Place) -> PersonPlanner:
    """The person who plans a run, at a place."""
    if file.planner != DraftingPersonPlanner.name:
        return PersonPlanner(place, file.limit)
    from cookmas.api import load_scenario

    scenario = load_scenario(file.scenario, file.world, file.settings)
    drafter = load_planner(DRAFTER, scenario, world=file.world)
    return DraftingPersonPlanner(place, file.limit, drafter)
