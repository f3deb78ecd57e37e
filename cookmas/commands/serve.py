"""`cookmas serve`: a kitchen that is open to orders from other terminals."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.folders import Redis, Runs, folder_name, open_folder
from cookmas.commands.own_options import PlannerMemory, PlannerTimeout
from cookmas.commands.verdicts import tell_run
from cookmas.terminal import console, say_error, tell

if TYPE_CHECKING:
    from cookmas.api import Listener, Run
    from episodes.redis_texts import RedisTexts
    from orchestrator.redis_place import RedisPlace

Pace = Annotated[
    str | None,
    typer.Option("--pace", help="Time a timestep has, such as 1s or 500ms; else as it can."),
]

Checkpoints = Annotated[
    str | None, typer.Option("--checkpoints", help="A PostgreSQL database, by its URL.")
]

_PACE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(ms|s|min|)")
_SECONDS = {"ms": 0.001, "s": 1.0, "": 1.0, "min": 60.0}


def serve(
    kitchen: Annotated[
        str, typer.Argument(help="A kitchen's name (small, standard, large) or file.")
    ] = "standard",
    menu: Annotated[Path | None, typer.Option(help="A menu's folder.")] = None,
    workers: Annotated[int, typer.Option(help="How many workers there are.")] = 3,
    planner: Annotated[str, typer.Option("--planner", "-p", help="As in run.")] = "embedded",
    pace: Pace = None,
    redis: Redis = None,
    remote: Annotated[
        list[str] | None,
        typer.Option("--remote", help="A worker for 'cookmas worker' to stand in for."),
    ] = None,
    deadline: Annotated[float, typer.Option(help="Seconds a remote worker has to act.")] = 10.0,
    checkpoints: Checkpoints = None,
    planner_timeout: PlannerTimeout = 1800.0,
    planner_memory: PlannerMemory = 4096,
    runs: Runs = Path("runs"),
) -> None:
    """Open a kitchen, or go on with one that was not closed; orders come from other terminals."""
    from cookmas.api import create
    from episodes.apart.child import Limits
    from orchestrator.runs import RUN

    place = _place(redis, remote or (), deadline)
    folder = open_folder(runs, new=True, name=folder_name(redis))
    if not (folder / RUN).exists():
        settings = {"kitchen": kitchen, "workers": str(workers)}
        if menu is None and redis is not None:
            menu = _pulled(redis, folder / "menu")
        if menu:
            settings["menu"] = str(menu.resolve())
        create(
            folder,
            "open",
            planner,
            settings=settings,
            pace=seconds(pace),
            redis=place,
            checkpoints=checkpoints,
            limits=Limits(seconds=planner_timeout, memory=planner_memory),
        )
    raise typer.Exit(play_open(folder))


def _pulled(redis: str, folder: Path) -> Path | None:
    """The folder with the menu that the kitchen has in Redis; None if it has none."""
    from cookmas.redis import with_texts, write_menu

    async def pull(store: RedisTexts) -> Path | None:
        if await store.menu() is None:
            return None
        await write_menu(store, folder)
        return folder

    return asyncio.run(with_texts(redis, pull))


def _place(redis: str | None, remote: Sequence[str], deadline: float) -> RedisPlace | None:
    from episodes.errors import InputError
    from episodes.redis_address import need_redis
    from orchestrator.redis_place import ADDRESS, RedisPlace

    if redis is None:
        if remote:
            raise InputError("--remote", "remote workers are reached over Redis: say --redis too")
        return None
    need_redis()
    os.environ[ADDRESS] = redis
    return RedisPlace.at(redis, remote, deadline)


def seconds(pace: str | None) -> float:
    """The seconds of a timestep; 0 where nothing is said. Raises InputError."""
    from episodes.errors import InputError

    found = _PACE.fullmatch(pace.strip()) if pace is not None else None
    if pace is not None and found is None:
        raise InputError("--pace", f"expected a time such as 1s or 500ms, not {pace!r}")
    return float(found[1]) * _SECONDS[found[2]] if found else 0.0


def play_open(folder: Path) -> int:
    """Play an open run until it is closed; the exit code."""
    from orchestrator.runs import read_run

    place = read_run(folder).redis
    where = f"--redis {place.url}#{place.kitchen}" if place else f"--at {folder}"
    tell(f"Open: cookmas order, change, cancel, status, close {where}", style="dim")
    try:
        run = asyncio.run(_played(folder))
    except KeyboardInterrupt:
        say_error(f"interrupted; 'cookmas resume {folder}' goes on with it")
        return 130
    tell_run(run)
    return 0 if run.success is not False else 1


async def _played(folder: Path) -> Run:
    from cookmas.api import aresume
    from cookmas.board import Board
    from cookmas.progress import Progress

    if not sys.stdout.isatty():
        return await aresume(folder, Progress(console()).tell)
    async with Board(folder, console()) as board:
        listen: Listener = board.hear
        playing: Coroutine[Any, Any, Run] = aresume(folder, listen)
        return await playing
