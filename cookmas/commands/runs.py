"""The command `cookmas runs`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.options.shared import Json
from cookmas.display.terminal import console, on_terminal, print_json, tell, words

if TYPE_CHECKING:
    from cookmas.commands.kept_runs import KeptRun, RunOutcome

LATEST = 20
"""Maximum number of runs that are listed without `--all`: each listed run is judged, which takes
time.
"""

_AGE = re.compile(r"([0-9]+)\s*(min|h|d|w)")
_UNITS = {"min": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def runs(
    names: Annotated[list[str] | None, typer.Argument(help="Names of runs. [default: all]")] = None,
    older_than: Annotated[
        str | None,
        typer.Option(help="Only runs that have not changed for a time such as 12h or 7d."),
    ] = None,
    all_of_them: Annotated[
        bool, typer.Option("--all", help=f"List all runs, not only the latest {LATEST}.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the chosen runs.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove without asking.")] = False,
    folder: Annotated[Path, typer.Option("--runs", help="The folder of the runs.")] = Path("runs"),
    json: Json = False,
) -> None:
    """List past runs, the latest first, or remove some."""
    from cookmas.commands.kept_runs import find_run, list_runs, outcome

    named = (find_run(name, folder) for name in names or ())
    chosen = list({run.folder.absolute(): run for run in named}.values())
    if not names:
        chosen = list_runs(folder)
    if older_than is not None:
        before = datetime.now().astimezone() - _parse_age(older_than)
        chosen = [run for run in chosen if run.changed < before]
    if remove:
        _remove(chosen, folder, named=bool(names or older_than), yes=yes)
        return
    left = 0 if all_of_them or names else max(0, len(chosen) - LATEST)
    shown = [(run, outcome(run)) for run in chosen[: len(chosen) - left]]
    if json:
        print_json([_as_data(run, came) for run, came in shown])
        return
    if not shown:
        tell(f"{folder}: no such runs are kept here")
        return
    _list(shown)
    if left:
        tell(f"and {left} older ones; --all lists them too", style="dim")


def _parse_age(text: str) -> timedelta:
    from cookmas.files.errors import InputError

    age = _AGE.fullmatch(text.strip())
    if not age:
        raise InputError("--older-than", f"expected a time such as 30min, 12h or 7d, not {text!r}")
    try:
        return timedelta(**{_UNITS[age[2]]: int(age[1])})
    except OverflowError:
        raise InputError("--older-than", f"{text} is too long") from None


def _list(shown: list[tuple[KeptRun, RunOutcome]]) -> None:
    from rich.filesize import decimal
    from rich.text import Text

    from cookmas.evals.columns import OPTIMALITY_RATE
    from cookmas.evals.report import table

    styles = {True: "green", False: "red", None: "yellow"}
    listed = table("", "run", "verdict", OPTIMALITY_RATE.title, "changed", "size")
    for run, came in shown:
        about = [f"{came.scenario} by {came.planner}"] if came.scenario else []
        if parent := run.parent:
            about.append(f"fork of {parent.run} at {parent.timestep}")
        name = [words(run.folder.name, style="bold"), *(words(each, style="dim") for each in about)]
        verdict = words(came.word, style=styles[came.success])
        rate = "" if came.optimality is None else f"{came.optimality:.{OPTIMALITY_RATE.digits}f}"
        changed = _format_time(run.changed)
        listed.add_row(Text("\n").join(name), verdict, rate, changed, decimal(run.size))
    console().print(listed)


def _format_time(changed: datetime) -> str:
    this_year = changed.year == datetime.now().year
    return f"{changed:%b %d %H:%M}" if this_year else f"{changed:%Y-%m-%d}"


def _as_data(run: KeptRun, came: RunOutcome) -> dict[str, Any]:
    return {
        "folder": str(run.folder),
        "scenario": came.scenario,
        "planner": came.planner,
        "outcome": came.word,
        "success": came.success,
        "why": came.why,
        "optimality": came.optimality,
        "parent": run.parent.model_dump(mode="json") if run.parent else None,
        "changed": run.changed.isoformat(timespec="seconds"),
        "bytes": run.size,
    }


def _remove(chosen: list[KeptRun], within: Path, *, named: bool, yes: bool) -> None:
    from rich.filesize import decimal

    from cookmas.commands.kept_runs import check_removal, remove
    from cookmas.files.errors import InputError

    if not named:
        raise InputError("--remove", "say which: names, or --older-than")
    if not chosen:
        tell("There is nothing to remove.")
        return
    check_removal(chosen, within)
    size = decimal(sum(run.size for run in chosen))
    what = f"{len(chosen)} runs, {size}: {', '.join(run.folder.name for run in chosen)}"
    if not yes:
        if not on_terminal():
            raise InputError(
                "--remove", f"would remove {what}; this is no terminal: confirm with --yes"
            )
        tell(f"This removes {what}")
        if not typer.confirm("Remove them?"):
            tell("Nothing is removed.")
            raise typer.Exit(1)
    for run in chosen:
        remove(run)
    tell(f"Removed {what}")
