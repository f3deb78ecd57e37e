"""The options of what a person wrote, which runs in processes of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from cookmas.commands.options.fields import duration
from cookmas.commands.options.panels import USER_CODE

MOST_MEMORY = 2**20
"""MiB that a process may take at most."""

PlannerTimeout = Annotated[
    float,
    duration(
        "Seconds that a planner of your own may take for a call.",
        "--planner-timeout",
        least=0.1,
        panel=USER_CODE,
    ),
]
Evaluators = Annotated[
    list[str] | None,
    typer.Option(
        "--evaluator",
        help="module:function, an evaluator of your own; may be given again.",
        rich_help_panel=USER_CODE,
    ),
]
PassEnv = Annotated[
    list[str] | None,
    typer.Option(
        "--pass-env",
        metavar="NAME",
        help="An environment variable that code of your own gets; may be given again.",
        rich_help_panel=USER_CODE,
    ),
]
PlannerMemory = Annotated[
    int,
    typer.Option(
        "--planner-memory",
        min=256,
        max=MOST_MEMORY,
        help="MiB of memory that a planner of your own may take.",
        rich_help_panel=USER_CODE,
    ),
]
NamedPlanner = Annotated[
    str | None,
    typer.Option(
        "--planner", "-p", help="Consent to the planner that another user's folder names."
    ),
]


def refuse_other_planner(named: str, said: str | None) -> None:
    """Raise InputError if the planner that is said is not the one that a run's folder names."""
    from files.errors import InputError

    if said not in (None, named):
        raise InputError(
            "--planner", f"this run goes on with {named}; 'cookmas fork' takes another"
        )
