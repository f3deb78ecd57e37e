"""`--strict`: what is not understood for certain is refused rather than cooked as it seems."""

from __future__ import annotations

from typing import Annotated

import typer

READER = "embedded"
"""The planner that says what it is in doubt about."""

Strict = Annotated[
    bool,
    typer.Option("--strict", help=f"Refuse order lines in doubt: planner {READER}-strict."),
]


def strictly(planner: str, *, strict: bool) -> str:
    """The planner that is meant. Raises InputError where it cannot be strict."""
    from files.errors import InputError

    if not strict or planner == f"{READER}-strict":
        return planner
    if planner != READER:
        raise InputError("--strict", f"{planner} says no doubts; expected --planner {READER}")
    return f"{READER}-strict"
