"""The command `cookmas check`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.options.shared import World
from cookmas.display.terminal import print_json, say_error, tell

if TYPE_CHECKING:
    from cookmas.worlds.base.domain import Domain


def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Scenario, kitchen, menu, schedule or certificate files; without files, --world "
            "is checked."
        ),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Update the scenario digest in a truth file.")
    ] = False,
    world: World = None,
    solve: Annotated[
        bool, typer.Option("--solve", help="Also write the schedule that solves a scenario.")
    ] = False,
    worker: Annotated[
        str | None,
        typer.Option(help="A worker: package.module:Class or a URL. It gets --assignment."),
    ] = None,
    assignment: Annotated[str, typer.Option(help="An action that the worker knows.")] = "wait",
    json: Annotated[bool, typer.Option("--json", help="One line of JSON for each file.")] = False,
) -> None:
    """Check whether files are valid. With --world or --worker alone, check a world or a worker."""
    from cookmas.files.errors import InputError, MissingError, UnsupportedError
    from cookmas.world_names import domain_of, locate

    if fix and solve:
        raise InputError("--fix, --solve", "expected one of them at a time")
    if worker is not None:
        raise typer.Exit(int(not _check_worker(worker, assignment, json)))
    if not files:
        raise typer.Exit(int(not _check_world(world, fix or solve, json)))
    code = 0
    for path in files:
        findings: list[str] = []
        fault: str | None = None
        try:
            where, name = locate(str(path), world)
            domain = domain_of(where)
            if solve:
                _solve(str(path), world)
            findings += domain.mend(Path(name)) if fix else _check_file(domain, Path(name))
        except UnsupportedError:
            raise
        except (InputError, MissingError) as error:
            fault = str(error) if str(path) in str(error) else f"{path}: {error}"
            code = max(code, 2 if isinstance(error, MissingError) else 1)
        if json:
            print_json({"file": str(path), "findings": findings, "fault": fault})
        elif fault:
            say_error(fault)
        else:
            for finding in findings:
                tell(f"{path}: {finding}")
    raise typer.Exit(code)


def _check_world(world: str | None, other: bool, json: bool) -> bool:
    """Print the faults of a world; return True if it has none.

    Raises InputError if no world is named, or if `other` is True: options that need files were
    given.
    """
    from cookmas.commands.world_faults import find_world_faults, remarks_on
    from cookmas.files.errors import InputError

    if world is None or other:
        raise InputError("check", "expected files, or --world alone")
    faults = find_world_faults(world)
    remarks = [] if faults else remarks_on(world)
    if json:
        print_json({"world": world, "faults": faults, "remarks": remarks})
    else:
        for fault in faults:
            say_error(f"{world}: {fault}")
        for remark in remarks:
            tell(f"{world}: {remark}")
        if not faults:
            tell(f"{world}: sound, as far as random episodes show")
    return not faults


def _check_worker(spec: str, assignment: str, json: bool) -> bool:
    """Print what breaks the contract of workers; return True if nothing does."""
    import asyncio

    from cookmas.workers.contract import NAME, check_worker
    from cookmas.workers.hiring import hire, split_workers

    with hire(split_workers([f"{NAME}={spec}"]), (NAME,)) as hired:
        faults = asyncio.run(check_worker(hired[NAME], assignment))
    if json:
        print_json({"worker": spec, "faults": faults})
    else:
        for fault in faults:
            say_error(f"{spec}: {fault}")
        if not faults:
            tell(f"{spec}: keeps the contract of workers")
    return not faults


def _check_file(domain: Domain, path: Path) -> Sequence[str]:
    """Return the remarks on a file; certificates are known where the solving of worlds is."""
    from cookmas.worlds.base.solving import is_there

    if not is_there("cookmas.solving"):
        return domain.check(path)
    from cookmas.solving.certificate_check import check_file

    return check_file(domain, path)


def _solve(name: str, world: str | None) -> None:
    """Play a scenario with its world's default planner, and save the solution beside its file.

    Raises InputError if the episode does not succeed.
    """
    from cookmas.api import load_scenario, play
    from cookmas.episodes.base import overrides
    from cookmas.files.errors import InputError, UnsupportedError
    from cookmas.world_names import domain_of, locate
    from cookmas.worlds.base.domain import Domain

    domain = domain_of(locate(name, world)[0])
    if not overrides(domain, "keep", Domain):
        raise UnsupportedError("--solve", f"scenarios of {domain.name} have no schedules")
    run = play(name, world=world)
    if not run.success:
        raise InputError(
            name, f"was not solved: {run.verdict.why if run.verdict else run.unjudged}"
        )
    domain.keep(load_scenario(name, world), run.trace)
