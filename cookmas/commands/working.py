"""`cookmas play --as WORKER`: people play workers."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.people.places import HEAD_CHEF, ORCHESTRATOR
from cookmas.terminal import tell

if TYPE_CHECKING:
    from cookmas.api import Run
    from orchestrator.dialogue.options import AskingOptions
    from orchestrator.models.options import ModelOptions


def prepare_workers(
    runs: Path,
    scenario: str,
    workers: Sequence[str],
    planner: str,
    options: ModelOptions,
    asking: AskingOptions,
    world: str | None,
    settings: Mapping[str, Any],
    limit: float | None,
) -> Path:
    """The folder of a new run in which people play workers. Raises CookMASError."""
    from cookmas.api import create, load_scenario
    from episodes.errors import InputError

    there = load_scenario(scenario, world, settings).world().workers
    for worker in workers:
        if worker not in there:
            raise InputError(
                "--as", f"expected {ORCHESTRATOR}, {HEAD_CHEF}, or some of {', '.join(there)}"
            )
    return create(
        runs,
        scenario,
        planner,
        options,
        asking,
        world,
        settings,
        people=tuple(dict.fromkeys(workers)),
        limit=limit,
        new=True,
    )


async def work(folder: Path, at: tuple[str, int] | None = None, *, no_open: bool = False) -> Run:
    """Play or go on with the run in a folder, everybody at this terminal.

    Or everybody plays at a page, served `at` a host and a port, or one behind it. Raises EOFError
    if nobody answers, RefusedError if somebody does not agree.
    """
    from cookmas.people.playing import at_pages, at_terminal

    def ready(worker: str, address: str) -> None:
        tell(f"The page of {worker} is at {address}")
        if not no_open:
            webbrowser.open(address)

    if at is None:
        return await at_terminal(folder)
    return await at_pages(folder, *at, ready)
