"""The commands `cookmas guest add` and `cookmas quarantine`, for the owner of an open episode."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.folders import find_open_episode
from cookmas.commands.options.shared import At, Json, Redis, Runs
from cookmas.display.terminal import print_json, tell

app = typer.Typer(no_args_is_help=True, help="The guests of an episode in Redis.")


@app.callback()
def _guests() -> None:
    """The guests of an episode in Redis."""


@app.command("add")
def add(
    name: Annotated[str, typer.Argument(help="The guest's sender name.")],
    redis: Redis = None,
) -> None:
    """Register a guest and print its line for the server's access list (ACL), with a secret."""
    import asyncio

    from cookmas.files.errors import InputError
    from cookmas.orchestrator.runs.addresses import add_guest

    if redis is None:
        raise InputError("--redis", "expected an address: redis://HOST:PORT/0#NAME")
    tell(asyncio.run(add_guest(redis, name)))


def quarantine(
    at: At = None,
    redis: Redis = None,
    runs: Runs = Path("runs"),
    empty: Annotated[bool, typer.Option("--empty", help="Empty it after showing it.")] = False,
    json: Json = False,
) -> None:
    """Show the unreadable messages that an open episode received, newest first, with reasons."""
    from dataclasses import asdict

    from cookmas.client import Client

    with Client(find_open_episode(at, redis, runs)) as episode:
        count, found = episode.count_quarantined(), episode.quarantine()
        if json:
            print_json({"count": count, "entries": [asdict(each) for each in found]})
        else:
            kept = f"; the last {len(found):,} are kept" if len(found) < count else ""
            tell(f"{count:,} in quarantine{kept}")
            for each in found:
                tell(f"{each.origin}: {each.reason}: {each.preview}")
        if empty:
            episode.empty_quarantine()
