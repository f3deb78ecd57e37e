"""The command `cookmas worker`: a process that acts as a worker of an episode in Redis."""

from __future__ import annotations

import contextlib
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.options.own import PassEnv
from cookmas.commands.options.shared import Redis
from cookmas.commands.playing import run_interruptibly
from cookmas.commands.signals import code
from cookmas.display.terminal import say_error, tell
from cookmas.workers.protocol import Report

if TYPE_CHECKING:
    from cookmas.workers.protocol import Assigned, Worker


def worker(
    name: Annotated[str, typer.Argument(help="The worker, such as worker_2.")],
    redis: Redis = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="package.module:Class whose 'act' carries out assignments."),
    ] = None,
    pass_env: PassEnv = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not print the actions.")] = False,
) -> None:
    """Carry out a worker's assignments until interrupted."""
    from cookmas.files.errors import InputError
    from cookmas.mailboxes.redis.address import need_redis, split_address

    if redis is None:
        raise InputError("--redis", "expected an address: redis://HOST:PORT/0#NAME")
    need_redis()
    from cookmas.workers.own import OwnWorker
    from cookmas.workers.protocol import ScriptedWorker
    from cookmas.workers.redis_channel import work

    url, episode = split_address(redis)
    with contextlib.ExitStack() as ending:
        carried_out: Worker = ScriptedWorker()
        if by is not None:
            carried_out = ending.enter_context(
                contextlib.closing(OwnWorker(by, tuple(pass_env or ())))
            )
        carrying = work(
            url, episode, name, carried_out if quiet else _PrintingWorker(carried_out), say_error
        )
        _until_interrupted(carrying, name)


def _until_interrupted(carrying: Coroutine[Any, Any, None], name: str) -> None:
    try:
        run_interruptibly(carrying)
    except KeyboardInterrupt as error:
        say_error(f"interrupted; {name} is away now")
        raise typer.Exit(code(error)) from None


class _PrintingWorker:
    """Worker that prints its actions."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    async def act(self, timestep: int, worker: str, assignment: Assigned) -> Report:
        report = Report.of(await self._worker.act(timestep, worker, assignment))
        said = report.action or report.why or assignment
        tell(
            f"{timestep:4}  {said}"
            if report.status == "done"
            else f"{timestep:4}  {report.status}: {said}"
        )
        return report
