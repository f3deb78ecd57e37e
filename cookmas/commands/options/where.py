"""Where runs are kept, and which open kitchen is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Runs = Annotated[Path, typer.Option(help="Where the runs are kept.")]

At = Annotated[
    Path | None, typer.Option("--at", help="The folder of its run; the one played last if not.")
]

Redis = Annotated[
    str | None,
    typer.Option(
        "--redis",
        envvar="COOKMAS_REDIS",
        help="The kitchen's address in Redis, such as redis://localhost:6379/0#corner.",
    ),
]
