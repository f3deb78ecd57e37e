"""The commands `cookmas run` and `cookmas resume`."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.continuing import (
    check_own_code,
    continue_and_watch,
    continue_run,
    describe_lost_output,
)
from cookmas.commands.options.fields import OPEN_EPISODE
from cookmas.commands.options.model import with_asking_options, with_model_options
from cookmas.commands.options.open_episode import OpenEpisodeOptions, with_open_episode
from cookmas.commands.options.own import Evaluators, NamedPlanner, NamedWorkers, with_limits
from cookmas.commands.options.shared import (
    Runs,
    Strict,
    World,
    make_strict,
    split_arguments,
    with_run_options,
)
from cookmas.commands.serve import play_open
from cookmas.commands.verdicts import (
    describe_reason,
    exit_code,
    outcome,
    tell_doubts,
    tell_how_to_look,
    tell_run,
    tell_suite,
)
from cookmas.display.terminal import (
    console,
    on_terminal,
    print_json,
    say_error,
    tell,
    words,
)
from cookmas.sandbox.child import Limits

if TYPE_CHECKING:
    from cookmas.api import Run
    from cookmas.orchestrator.dialogue.options import AskingOptions
    from cookmas.orchestrator.models.options import ModelOptions
    from cookmas.orchestrator.runs.folder import RunFolder
    from cookmas.user_processes import UserProcesses

Json = Annotated[bool, typer.Option("--json", help="One line of JSON for each episode.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only doubts and the verdict.")]


@with_run_options
@with_open_episode
@with_asking_options
@with_model_options
@with_limits
def run(
    scenarios: Annotated[
        list[str],
        typer.Argument(
            help="Names (level3/07, cuisineworld/level_3), files or groups (level1, 1); the "
            "world's own options may follow."
        ),
    ],
    planner: Annotated[
        str,
        typer.Option(
            "--planner",
            "-p",
            help="One of the world's (embedded, embedded-strict, optimal, naive, random, llm, "
            "hybrid, first-come, shortest-first, most-work, most-urgent), "
            "oracle, package.module:Class or a schedule file.",
        ),
    ] = "embedded",
    strict: Strict = False,
    runs: Runs = Path("runs"),
    json: Json = False,
    quiet: Quiet = False,
    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="Also take orders from other terminals, until closed.",
            rich_help_panel=OPEN_EPISODE,
        ),
    ] = False,
    evaluator: Evaluators = None,
    *,
    given: dict[str, Any],
    limits: Limits,
    options: ModelOptions,
    asking: AskingOptions,
    opened: OpenEpisodeOptions,
) -> None:
    """Play scenarios and judge them."""
    from cookmas.api import create, load_scenario
    from cookmas.files.errors import InputError
    from cookmas.orchestrator.runs.folder import TRACE, RunFolder
    from cookmas.orchestrator.runs.request import RunRequest
    from cookmas.user_processes import UserProcesses

    planner = make_strict(planner, strict=strict)
    world = given["world"]
    named, settings = split_arguments(scenarios)
    chosen = _expand(named, world)
    for name in chosen:
        load_scenario(name, world, settings)
    one = len(chosen) == 1
    requests = [
        RunRequest(
            **given,
            scenario=name,
            settings=settings,
            planner=planner,
            model=options,
            asking=asking,
            limits=limits,
        )
        for name in chosen
    ]
    if live:
        if not one:
            raise InputError("--live", "expected one scenario")
        request = requests[0].model_copy(update=opened.fields)
        raise typer.Exit(play_open(create(runs, request, new=True)))
    opened.refuse_unless_live()
    done: list[Run] = []
    with UserProcesses(limits) as processes:
        processes.check_evaluators(evaluator or ())
        for number, request in enumerate(requests, start=1):
            folder = create(runs, request, processes, new=True)
            left = len(requests) - number
            shown = not (json or quiet) and (one or on_terminal())
            run = continue_run(
                _start(RunFolder(folder), processes, shown=shown, stays=one), folder, left
            )
            if run.verdict and evaluator:
                verdict = processes.judge(run.verdict, evaluator, folder / TRACE, world=world)
                run = replace(run, verdict=verdict)
            done.append(run)
            try:
                _tell(run, world, json=json, short=not one, watched=shown and one)
            except OSError as error:
                if not left:
                    raise
                what, number = describe_lost_output(error)
                say_error(f"{what}; scenarios that were not begun: {left}")
                raise typer.Exit(number) from None
    if not one and not json:
        tell_suite([run.verdict for run in done if run.verdict], world)
        if last := done[-1].folder:
            tell_how_to_look(last, world)
    raise typer.Exit(exit_code(done))


def resume(
    folder: Annotated[Path, typer.Argument(help="The folder of a run.")],
    json: Json = False,
    quiet: Quiet = False,
    planner: NamedPlanner = None,
    world: World = None,
    worker: NamedWorkers = None,
) -> None:
    """Continue a run that was killed, and judge it.

    A user-supplied planner, world and workers that the folder names are imported. If the folder
    belongs to another user, --planner, --world and --worker must name them.
    """
    from cookmas.orchestrator.runs.folder import RunFolder

    run = RunFolder(folder)
    check_own_code(run, planner, world, worker or ())
    go_on(run, json=json, quiet=quiet)


def go_on(run: RunFolder, *, json: bool, quiet: bool) -> None:
    """Continue the run in a folder and print its verdict; raise Exit with the exit code."""
    if run.over and not json:
        tell(f"{run.path}: this run is over; here is its verdict.")
        quiet = True
    shown = not (json or quiet)
    done = continue_run(_start(run, shown=shown), run.path)
    _tell(done, run.file.world, json=json, short=False, watched=shown)
    raise typer.Exit(exit_code([done]))


def _expand(names: Sequence[str], world: str | None) -> list[str]:
    from cookmas.world_names import locate_all

    places = [place for name in names for place in locate_all(name, world)]
    return [place.name if world else place.spelled for place in places]


def _start(
    run: RunFolder, processes: UserProcesses | None = None, *, shown: bool, stays: bool = True
) -> Coroutine[Any, Any, Run]:
    from cookmas.api import aresume

    return (
        continue_and_watch(run, processes, stays=stays) if shown else aresume(run, None, processes)
    )


def _tell(run: Run, world: str | None, *, json: bool, short: bool, watched: bool) -> None:
    if json:
        print_json(_as_data(run))
        return
    if short:
        header = run.trace.header
        line = words(f"{header.scenario_name:12}") + outcome(run) + words(describe_reason(run))
        line += words(f"  {run.folder}", style="dim")
        console().print(line, soft_wrap=not on_terminal())
    if not watched:
        tell_doubts(run)
    if not short:
        tell_run(run, world)


def _as_data(run: Run) -> dict[str, Any]:
    from cookmas.display.watch.story import doubts_of

    return {
        "scenario": run.trace.header.scenario_name,
        "folder": str(run.folder),
        "verdict": run.verdict.model_dump(mode="json") if run.verdict else None,
        "unjudged": run.unjudged,
        "doubts": doubts_of(run.trace),
    }
