"""The options that name the folder of runs and the open kitchen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Runs = Annotated[Path, typer.Option(help="The folder of the runs.")]

At = Annotated[
    Path | None,
    typer.Option("--at", help="The folder of the kitchen's run. [default: the last one played]"),
]

Redis = Annotated[
    str | None,
    typer.Option(
        "--redis",
        envvar="COOKMAS_REDIS",
        help="The kitchen's address in Redis, such as redis://localhost:6379/0#corner.",
    ),
]
