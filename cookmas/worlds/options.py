"""Options of the command line that commands of worlds share with other commands."""

from __future__ import annotations

from typing import Annotated

import typer

Redis = Annotated[
    str | None,
    typer.Option(
        "--redis",
        envvar="COOKMAS_REDIS",
        help="The episode's address in Redis, such as redis://localhost:6379/0#corner.",
    ),
]
