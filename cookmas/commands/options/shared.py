"""Options that many commands share: JSON, the folder of runs, the open episode, strictness."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.options.fields import option_in
from cookmas.commands.options.sending import Sending
from cookmas.worlds.options import Redis as Redis

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

JsonLine = Annotated[bool, option_in(Sending, "json")]

Runs = Annotated[Path, option_in(Sending, "runs")]

At = Annotated[Path | None, option_in(Sending, "at")]


READER = "embedded"
"""The planner that reports doubts."""

Strict = Annotated[
    bool,
    typer.Option("--strict", help=f"Refuse doubtful order lines: planner {READER}-strict."),
]


def make_strict(planner: str, *, strict: bool) -> str:
    """Return the planner's strict variant if `strict`, else the planner.

    Raises InputError if the planner has no strict variant.
    """
    from cookmas.files.errors import InputError

    if not strict or planner == f"{READER}-strict":
        return planner
    if planner != READER:
        raise InputError("--strict", f"{planner} reports no doubts; expected --planner {READER}")
    return f"{READER}-strict"
