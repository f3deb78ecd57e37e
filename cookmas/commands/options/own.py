"""The options of what a person wrote, which runs in processes of its own."""

from __future__ import annotations

from typing import Annotated

import typer

PlannerTimeout = Annotated[
    float,
    typer.Option(
        "--planner-timeout", min=0.1, help="Seconds that a planner of your own may take for a call."
    ),
]
Evaluators = Annotated[
    list[str] | None,
    typer.Option(
        "--evaluator", help="module:function, an evaluator of your own; may be given again."
    ),
]
PassEnv = Annotated[
    list[str] | None,
    typer.Option(
        "--pass-env",
        metavar="NAME",
        help="An environment variable that code of your own gets; may be given again.",
    ),
]
PlannerMemory = Annotated[
    int,
    typer.Option(
        "--planner-memory", min=256, help="MiB of memory that a planner of your own may take."
    ),
]
