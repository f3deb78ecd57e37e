"""`cookmas play`: a person takes part."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.going_on import going_on
from cookmas.commands.orchestrate import (
    ORCHESTRATOR,
    is_orchestrated,
    orchestrate,
    prepare,
)
from cookmas.commands.verdicts import tell_run
from cookmas.commands.world_options import World, parted
from cookmas.terminal import tell

_TIME = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(s|min|)")


def play(
    scenario: Annotated[
        list[str],
        typer.Argument(
            help="A name (level1/03, cuisineworld/level_3) or a file; or the folder of a run that "
            "a person plays, to go on with. Options of the world's own may stand beside it."
        ),
    ],
    places: Annotated[
        list[str] | None,
        typer.Option("--as", help="The place to take: orchestrator, who writes the schedule."),
    ] = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Begin with what the embedded planner would do.")
    ] = False,
    limit: Annotated[
        str | None, typer.Option("--limit", help="Time for an answer, such as 90s; else any.")
    ] = None,
    page: Annotated[
        bool, typer.Option("--page", help="Play on a page in the browser, not here.")
    ] = False,
    port: Annotated[int, typer.Option(help="The page's port; 0 takes one that is free.")] = 8088,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the page.")] = False,
    runs: Annotated[Path, typer.Option(help="Where the runs are kept.")] = Path("runs"),
    world: World = None,
) -> None:
    """Write the schedule yourself, as a planner would; every episode can be replayed."""
    from episodes.errors import InputError
    from orchestrator.runs import RUN, read_run

    named, settings = parted(scenario)
    if len(named) != 1:
        raise InputError("play", "expected one scenario, or the folder of one run")
    if places not in (None, [ORCHESTRATOR]):
        raise InputError("--as", f"expected {ORCHESTRATOR}")
    folder = Path(named[0])
    if not (folder / RUN).exists():
        seconds = None if limit is None else _seconds(limit)
        folder = prepare(runs, named[0], world, settings, seconds, draft=draft)
        tell(f"The run is {folder}", style="dim")
    elif not is_orchestrated(read_run(folder)):
        raise InputError(str(folder), f"nobody plays in this run; 'cookmas resume {folder}' does")
    elif draft or limit:
        raise InputError(str(folder), "goes on as it was begun: leave the other options out")
    playing = orchestrate(folder, port if page else None, no_open=no_open)
    run = going_on(playing, folder, command="play")
    tell_run(run, world)
    raise typer.Exit(int(not run.success))


def _seconds(said: str) -> float:
    """The seconds of a time such as 90s. Raises InputError."""
    from episodes.errors import InputError

    found = _TIME.fullmatch(said.strip())
    if found is None or not float(found[1]):
        raise InputError("--limit", f"expected a time such as 90s or 2min, not {said!r}")
    return float(found[1]) * (60 if found[2] == "min" else 1)
