"""Printing of runs and verdicts on the terminal. Each world defines the form of its verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from cookmas.display.terminal import console, program, tell, words
from cookmas.files.lines import clean

if TYPE_CHECKING:
    from cookmas.api import Run
    from cookmas.evals.verdict import Verdict


def tell_verdict(verdict: Verdict, world: str | None = None) -> None:
    """Print one verdict. `world` names a user-supplied world."""
    from cookmas.evals.report import verdict_report
    from cookmas.world_names import domain_of

    domain = domain_of(world or verdict.world)
    console().print(verdict_report(verdict, domain.judging.measures, domain.details))


def tell_suite(verdicts: Sequence[Verdict], world: str | None = None) -> None:
    """Print many verdicts in tables, one set of tables for each world."""
    from cookmas.evals.report import suite_report
    from cookmas.evals.suite import aggregate
    from cookmas.world_names import domain_of

    for name in dict.fromkeys(verdict.world for verdict in verdicts):
        columns = domain_of(world or name).judging.columns
        tables = aggregate([v for v in verdicts if v.world == name], columns)
        console().print(suite_report(tables, columns))


def exit_code(done: Sequence[Run]) -> int:
    """Return 0 if every episode went well, otherwise 1.

    An episode that cannot be judged went well if it finished.
    """
    return int(not all(_is_success(run) for run in done))


def _is_success(run: Run) -> bool:
    end = run.trace.end
    if run.verdict is None:
        return end is not None and end.termination in ("finished", "closed")
    return run.verdict.went_well


def tell_run(run: Run, world: str | None = None) -> None:
    """Print a run's verdict and the path of its trace.

    `world` names a user-supplied world, by default that of the run's folder.
    """
    world = world or _find_own_world(run)
    console().print()
    if run.verdict:
        tell_verdict(run.verdict, world)
    else:
        tell(outcome(run).plain, describe_reason(run))
    if run.folder:
        tell(f"The trace is {run.folder / 'trace.jsonl'}", style="dim")
        if run.trace.interrupted:
            tell(f"'{program()} resume {run.folder}' goes on from before the failed call")
        tell_how_to_look(run.folder, world)


def _find_own_world(run: Run) -> str | None:
    """Return the user-supplied world that the folder of a run names; None if there is none."""
    from cookmas.orchestrator.runs.folder import read_run
    from cookmas.world_names import WORLDS

    spec = read_run(run.folder).world if run.folder else None
    return None if spec in WORLDS else spec


def tell_doubts(run: Run) -> None:
    """Print the doubts that the planner told in a run."""
    from cookmas.display.watch.story import doubts_of, in_words

    for doubt in doubts_of(run.trace):
        tell(f"  {in_words(doubt)}", style="yellow")


def tell_how_to_look(folder: Path, world: str | None = None) -> None:
    """Print the command that opens the page of a run. `world` names a user-supplied world."""
    said = f" --world {world}" if world else ""
    tell(f"Look at it: {program()} view {folder}{said}")


def outcome(run: Run) -> Text:
    """Return the outcome of a run's verdict with its score, coloured and padded to a column."""
    from cookmas.evals.verdict import OUTCOMES

    styles = {True: "green", False: "red", None: "yellow"}
    said = run.verdict.outcome if run.verdict else OUTCOMES[None]
    return words(f"{said:8}  ", style=styles[run.success])


def describe_reason(run: Run) -> str:
    """Return the reason for a run's outcome."""
    return clean(run.verdict.why if run.verdict else run.unjudged)
