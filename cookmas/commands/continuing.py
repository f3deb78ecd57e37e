"""Playing a run to its end while its progress is shown.

If the run stops earlier, one line names the command that continues it.
"""

from __future__ import annotations

import contextlib
import errno
import signal
import sys
from collections.abc import Collection, Coroutine, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cookmas.commands.options.own import refuse_other_planner
from cookmas.commands.signals import code, run_interruptibly
from cookmas.display.terminal import is_closed_terminal, say_error, throw_away
from cookmas.episodes.failure import FailedError
from cookmas.files.errors import (
    InfrastructureError,
    LeaseLostError,
    MachineError,
    NobodyThereError,
)

if TYPE_CHECKING:
    from cookmas.api import Run
    from cookmas.orchestrator.runs.folder import RunFile, RunFolder
    from cookmas.user_processes import UserProcesses


def tell_imports(
    folder: Path,
    named: Mapping[str, str],
    said: Collection[str | None],
    passed: Collection[str] = (),
) -> None:
    """Print which code is imported because a run's folder names it, and which environment variables
    this code gets.

    `named` has the code's names by option, and `said` the names on the command line, which are not
    printed again. `passed` has the environment variables. Raises InputError if the folder is
    another user's and `said` lacks one of the names.
    """
    from cookmas.orchestrator.runs.consent import check_consent

    check_consent(folder, named, said)
    for spec in named.values():
        if spec not in said:
            say_error(f"{folder} names {spec}, which is imported")
    if named and passed:
        say_error(f"{folder} names {', '.join(passed)}, which this code gets from the environment")


def check_own_code(
    run: RunFolder, planner: str | None, world: str | None, workers: Collection[str] = ()
) -> None:
    """Print the user-supplied code that continuing a run imports and that the command line does not
    name.

    `planner`, `world` and `workers` are those on the command line. Raises InputError if the run
    has another planner, or if its folder is another user's and the command line does not name its
    code.
    """
    from cookmas.orchestrator.runs.consent import find_named_code

    refuse_other_planner(run.file.planner, planner)
    said = (planner, world, ", ".join(workers))
    tell_imports(run.path, find_named_code(run.file), said, run.file.limits.environment)
    tell_changed_code(run.path, run.file)


def tell_changed_code(folder: Path, file: RunFile) -> None:
    """Print a line if the code of a user-supplied world has changed since its run began."""
    from cookmas.world_names import describe_change

    if changed := describe_change(file.world, file.world_code):
        say_error(f"{folder}: {changed}")


def describe_lost_output(error: OSError) -> tuple[str, int]:
    """Return why standard output cannot be written, and the exit code; write no more to it.

    Raises `error` again if it is about a file, or if the whole terminal is lost.
    """
    if error.filename is not None or is_closed_terminal(sys.stdout):
        raise error
    throw_away(sys.stdout)
    if error.errno == errno.EPIPE:
        return "the reader of standard output is gone", 128 + signal.SIGPIPE
    return f"standard output: {error.strerror}", 2


def continue_run(
    playing: Coroutine[Any, Any, Run], folder: Path, left: int = 0, command: str = "resume"
) -> Run:
    """Run the coroutine `playing`, which plays the run in `folder`, and return the run.

    If the run stops before its end, print one line and raise Exit, as `tell_how_to_go_on` does.
    """
    with tell_how_to_go_on(folder, left, command):
        return run_interruptibly(playing)


@contextlib.contextmanager
def tell_how_to_go_on(folder: Path, left: int = 0, command: str = "resume") -> Iterator[None]:
    """Print one line and raise Exit if the run in `folder` stops within the block.

    Every line to stdout between the creation of a run and its end belongs into such a block.
    `left` is the number of scenarios that would have followed; `command` is the command that
    continues the run.
    """
    try:
        yield
        return
    except LeaseLostError:
        raise
    except KeyboardInterrupt as error:
        what, number = "interrupted", code(error)
    except NobodyThereError as error:
        what, number, command = str(error), 2, "play"
    except EOFError:
        what, number = "the input has ended", 2
    except FailedError as error:
        what, number = str(error), 1
    except (InfrastructureError, MachineError) as error:
        what, number = str(error), 2
    except OSError as error:
        what, number = f"{error.filename}: {error.strerror}", 2
        if error.filename is None:
            what, number = describe_lost_output(error)
    if folder.exists():
        what += f"; 'cookmas {command} {folder}' continues it"
    if left:
        what += f"; scenarios that were not begun: {left}"
    say_error(what)
    raise typer.Exit(number)


async def continue_and_watch(
    run: RunFolder, processes: UserProcesses | None = None, opening: str = "", *, stays: bool = True
) -> Run:
    """Continue the run in a folder like `aresume` and show its progress.

    `opening` and `stays` are as in `show_records`.
    """
    import asyncio

    from cookmas.api import aresume
    from cookmas.display.watch.board import show_records
    from cookmas.episodes.trace_file import count_records
    from cookmas.orchestrator.runs.folder import TRACE

    shown = await asyncio.to_thread(count_records, run.path / TRACE)
    with show_records(run.file.world, opening, stays=stays, told=shown) as listen:
        return await aresume(run, listen, processes)


def tell_ways(run: RunFolder) -> str:
    """Return the line that says which commands speak to the open episode of a run."""
    file = run.file
    where = f"--redis {file.redis.url}#{file.redis.episode}" if file.redis else f"--at {run.path}"
    return f"Open: cookmas {', '.join(list_sendable(file.world))}, status, close {where}"


def list_sendable(world: str) -> list[str]:
    """Return the commands that send messages to an open episode of a world."""
    from cookmas.episodes.instruction import INSTRUCT
    from cookmas.world_names import USUAL, domain_of

    if world == USUAL:
        return ["order", "change", "cancel", INSTRUCT]
    return [*(f"send {each.kind}" for each in domain_of(world).messages()), INSTRUCT]
