"""The command `cookmas worker`: a process that acts as a worker of an open run."""

from __future__ import annotations

import contextlib
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.continuing import describe_lost_output
from cookmas.commands.options.own import PassEnv
from cookmas.commands.options.shared import Redis, Runs
from cookmas.commands.signals import code, run_interruptibly
from cookmas.display.terminal import say_error, tell
from cookmas.workers.protocol import Report

if TYPE_CHECKING:
    from cookmas.workers.protocol import Assigned, Worker


def worker(
    name: Annotated[str, typer.Argument(help="The worker, such as worker_2.")],
    folder: Annotated[
        Path | None,
        typer.Argument(help="Folder of an open run. [default: the last one in --runs]"),
    ] = None,
    redis: Redis = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="package.module:Class whose 'act' carries out assignments."),
    ] = None,
    pass_env: PassEnv = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not print the actions.")] = False,
    runs: Runs = Path("runs"),
) -> None:
    """Carry out a worker's assignments until interrupted."""
    from cookmas.commands.folders import find_open_episode, once_open
    from cookmas.workers.carrying_out import work
    from cookmas.workers.own import OwnWorker
    from cookmas.workers.protocol import ScriptedWorker

    where = once_open(lambda: find_open_episode(folder, redis, runs))
    if isinstance(where, Path):
        _refuse_unless_remote(name, where)
    with contextlib.ExitStack() as ending:
        carried_out: Worker = ScriptedWorker()
        if by is not None:
            carried_out = ending.enter_context(
                contextlib.closing(OwnWorker(by, tuple(pass_env or ())))
            )
        printing = _PrintingWorker(carried_out)
        carrying = work(where, name, carried_out if quiet else printing, say_error)
        _until_interrupted(carrying, name, printing)


def _refuse_unless_remote(name: str, folder: Path) -> None:
    """Raise InputError if the run in a folder never assigns anything to the worker elsewhere."""
    from cookmas.files.errors import InputError
    from cookmas.orchestrator.runs.folder import read_run

    remote = read_run(folder).remote
    if name not in remote:
        known = f"expected one of {', '.join(remote)}" if remote else "has no remote workers"
        raise InputError(f"{folder}, {name}", f"{known}; 'cookmas serve --remote NAME' opens them")


class _PrintingWorker:
    """Worker that prints its actions. When it cannot, it ends before its next action."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self.lost: OSError | None = None
        """Why the last action could not be printed; None if it could."""

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        if self.lost:
            raise KeyboardInterrupt
        report = Report.of(await self._worker.act(timestep, worker, assignment))
        said = report.action or report.why or assignment
        try:
            tell(
                f"{timestep:4}  {said}"
                if report.status == "done"
                else f"{timestep:4}  {report.status}: {said}"
            )
        except OSError as error:
            self.lost = error
        return report


def _until_interrupted(
    carrying: Coroutine[Any, Any, None], name: str, printing: _PrintingWorker
) -> None:
    try:
        run_interruptibly(carrying)
    except KeyboardInterrupt as error:
        what, number = "interrupted", code(error)
        if printing.lost:
            what, number = describe_lost_output(printing.lost)
        say_error(f"{what}; {name} is away now")
        raise typer.Exit(number) from None
