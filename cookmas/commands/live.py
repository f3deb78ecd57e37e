"""`cookmas live`."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.folders import Runs, open_folder
from cookmas.commands.world_options import World
from cookmas.signals import lost_terminal_asks_to_end
from cookmas.terminal import tell


def live(
    run: Annotated[
        Path | None, typer.Argument(help="The folder of a run; else the last open kitchen's.")
    ] = None,
    host: Annotated[
        str,
        typer.Option(help="The address to listen at; at any but the loopback a token is needed."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes one that is free.")] = 8088,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the page.")] = False,
    runs: Runs = Path("runs"),
    world: World = None,
) -> None:
    """Serve the page of a run while it goes on; in an open kitchen guests can order there."""
    from episodes.errors import MissingError

    try:
        from cookmas.live.serve import serve
    except ModuleNotFoundError as error:
        raise MissingError(
            f"the live page needs {error.name}; install the extra 'server'"
        ) from None

    def ready(address: str) -> None:
        tell(f"The page is at {address}")
        if not no_open:
            webbrowser.open(address)

    with lost_terminal_asks_to_end():
        serve(run or open_folder(runs), host, port, world, ready)
