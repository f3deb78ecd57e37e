"""Runs in which people take a place, and how each of the places is played."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cookmas.commands.pages import tell_page
from cookmas.places import ORCHESTRATOR
from cookmas.terminal import console

if TYPE_CHECKING:
    from cookmas.api import Run
    from orchestrator.runs.folder import RunFile

Address = tuple[str, int]
"""A host and a port."""


def has_people(file: RunFile) -> bool:
    """Whether people take part in a run."""
    from orchestrator.planners.person import PEOPLE

    return bool(file.people) or file.head_chef or file.planner in PEOPLE


def playing(folder: Path, at: Address | None, *, no_open: bool) -> Coroutine[Any, Any, Run]:
    """Play or go on with the run in a folder at this terminal, or on pages that are served `at`.

    Raises InputError if nobody takes part in it. While it is played: EOFError or NobodyThereError
    if somebody leaves, RefusedError if somebody does not agree.
    """
    from cookmas.people import head_chef
    from episodes.errors import InputError
    from orchestrator.runs.folder import read_run

    file, ready = read_run(folder), partial(tell_page, no_open=no_open)
    if not has_people(file):
        raise InputError(str(folder), f"nobody plays in this run; 'cookmas resume {folder}' does")
    if file.people:
        return _working(folder, at, ready)
    if file.head_chef:
        return head_chef.at_terminal(folder)
    return _orchestrating(folder, file.world, at, ready)


def _working(
    folder: Path, at: Address | None, ready: Callable[..., None]
) -> Coroutine[Any, Any, Run]:
    from cookmas.people.playing import at_pages, at_terminal

    if at is None:
        return at_terminal(folder)
    return at_pages(folder, *at, lambda worker, address: ready(address, worker))


def _orchestrating(
    folder: Path, world: str, at: Address | None, ready: Callable[..., None]
) -> Coroutine[Any, Any, Run]:
    from cookmas.orchestrating.playing import at_page, at_terminal
    from cookmas.watch.lines import Lines

    listen = Lines(console(), world, worker=ORCHESTRATOR).tell
    return at_terminal(folder, listen) if at is None else at_page(folder, *at, ready, listen)
