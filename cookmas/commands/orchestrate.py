"""`cookmas play --as orchestrator`: a person writes the schedule."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.terminal import console, tell

if TYPE_CHECKING:
    from cookmas.api import Run
    from orchestrator.runs.folder import RunFile

MOST_CALLS = 10_000
"""Calls of a person in a row without progress: nobody else is to say when it is enough."""


def is_orchestrated(file: RunFile) -> bool:
    """Whether a person plans in a run."""
    from orchestrator.planners.person import PEOPLE

    return file.planner in PEOPLE


def prepare(
    runs: Path,
    scenario: str,
    world: str | None,
    settings: Mapping[str, Any],
    limit: float | None,
    *,
    draft: bool,
) -> Path:
    """The folder of a new run in which a person plans, perhaps from drafts."""
    from cookmas.api import create
    from orchestrator.planners.person import DraftingPersonPlanner, PersonPlanner

    planner = DraftingPersonPlanner if draft else PersonPlanner
    return create(
        runs,
        scenario,
        planner.name,
        world=world,
        settings=settings,
        max_stalled=MOST_CALLS,
        limit=limit,
        new=True,
    )


async def orchestrate(
    folder: Path, at: tuple[str, int] | None = None, *, no_open: bool = False
) -> Run:
    """Play the run in a folder at this terminal, or on a page that is served `at` a host and port.

    Raises NobodyThereError if the person leaves, RefusedError if they do not agree.
    """
    from cookmas.orchestrating.playing import at_page, at_terminal
    from cookmas.watch.lines import Lines
    from orchestrator.runs.folder import read_run

    def ready(address: str) -> None:
        tell(f"The page is at {address}")
        if not no_open:
            webbrowser.open(address)

    listen = Lines(console(), read_run(folder).world).tell
    if at is None:
        return await at_terminal(folder, listen)
    return await at_page(folder, *at, ready, listen)
