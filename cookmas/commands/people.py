"""Runs in which people take a place, at the terminal or on pages."""

from __future__ import annotations

import atexit
import tempfile
import webbrowser
from collections.abc import Coroutine
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.display.terminal import console, tell
from cookmas.orchestrator.options import ORCHESTRATOR

if TYPE_CHECKING:
    from cookmas.api import Run
    from cookmas.orchestrator.runs.folder import RunFile, RunFolder


NoOpen = Annotated[bool, typer.Option("--no-open", help="Do not open the page.")]


def tell_page(address: str, whose: str | None = None, *, no_open: bool) -> None:
    """Print the address of a page, and open the page unless `no_open`.

    `whose` names the place to which the page belongs; None if there is only one page.
    """
    tell(f"The page{f' of {whose}' if whose else ''} is at {address}")
    if not no_open:
        webbrowser.open(_redirect_to(address).as_uri())


def _redirect_to(address: str) -> Path:
    """Return the path of a page that only its owner can read and that leads to an address.

    Other users of this machine can read the arguments of a browser, so that the token is not among
    them. The page is removed when the process ends.
    """
    handle, name = tempfile.mkstemp(prefix="cookmas-", suffix=".html")
    path = Path(name)
    atexit.register(path.unlink, missing_ok=True)
    leads = f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}">'
    with open(handle, "w", encoding="utf-8") as file:
        file.write(f'{leads}<a href="{escape(address)}">The page of the run</a>\n')
    return path


Address = tuple[str, int]
"""A host and a port."""


def has_people(file: RunFile) -> bool:
    """Return whether people take part in a run."""
    return bool(file.people) or file.supervisor or plans(file)


def plans(file: RunFile) -> bool:
    """Return whether a person writes the schedule of a run."""
    from cookmas.orchestrator.planners.seats import PEOPLE

    return file.planner in PEOPLE


def play_at(run: RunFolder, at: Address | None, *, no_open: bool) -> Coroutine[Any, Any, Run]:
    """Return a coroutine that plays or continues the run in a folder: at this terminal, or on pages
    at the address `at`.

    Raises InputError if no person takes part in the run. The coroutine raises EOFError or
    NobodyThereError if a person leaves, RefusedError if a person does not consent.
    """
    from cookmas.display.watch.lines import Lines
    from cookmas.files.errors import InputError
    from cookmas.people.playing import at_pages, at_terminal, ignore

    folder, file = run.path, run.file
    if not has_people(file):
        raise InputError(
            str(folder), f"no person plays in this run; 'cookmas resume {folder}' continues it"
        )
    told = file.supervisor or (file.people and at is None)
    lines = Lines(console(), file.world, worker=ORCHESTRATOR)
    listen = ignore if told or not plans(file) else lines.tell
    if at is None:
        return at_terminal(run, listen)

    def announce(place: str, address: str) -> None:
        tell_page(address, place if file.people else None, no_open=no_open)

    return at_pages(run, *at, announce, listen)
