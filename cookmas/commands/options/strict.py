"""The option `--strict`: order lines that the planner doubts are refused instead of cooked."""

from __future__ import annotations

from typing import Annotated

import typer

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
    from files.errors import InputError

    if not strict or planner == f"{READER}-strict":
        return planner
    if planner != READER:
        raise InputError("--strict", f"{planner} reports no doubts; expected --planner {READER}")
    return f"{READER}-strict"
