"""The options of user-supplied code, which runs in its own processes.

They stand apart from the shared ones because they load the sandbox.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cookmas.commands.options.fields import USER_CODE, option_in, with_options
from cookmas.sandbox.child import Limits

with_limits = with_options("limits", {Limits: USER_CODE})
"""A decorator that gives a command one option for each field of its parameter `limits`."""

PassEnv = Annotated[list[str] | None, option_in(Limits, "environment", USER_CODE)]
Evaluators = Annotated[
    list[str] | None,
    typer.Option(
        "--evaluator",
        help="module:function, a user-supplied evaluator; may be repeated.",
        rich_help_panel=USER_CODE,
    ),
]
NamedPlanner = Annotated[
    str | None,
    typer.Option(
        "--planner", "-p", help="Consent to the planner that another user's folder names."
    ),
]
NamedWorkers = Annotated[
    list[str] | None,
    typer.Option("--worker", help="Consent to a worker that another user's folder names."),
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
