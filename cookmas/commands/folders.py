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


def open_folder(runs: Path, *, new: bool = False) -> Path:
    """The folder of the last kitchen that was opened by `serve`.

    With `new` it is one that can be served: the last one unless it was closed, else a further one.
    """
    from orchestrator.runs import RUN, finished

    number = 1
    while (_numbered(runs, number + 1) / RUN).exists():
        number += 1
    last = _numbered(runs, number)
    if new and (last / RUN).exists() and finished(last):
        return _numbered(runs, number + 1)
    return last


def _numbered(runs: Path, number: int) -> Path:
    return runs / (OPEN if number == 1 else f"{OPEN}-{number}")
