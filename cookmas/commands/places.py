"""Runs in which people take a place, and how each of the places is played."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from cookmas.commands.pages import tell_page
from cookmas.display.terminal import console
from cookmas.places import ORCHESTRATOR

if TYPE_CHECKING:
    from cookmas.api import Run
    from orchestrator.runs.folder import RunFile, RunFolder

Address = tuple[str, int]
"""A host and a port."""


def has_people(file: RunFile) -> bool:
    """Whether people take part in a run."""
    return bool(file.people) or file.supervisor or plans(file)


def plans(file: RunFile) -> bool:
    """Whether a person writes the schedule of a run."""
    from orchestrator.planners.person import PEOPLE

    return file.planner in PEOPLE


def playing(run: RunFolder, at: Address | None, *, no_open: bool) -> Coroutine[Any, Any, Run]:
    """Play or go on with the run in a folder at this terminal, or on pages that are served `at`.

    Raises InputError if nobody takes part in it. While it is played: EOFError or NobodyThereError
    if somebody leaves, RefusedError if somebody does not agree.
    """
    from cookmas.display.watch.lines import Lines
    from cookmas.seats.orchestrating.playing import at_pages, at_terminal, silent
    from files.errors import InputError

    folder, file = run.path, run.file
    if not has_people(file):
        raise InputError(str(folder), f"nobody plays in this run; 'cookmas resume {folder}' does")
    told = file.supervisor or (file.people and at is None)
    lines = Lines(console(), file.world, worker=ORCHESTRATOR)
    listen = silent if told or not plans(file) else lines.tell
    if at is None:
        return at_terminal(run, listen)

    def ready(place: str, address: str) -> None:
        tell_page(address, place if file.people else None, no_open=no_open)

    return at_pages(run, *at, ready, listen)
