"""The command `cookmas serve`: a world that is open to messages from other terminals."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.continuing import (
    continue_and_watch,
    continue_run,
    tell_changed_code,
    tell_imports,
    tell_ways,
)
from cookmas.commands.folders import folder_name, open_folder
from cookmas.commands.options.model import with_asking_options, with_model_options
from cookmas.commands.options.open_episode import OpenEpisodeOptions, with_open_episode
from cookmas.commands.options.own import with_limits
from cookmas.commands.options.shared import (
    Runs,
    Strict,
    World,
    make_strict,
    split_arguments,
    with_work_options,
)
from cookmas.commands.verdicts import exit_code, tell_run
from cookmas.display.terminal import say_error
from cookmas.sandbox.child import Limits

if TYPE_CHECKING:
    from cookmas.orchestrator.dialogue.options import AskingOptions
    from cookmas.orchestrator.models.options import ModelOptions


@with_work_options
@with_open_episode
@with_asking_options
@with_model_options
@with_limits
def serve(
    place: Annotated[
        list[str] | None,
        typer.Argument(
            help="A kitchen's name (small, standard, large) or file. In another world a scenario, "
            "by default 'open' or the first. The world's own options may follow; the restaurant "
            "has --menu FOLDER and --workers NUMBER."
        ),
    ] = None,
    planner: Annotated[str, typer.Option("--planner", "-p", help="As in run.")] = "embedded",
    strict: Strict = False,
    runs: Runs = Path("runs"),
    world: World = None,
    *,
    given: dict[str, Any],
    limits: Limits,
    options: ModelOptions,
    asking: AskingOptions,
    opened: OpenEpisodeOptions,
) -> None:
    """Open a world, or continue one that is not over; messages come from other terminals."""
    import asyncio

    from cookmas.api import create
    from cookmas.files.errors import InputError
    from cookmas.orchestrator.runs.consent import find_named_code
    from cookmas.orchestrator.runs.folder import RUN, RunError, read_run
    from cookmas.orchestrator.runs.request import RunRequest
    from cookmas.world_names import USUAL, domain_of

    redis = opened.redis
    fields = opened.fields
    folder = open_folder(runs, folder_name(redis))
    again = ""
    if (folder / RUN).exists():
        file = read_run(folder)
        if world not in (None, file.world):
            raise InputError(
                "--world", f"{folder} is open with {file.world}; close it, or use other --runs"
            )
        tell_imports(folder, find_named_code(file), (planner, world), file.limits.environment)
        tell_changed_code(folder, file)
        again = f"Continuing {folder} with the options it was opened with. "
    else:
        names, wanted = split_arguments(place or ())
        domain = domain_of(world or USUAL)
        scenario, settings = domain.opening(names, wanted)
        if redis is not None and "menu" not in settings:
            settings = {**settings, **asyncio.run(domain.pull(redis, folder / "menu"))}
        request = RunRequest(
            world=world,
            scenario=scenario,
            settings=settings,
            planner=make_strict(planner, strict=strict),
            model=options,
            asking=asking,
            limits=limits,
            **fields,
            **given,
        )
        with suppress(RunError):  # Another process has just created it, and plays it.
            create(folder, request)
    raise typer.Exit(play_open(folder, again))


def play_open(folder: Path, again: str = "") -> int:
    """Play the run of an open world until it is closed; return the exit code. `again` is printed
    first.
    """
    from cookmas.files.opening import make_private
    from cookmas.orchestrator.runs.folder import RunFolder

    run = RunFolder(folder)
    if make_private(folder):
        say_error(
            f"{folder} was open to other users of this machine; now only its owner can use it"
        )
    opening = f"{again}{tell_ways(run)}"
    done = continue_run(continue_and_watch(run, opening=opening), folder)
    tell_run(done, run.file.world)
    return exit_code([done])
