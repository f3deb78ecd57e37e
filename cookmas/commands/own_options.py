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
PlannerMemory = Annotated[
    int,
    typer.Option(
        "--planner-memory", min=64, help="MiB of memory that a planner of your own may take."
    ),
]
