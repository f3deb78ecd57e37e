"""The command `cookmas bench`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.continuing import describe_lost_output
from cookmas.commands.options.fields import with_options
from cookmas.commands.options.model import with_asking_options, with_model_options
from cookmas.commands.options.own import with_limits
from cookmas.commands.options.shared import READER, Strict, make_strict
from cookmas.commands.signals import code, run_interruptibly
from cookmas.display.terminal import console, say_error, tell
from cookmas.files.lines import clean
from cookmas.sandbox.child import Limits
from cookmas.studies.bench.limits import SweepLimits

if TYPE_CHECKING:
    from cookmas.orchestrator.dialogue.options import AskingOptions
    from cookmas.orchestrator.models.options import ModelOptions
    from cookmas.studies.bench.executor import Executor
    from cookmas.studies.bench.spec import EpisodeSpec
    from cookmas.studies.bench.suite import Suite
    from cookmas.studies.bench.sweep import Swept

EACH_CORE = 4
"""Maximum number of processes for each core without `--oversubscribe`."""


@with_asking_options
@with_model_options
@with_limits
@with_options("sweep_limits", {SweepLimits: None})
def bench(
    suite: Annotated[str, typer.Argument(help="A suite by its name, or its file (.yaml).")],
    planner: Annotated[
        str | None,
        typer.Option("--planner", "-p", help="Plays the suite instead of the suite's own arms."),
    ] = None,
    strict: Strict = False,
    repeats: Annotated[
        int | None, typer.Option(min=1, help="How often each episode is played.")
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, help="Number of processes; 0: one for each core.")
    ] = 1,
    oversubscribe: Annotated[
        bool,
        typer.Option(
            "--oversubscribe", help=f"Allow more than {EACH_CORE} processes for each core."
        ),
    ] = False,
    at_a_time: Annotated[
        int, typer.Option(min=1, max=999, help="Episodes that each process plays at a time.")
    ] = 4,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="A Dask cluster at tcp://HOST:PORT; 'local' starts one with --jobs workers."
        ),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="The folder of the results. [default: sweeps/SUITE]")
    ] = None,
    *,
    sweep_limits: SweepLimits,
    limits: Limits,
    options: ModelOptions,
    asking: AskingOptions,
) -> None:
    """Play every episode of a suite; after an interruption the same command continues.

    Options of the planner, of the model and of prompting need --planner.
    """
    from cookmas.studies.bench.suite import load_suite

    loaded, path = load_suite(suite)
    if strict:
        planner = make_strict(planner or READER, strict=True)
    loaded = apply_options(loaded, planner, repeats, options, asking)
    where = folder or Path("sweeps") / path.stem
    allowed = replace(sweep_limits, planner=limits)

    def executor(episodes: int) -> Executor:
        count = _count_processes(jobs, episodes, oversubscribe=oversubscribe)
        return _make_executor(count, at_a_time, cluster)

    if play_suite(loaded, path, where, allowed, executor).unplayed:
        raise typer.Exit(1)


def play_suite(
    suite: Suite,
    path: Path,
    where: Path,
    limits: SweepLimits,
    executor: Callable[[int], Executor],
) -> Swept:
    """Play a suite, tell the result, and return it.

    `executor` returns what plays a number of episodes. After an interruption, exit.
    """
    from cookmas.studies.bench.folder import RESULTS
    from cookmas.studies.bench.suite import episodes_of
    from cookmas.studies.bench.sweep import print_progress, sweep
    from cookmas.studies.previewing import largest_call

    specs = episodes_of(suite, path)
    plays = executor(len(specs))
    _check_prices(specs, limits.money)
    try:
        if not (where / RESULTS).exists() and (call := largest_call(specs)):
            tell(str(call))
        with print_progress() as watch:
            swept = run_interruptibly(sweep(suite, specs, where, plays, limits, watch))
    except KeyboardInterrupt as error:
        what, number = "interrupted", code(error)
    except OSError as error:
        what, number = describe_lost_output(error)
    else:
        _tell(swept, len(specs), where)
        return swept
    say_error(f"{what}; the same command continues it")
    raise typer.Exit(number)


def apply_options(
    suite: Suite,
    planner: str | None,
    repeats: int | None,
    options: ModelOptions,
    asking: AskingOptions,
) -> Suite:
    """Return the suite with the planner, repeats and options of the command line.

    Raises InputError if a planner's option comes without `--planner`.
    """
    from cookmas.files.errors import InputError
    from cookmas.studies.bench.arms import Arm

    given = options.model_dump(exclude_defaults=True) | asking.set_options()
    given |= {
        name: said for each in asking.seats.values() for name, said in each.set_options().items()
    }
    if planner is None and given.keys() - {"base_url"}:
        raise InputError(f"--{next(iter(given)).replace('_', '-')}", "expected --planner with it")
    changes: dict[str, object] = {} if repeats is None else {"repeats": repeats}
    if planner is not None:
        asks = options.model or options.replay or options.seats
        changes |= {"seats": {}, "cross": []}
        changes["arms"] = [
            Arm(
                planner=planner,
                model=options if asks else None,
                asking=asking if asking.set_options() or asking.seats else None,
            )
        ]
    return suite.model_copy(update=changes)


def _check_prices(specs: list[EpisodeSpec], money: float | None) -> None:
    """Raise InputError if the sweep's cost is limited, but a model has no prices."""
    from cookmas.files.errors import InputError

    for spec in specs if money is not None else ():
        if any(not (part.model and part.model.prices) for part in spec.asking_parts):
            raise InputError("--sweep-money", f"expected price_in and price_out of arm {spec.arm}")


