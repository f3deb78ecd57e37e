"""Where runs are kept, and which open kitchen is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from worlds.options import Redis as Redis

Runs = Annotated[Path, typer.Option(help="Where the runs are kept.")]

At = Annotated[
    Path | None, typer.Option("--at", help="The folder of its run; the one played last if not.")
]
