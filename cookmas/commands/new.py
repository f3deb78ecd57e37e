"""`cookmas new`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.display.terminal import tell

app = typer.Typer(no_args_is_help=True, help="Begin something of your own.")


@app.callback()
def _new() -> None:
    """Begin something of your own."""


@app.command("world")
def world(
    name: Annotated[str, typer.Argument(help="Its name, which is that of its package too.")],
    folder: Annotated[
        Path, typer.Option("--in", help="The folder in which the package is made.")
    ] = Path("."),
) -> None:
    """Write the smallest world: rules, a level, a planner; it plays at once."""
    from cookmas.new.world import write_world

    for path in write_world(name, folder):
        tell(path)
    tell(f"cookmas run one --world {name}:DOMAIN", style="dim")
