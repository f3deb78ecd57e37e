"""The command `cookmas eval`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.options.own import Evaluators, PassEnv
from cookmas.commands.options.shared import World
from cookmas.commands.verdicts import tell_suite, tell_verdict
from cookmas.display.terminal import print_json, say_error

if TYPE_CHECKING:
    from cookmas.evals.verdict import Verdict


def evaluate(
    traces: Annotated[list[Path], typer.Argument(help="Folders of runs, or trace files.")],
    truth: Annotated[
        Path | None, typer.Option(help="The truth of the scenario, if not in its folder.")
    ] = None,
    world: World = None,
    evaluator: Evaluators = None,
    pass_env: PassEnv = None,
    json: Annotated[bool, typer.Option("--json", help="One line of JSON for each trace.")] = False,
) -> None:
    """Judge traces again."""
    from cookmas.episodes.trace_file import read_trace
    from cookmas.evals.verdict import Measurements
    from cookmas.orchestrator.runs.folder import MEASUREMENTS, trace_file
    from cookmas.replaying import judge, truth_of
    from cookmas.sandbox.child import Limits
    from cookmas.user_processes import UserProcesses

    verdicts: list[Verdict] = []
    with UserProcesses(Limits(environment=tuple(pass_env or ()))) as processes:
        processes.check_evaluators(evaluator or ())
        for path in map(trace_file, traces):
            trace = read_trace(path)
            verdict = judge(trace, truth_of(trace, path, truth, world), world)
            if (then := trace.header.judges) not in (None, verdict.judges):
                played = f"{path}: was played with evaluators of version {then}"
                say_error(f"{played}; these have version {verdict.judges}")
            if evaluator:
                verdict = processes.judge(verdict, evaluator, path, truth, world)
            found = Measurements.read(path.with_name(MEASUREMENTS))
            verdicts.append(verdict.model_copy(update={"measured": found}))
    if json:
        for verdict in verdicts:
            print_json(verdict.model_dump(mode="json"))
    else:
        for verdict in verdicts:
            tell_verdict(verdict, world)
        if len(verdicts) > 1:
            tell_suite(verdicts, world)
    raise typer.Exit(int(not all(verdict.went_well for verdict in verdicts)))