def _count_processes(jobs: int, episodes: int, *, oversubscribe: bool) -> int:
    """Return the number of processes that play, at most one for each episode.

    Raises InputError if there are more than EACH_CORE for each core and `oversubscribe` is False.
    """
    from cookmas.files.errors import InputError

    cores = os.cpu_count() or 1
    count = min(jobs or cores, episodes)
    if count > EACH_CORE * cores and not oversubscribe:
        most = f"at most {EACH_CORE * cores} processes here, {EACH_CORE} for each core"
        raise InputError("--jobs", f"expected {most}; or say --oversubscribe")
    return count


def _make_executor(count: int, at_a_time: int, cluster: str | None) -> Executor:
    from cookmas.studies.bench.executor import LocalExecutor, Processes

    if cluster:
        return _make_dask_cluster(cluster, count, at_a_time)
    return LocalExecutor(at_a_time) if count == 1 else Processes(count, at_a_time)


def _make_dask_cluster(cluster: str, count: int, at_a_time: int) -> Executor:
    from cookmas.files.errors import MissingError

    try:
        from cookmas.studies.bench.dask_cluster import DaskCluster
    except ModuleNotFoundError as error:
        raise MissingError(f"--cluster needs {error.name}; install the extra 'dask'") from None
    return DaskCluster(cluster, count, at_a_time)


def group_by_reason(unplayed: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the unplayed episodes by reason; how often a call was tried makes no other reason."""
    from cookmas.orchestrator.models.patience import drop_tries

    grouped: dict[str, list[str]] = {}
    for name, why in unplayed.items():
        grouped.setdefault(drop_tries(why), []).append(name)
    return grouped


def _tell(swept: Swept, total: int, folder: Path) -> None:
    for why, names in group_by_reason(swept.unplayed).items():
        more = f" and {len(names) - 1} more are" if names[1:] else " is"
        say_error(f"{names[0]}{more} not played: {clean(why)}")
    if swept.unplayed:
        say_error(f"{len(swept.unplayed)} of {total} are not played; the same command tries again")
    judged = [success for success in swept.finished.values() if success is not None]
    succeeded = f", {sum(judged)} succeeded" if judged or not swept.finished else ""
    tell(f"{len(swept.finished)} of {total} episodes{succeeded}: {folder}")
    if swept.finished:
        console().print(f"'cookmas report {folder}' makes tables of them", style="dim")
