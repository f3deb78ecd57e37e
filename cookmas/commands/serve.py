"""The command `cookmas serve`: a kitchen that is open to orders from other terminals."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.continuing import continue_run, tell_imports
from cookmas.commands.folders import folder_name, open_folder
from cookmas.commands.options.model import with_asking_options, with_model_options
from cookmas.commands.options.open_kitchen import (
    OpenKitchenOptions,
    with_checkpoints,
    with_open_kitchen,
)
from cookmas.commands.options.own import with_limits
from cookmas.commands.options.shared import Runs, Strict, make_strict
from cookmas.commands.verdicts import tell_run
from cookmas.orchestrator.options import CheckpointFields
from cookmas.sandbox.child import Limits

if TYPE_CHECKING:
    from cookmas.orchestrator.dialogue.options import AskingOptions
    from cookmas.orchestrator.models.options import ModelOptions


@with_checkpoints
@with_open_kitchen
@with_asking_options
@with_model_options
@with_limits
def serve(
    kitchen: Annotated[
        str, typer.Argument(help="A kitchen's name (small, standard, large) or file.")
    ] = "standard",
    menu: Annotated[Path | None, typer.Option(help="A menu's folder.")] = None,
    workers: Annotated[int, typer.Option(help="The number of workers.")] = 3,
    planner: Annotated[str, typer.Option("--planner", "-p", help="As in run.")] = "embedded",
    strict: Strict = False,
    runs: Runs = Path("runs"),
    *,
    kept: CheckpointFields,
    limits: Limits,
    options: ModelOptions,
    asking: AskingOptions,
    opened: OpenKitchenOptions,
) -> None:
    """Open a kitchen, or continue one that is not over; orders come from other terminals."""
    import asyncio

    from cookmas.api import create
    from cookmas.consent import find_named_code
    from cookmas.orchestrator.runs.folder import RUN, RunError, read_run
    from cookmas.orchestrator.runs.request import RunRequest
    from cookmas.world_names import USUAL, domain_of

    place, redis, pace = opened.place, opened.redis, opened.seconds
    folder = open_folder(runs, folder_name(redis))
    again = ""
    if (folder / RUN).exists():
        file = read_run(folder)
        tell_imports(folder, find_named_code(file), (planner,), file.limits.environment)
        again = f"Continuing {folder} with the options it was opened with. "
    else:
        settings = {"kitchen": kitchen, "workers": str(workers)}
        if menu:
            settings["menu"] = str(menu.resolve())
        elif redis is not None:
            settings |= asyncio.run(domain_of(USUAL).pull(redis, folder / "menu"))
        request = RunRequest(
            scenario="open",
            settings=settings,
            planner=make_strict(planner, strict=strict),
            model=options,
            asking=asking,
            pace=pace,
            clock=opened.clock or "simulated",
            redis=place,
            limits=limits,
            **asdict(kept),
        )
        with suppress(RunError):  # Another process has just created it, and plays it.
            create(folder, request)
    raise typer.Exit(play_open(folder, again))


def play_open(folder: Path, again: str = "") -> int:
    """Play the run of an open kitchen until it is closed; return the exit code. `again` is printed
    first.
    """
    from cookmas.commands.watching import continue_and_watch, sendable
    from cookmas.orchestrator.runs.folder import RunFolder

    run = RunFolder(folder)
    place = run.file.redis
    where = f"--redis {place.url}#{place.episode}" if place else f"--at {folder}"
    opening = f"{again}Open: cookmas {', '.join(sendable(run.file.world))}, status, close {where}"
    done = continue_run(continue_and_watch(run, opening=opening), folder)
    tell_run(done)
    return 0 if done.success is not False else 1
