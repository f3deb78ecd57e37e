"""The commands `cookmas status`, `withdraw` and `backup`, for the owner of an open episode."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.folders import find_open_episode, last_opened
from cookmas.commands.options.shared import At, JsonLine, Redis, Runs
from cookmas.display.terminal import console, print_json, tell

DOWN = 3
"""Exit code of `status` if no orchestrator plays an episode that is not over."""


def status(
    at: At = None,
    redis: Redis = None,
    runs: Runs = Path("runs"),
    json: JsonLine = False,
) -> None:
    """Show the status of an open episode; exit code 3 if no orchestrator plays it."""
    import asyncio

    from cookmas.display.watch.standing import render_status
    from cookmas.files.errors import NoOpenEpisodeError
    from cookmas.status import status_of

    episode = find_open_episode(at, redis, runs)
    standing = asyncio.run(status_of(episode))
    if standing.state == "down" and standing.timestep is None and not standing.waiting:
        raise NoOpenEpisodeError(f"{episode}: nobody has played this episode yet")
    if json:
        print_json(standing.model_dump())
    else:
        console().print(render_status(episode, standing))
    raise typer.Exit(0 if standing.alive or standing.state == "over" else DOWN)


def withdraw(
    sender: Annotated[
        str | None, typer.Option("--sender", help="Withdraw the messages of this sender.")
    ] = None,
    id: Annotated[  # noqa: A002
        str | None, typer.Option("--id", help="Withdraw the message with this id.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Withdraw every waiting message.")
    ] = False,
    at: At = None,
    redis: Redis = None,
    runs: Runs = Path("runs"),
) -> None:
    """Withdraw messages that wait to be taken, and notify their senders."""
    import asyncio

    from cookmas.files.errors import InputError
    from cookmas.orchestrator.runs.addresses import letterbox

    if everything == (sender is not None or id is not None):
        raise InputError("withdraw", "expected --all, or --sender or --id or both")

    async def withdraw_it() -> int:
        box = letterbox(find_open_episode(at, redis, runs))
        try:
            return await box.withdraw(sender, id)
        finally:
            await box.leave()

    count = asyncio.run(withdraw_it())
    tell(f"{count:,} {'message' if count == 1 else 'messages'} withdrawn")


def backup(
    to: Annotated[Path, typer.Argument(help="A new folder for the copy.")],
    at: At = None,
    runs: Runs = Path("runs"),
) -> None:
    """Copy the folder of an open episode while it is played; `cookmas resume` plays the copy."""
    from cookmas.orchestrator.runs.backup import back_up

    folder = at or last_opened(runs)
    for missing in back_up(folder, to):
        tell(missing, style="yellow")
    tell(f"{folder} is backed up in {to}")
