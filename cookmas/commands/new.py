"""The command `cookmas new`."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from cookmas.display.terminal import tell

app = typer.Typer(no_args_is_help=True, help="Create your own world.")


@app.callback()
def _create() -> None:
    """Create your own world."""


@app.command("world")
def world(
    name: Annotated[str, typer.Argument(help="The name of the world and of its package.")],
    folder: Annotated[Path, typer.Option("--in", help="The parent folder of the package.")] = Path(
        "."
    ),
    live: Annotated[
        bool, typer.Option("--live", help="One that takes messages, with a judge and a worker.")
    ] = False,
) -> None:
    """Write the smallest world: rules, a level and a planner. It can be played at once."""
    from cookmas.new import write_world

    for path in write_world(name, folder, live=live):
        tell(path)
    there = "" if folder.resolve() == Path.cwd() else f"cd {quote(str(folder))} && "
    tell(f"{there}cookmas run one --world {name}:DOMAIN", style="dim")
    if live:
        tell(f"{there}cookmas serve --world {name}:DOMAIN", style="dim")
