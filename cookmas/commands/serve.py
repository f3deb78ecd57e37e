"""The command `cookmas serve`: a kitchen that is open to orders from other terminals."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.folders import folder_name, open_folder
from cookmas.commands.going_on import going_on, tell_imports
from cookmas.commands.options.asking import with_asking_options
from cookmas.commands.options.kitchen import KitchenOptions, with_kitchen_options
from cookmas.commands.options.model import with_model_options
from cookmas.commands.options.own import PassEnv, PlannerMemory, PlannerTimeout
from cookmas.commands.options.strict import Strict, strictly
from cookmas.commands.options.where import Runs
from cookmas.commands.verdicts import tell_run

if TYPE_CHECKING:
    from orchestrator.dialogue.options import AskingOptions
    from orchestrator.models.options import ModelOptions
    from scenarios.redis_recipes import RedisRecipes


@with_kitchen_options
@with_asking_options
@with_model_options
def serve(
    kitchen: Annotated[
        str, typer.Argument(help="A kitchen's name (small, standard, large) or file.")
    ] = "standard",
    menu: Annotated[Path | None, typer.Option(help="A menu's folder.")] = None,
    workers: Annotated[int, typer.Option(help="The number of workers.")] = 3,
    planner: Annotated[str, typer.Option("--planner", "-p", help="As in run.")] = "embedded",
    strict: Strict = False,
    planner_timeout: PlannerTimeout = 1800.0,
    planner_memory: PlannerMemory = 4096,
    pass_env: PassEnv = None,
    runs: Runs = Path("runs"),
    *,
    options: ModelOptions,
    asking: AskingOptions,
    opened: KitchenOptions,
) -> None:
    """Open a kitchen, or continue one that is not over; orders come from other terminals."""
    from cookmas.api import create
    from cookmas.consent import named_code
    from orchestrator.runs.folder import RUN, read_run
    from sandbox.child import Limits

    place, redis, pace = opened.place, opened.redis, opened.seconds
    limits = Limits(
        seconds=planner_timeout, memory=planner_memory, environment=tuple(pass_env or ())
    )
    folder = open_folder(runs, folder_name(redis))
    again = ""
    if (folder / RUN).exists():
        file = read_run(folder)
        tell_imports(folder, named_code(file), (planner,), file.limits.environment)
        again = f"Continuing {folder} with the options it was opened with. "
    else:
        settings = {"kitchen": kitchen, "workers": str(workers)}
        if menu is None and redis is not None:
            menu = _pull_menu(redis, folder / "menu")
        if menu:
            settings["menu"] = str(menu.resolve())
        create(
            folder,
            "open",
            strictly(planner, strict=strict),
            options,
            asking,
            settings=settings,
            pace=pace,
            redis=place,
            checkpoints=opened.checkpoints,
            keep_checkpoints=opened.keep_checkpoints,
            limits=limits,
        )
    raise typer.Exit(play_open(folder, again))


def _pull_menu(redis: str, folder: Path) -> Path | None:
    """Copy the menu of a kitchen in Redis into a folder and return it; return None if there is no
    menu.
    """
    from cookmas.redis import with_recipes
    from scenarios.redis_recipes import write_menu

    async def pull(store: RedisRecipes) -> Path | None:
        if await store.menu() is None:
            return None
        await write_menu(store, folder)
        return folder

    return asyncio.run(with_recipes(redis, pull))


def play_open(folder: Path, again: str = "") -> int:
    """Play an open run until it is closed; return the exit code. `again` is printed first."""
    from cookmas.display.watch.board import watching
    from orchestrator.runs.folder import read_run

    place = read_run(folder).redis
    where = f"--redis {place.url}#{place.kitchen}" if place else f"--at {folder}"
    opening = f"{again}Open: cookmas order, change, cancel, instruct, status, close {where}"
    run = going_on(watching(folder, opening=opening), folder)
    tell_run(run)
    return 0 if run.success is not False else 1
