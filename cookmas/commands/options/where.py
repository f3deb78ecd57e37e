"""The options that name the folder of runs and the open kitchen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worlds.options import Redis as Redis

Runs = Annotated[Path, typer.Option(help="The folder of the runs.")]

At = Annotated[
    Path | None,
    typer.Option("--at", help="The folder of its run. [default: the last one played]"),
]
