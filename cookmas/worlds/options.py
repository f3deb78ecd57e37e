"""Options of the command line that commands of worlds share with other commands."""

from __future__ import annotations

from typing import Annotated

import typer

from cookmas.files.options import option

ADDRESS = "COOKMAS_REDIS"
"""The environment variable with an episode's address in Redis."""

_ABOUT = "The episode's address in Redis, such as redis://localhost:6379/0#corner."

Redis = Annotated[str | None, typer.Option("--redis", envvar=ADDRESS, help=_ABOUT)]


def redis_option() -> str | None:
    """Return the same option as `Redis`, as a field of a record."""
    return option(None, _ABOUT, envvar=ADDRESS)
