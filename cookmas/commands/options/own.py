"""The options of user-supplied code, which runs in its own processes."""

from __future__ import annotations

from typing import Annotated

import typer

from cookmas.commands.options.fields import duration
from cookmas.commands.options.panels import USER_CODE

MOST_MEMORY = 2**20
"""Maximum value of the memory limit of a process, in MiB."""

PlannerTimeout = Annotated[
    float,
    duration(
        "Maximum seconds for a call of a user-supplied planner.",
        "--planner-timeout",
        least=0.1,
        panel=USER_CODE,
    ),
]
Evaluators = Annotated[
    list[str] | None,
    typer.Option(
        "--evaluator",
        help="module:function, a user-supplied evaluator; may be repeated.",
        rich_help_panel=USER_CODE,
    ),
]
PassEnv = Annotated[
    list[str] | None,
    typer.Option(
        "--pass-env",
        metavar="NAME",
        help="An environment variable for user-supplied code; may be repeated.",
        rich_help_panel=USER_CODE,
    ),
]
PlannerMemory = Annotated[
    int,
    typer.Option(
        "--planner-memory",
        min=256,
        max=MOST_MEMORY,
        help="Maximum memory of a user-supplied planner, in MiB.",
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
    """Raise InputError if `said`, the planner on the command line, is not the run's planner
    `named`.
    """
    from cookmas.files.errors import InputError

    if said not in (None, named):
        raise InputError(
            "--planner", f"this run continues with {named}; 'cookmas fork' takes another planner"
        )
