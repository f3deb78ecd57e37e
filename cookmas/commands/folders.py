"""Which open kitchen is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

OPEN = "open"

Runs = Annotated[Path, typer.Option(help="Where the runs are kept.")]

At = Annotated[
    Path | None, typer.Option("--at", help="The folder of its run; the last one of 'serve' if not.")
]


Redis = Annotated[
    str | None,
    typer.Option(
        "--redis",
        envvar="COOKMAS_REDIS",
        help="The kitchen's address in Redis, such as redis://localhost:6379/0#corner.",
    ),
]


def folder_name(redis: str | None) -> str:
    """What the folders of kitchens opened by `serve` are called, those in Redis by their names."""
    from episodes.redis_address import parted

    return OPEN if redis is None else f"{OPEN}-{parted(redis)[1]}"


def open_folder(runs: Path, *, new: bool = False, name: str = OPEN) -> Path:
    """The folder of the last kitchen of a `name` that was opened by `serve`.

    With `new` it is one that can be served: the last one unless it was closed, else a further one.
    """
    from orchestrator.runs import RUN, finished

    number = 1
    while (_numbered(runs, name, number + 1) / RUN).exists():
        number += 1
    last = _numbered(runs, name, number)
    if new and (last / RUN).exists() and finished(last):
        return _numbered(runs, name, number + 1)
    return last


def _numbered(runs: Path, name: str, number: int) -> Path:
    return runs / (name if number == 1 else f"{name}.{number}")
