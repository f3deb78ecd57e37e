"""The command `cookmas live`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.continuing import continue_and_watch, continue_run, tell_ways
from cookmas.commands.folders import last_opened, no_open_episode, once_open
from cookmas.commands.options.open_episode import seconds
from cookmas.commands.options.own import PassEnv
from cookmas.commands.options.shared import Runs, World
from cookmas.commands.people import NoOpen, tell_page
from cookmas.commands.signals import turn_hangup_into_end
from cookmas.commands.verdicts import exit_code, tell_run
from cookmas.display.terminal import tell

if TYPE_CHECKING:
    from cookmas.api import Run


def live(
    run: Annotated[
        str | None,
        typer.Argument(
            help="The folder of a run, by default that of the last open episode. Or a scenario "
            "to open and play; 'open' is a scenario without orders."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(help="The address of the server; any other than the loopback needs a token."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0: any free port.")] = 8088,
    no_open: NoOpen = False,
    planner: Annotated[
        str, typer.Option("--planner", "-p", help="The planner for a scenario.")
    ] = "embedded",
    pace: Annotated[
        str,
        typer.Option("--pace", help="Duration of a timestep of a scenario, such as 1s or 500ms."),
    ] = "1s",
    pass_env: PassEnv = None,
    runs: Runs = Path("runs"),
    world: World = None,
) -> None:
    """Serve the page of a run while it is played; in an open episode guests can order there."""
    from cookmas.files.errors import MissingError

    try:
        from cookmas.display.live.serve import serve
    except ModuleNotFoundError as error:
        raise MissingError(
            f"the live page needs {error.name}; install the extra 'server'"
        ) from None

    from cookmas.display.live.app import ShownRun
    from cookmas.replaying import judge_run

    ready = partial(tell_page, no_open=no_open)
    if run is not None and not Path(run).exists():
        environment = tuple(pass_env or ())
        raise typer.Exit(
            _play_scenario(run, host, port, planner, pace, environment, runs, world, ready)
        )
    with turn_hangup_into_end():
        folder = Path(run) if run else once_open(lambda: _find_open(runs))
        serve(ShownRun.of(folder, judge_run, world), host, port, ready)


def _find_open(runs: Path) -> Path:
    """Return the folder of the open episode. Raises NoOpenEpisodeError if there is none."""
    from cookmas.orchestrator.runs.folder import RUN, is_finished

    folder = last_opened(runs)
    if not (folder / RUN).exists() or is_finished(folder):
        raise no_open_episode(folder)
    return folder


def _play_scenario(
    scenario: str,
    host: str,
    port: int,
    planner: str,
    pace: str,
    environment: tuple[str, ...],
    runs: Path,
    world: str | None,
    ready: Callable[[str], None],
) -> int:
    from cookmas.api import create, load_scenario
    from cookmas.display.live.app import ShownRun
    from cookmas.display.live.serve import serve_beside
    from cookmas.files.errors import MissingError
    from cookmas.orchestrator.runs.folder import RunFolder
    from cookmas.orchestrator.runs.request import RunRequest
    from cookmas.replaying import judge_run
    from cookmas.sandbox.child import Limits

    try:
        load_scenario(scenario, world)
    except MissingError as error:
        raise MissingError(f"{scenario}: there is no run here, and {error}") from None

    request = RunRequest(
        world=world,
        scenario=scenario,
        planner=planner,
        pace=seconds("--pace", pace),
        limits=Limits(environment=environment),
    )
    folder = create(runs, request, new=True)
    opened = RunFolder(folder)

    async def play_it() -> Run:
        async with serve_beside(ShownRun.of(opened, judge_run, world), host, port) as address:
            ready(address)
            tell(tell_ways(opened), style="dim")
            return await continue_and_watch(opened)

    run = continue_run(play_it(), folder)
    tell_run(run, world)
    return exit_code([run])
