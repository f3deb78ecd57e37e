"""`cookmas eval`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.terminal import console, print_json

if TYPE_CHECKING:
    from evals.verdict import Verdict


def evaluate(
    traces: Annotated[list[Path], typer.Argument(help="Trace files.")],
    truth: Annotated[
        Path | None, typer.Option(help="The truth of the scenario, where it is not beside it.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One line of JSON for each trace.")] = False,
) -> None:
    """Judge traces again."""
    from cookmas.api import judge, truth_of
    from episodes.trace import read_trace
    from evals.measured import read_measurements
    from orchestrator.runs import MEASUREMENTS

    verdicts: list[Verdict] = []
    for path in traces:
        trace = read_trace(path)
        verdict = judge(trace, truth_of(trace, path, truth))
        found = read_measurements(path.with_name(MEASUREMENTS))
        verdicts.append(verdict.model_copy(update={"measured": found}))
    if json:
        for verdict in verdicts:
            print_json(verdict.model_dump(mode="json"))
    else:
        _tell(verdicts)
    raise typer.Exit(int(not all(verdict.success for verdict in verdicts)))


def _tell(verdicts: list[Verdict]) -> None:
    from evals.report import suite_report, verdict_report
    from evals.suite import aggregate

    for verdict in verdicts:
        console().print(verdict_report(verdict))
    if len(verdicts) > 1:
        console().print(suite_report(aggregate(verdicts)))
