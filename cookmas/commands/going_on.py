"""Playing a run; a run that stops before its end prints one line with the command that continues
it.
"""

from __future__ import annotations

from collections.abc import Collection, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cookmas.commands.options.own import refuse_other_planner
from cookmas.commands.playing import run_interruptibly
from cookmas.commands.signals import code
from cookmas.display.terminal import say_error
from episodes.failure import FailedError
from files.errors import InfrastructureError, LeaseLostError, NobodyThereError

if TYPE_CHECKING:
    from cookmas.api import Run
    from orchestrator.runs.folder import RunFolder


def tell_imports(
    folder: Path,
    named: Mapping[str, str],
    said: Collection[str | None],
    passed: Collection[str] = (),
) -> None:
    """Print the code that is imported because a run's folder names it, and its environment
    variables.

    `named` has the code by its option, `said` the specs on the command line, `passed` the
    variables. Raises InputError without consent.
    """
    from cookmas.consent import check_consent

    check_consent(folder, named, said)
    for spec in named.values():
        if spec not in said:
            say_error(f"{folder} names {spec}, which is imported")
    if named and passed:
        say_error(f"{folder} names {', '.join(passed)}, which this code gets from the environment")


def check_own_code(run: RunFolder, planner: str | None, world: str | None) -> None:
    """Print the code that continuing a run imports because the run's folder names it.

    Raises InputError if the run has another `planner`, or without consent.
    """
    from cookmas.consent import find_named_code

    refuse_other_planner(run.file.planner, planner)
    tell_imports(run.path, find_named_code(run.file), (planner, world), run.file.limits.environment)


def continue_run(
    playing: Coroutine[Any, Any, Run], folder: Path, left: int = 0, command: str = "resume"
) -> Run:
    """Play the run in a folder and return it; raise Exit with one line if it stops before its end.

    `left` counts the scenarios after it; `command` is the one that continues the run.
    """
    try:
        return run_interruptibly(playing)
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
    except InfrastructureError as error:
        what, number = str(error), 2
    except OSError as error:
        if error.filename is None:
            raise
        what, number = f"{error.filename}: {error.strerror}", 2
    if folder.exists():
        what += f"; 'cookmas {command} {folder}' continues it"
    if left:
        what += f"; scenarios that were not begun: {left}"
    say_error(what)
    raise typer.Exit(number)
