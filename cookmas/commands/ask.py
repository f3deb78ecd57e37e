"""The commands `cookmas ask` and `cookmas questions`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cookmas.commands.bench import apply_options, play_suite
from cookmas.commands.options.fields import with_options
from cookmas.commands.options.model import with_asking_options, with_model_options
from cookmas.commands.options.own import with_limits
from cookmas.display.terminal import console, tell
from cookmas.sandbox.child import Limits
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.questions.forms import PublishedForm

if TYPE_CHECKING:
    from cookmas.orchestrator.dialogue.options import AskingOptions
    from cookmas.orchestrator.models.options import ModelOptions
    from cookmas.worlds.base.question_suite import QuestionLine

TRIALS = 3
"""How often each question is asked, as in the published evaluation."""

PLACES = (
    *("collab-capture/building", "collab-escape/building"),
    *("overcooked/cramped_room", "overcooked/asymmetric_advantages"),
    *("overcooked/coordination_ring", "overcooked/forced_coordination"),
    "overcooked/counter_circuit_o_1order",
    *("collab-overcooked/level_1/01", "collab-overcooked/level_2/01"),
    *("cuisineworld/level_2", "robotouille/two-robots/fries", "hanabi/two"),
)
"""The places about whose states a new suite asks."""


@with_asking_options
@with_model_options
@with_limits
@with_options("sweep_limits", {SweepLimits: None})
def ask(
    suite: Annotated[str, typer.Argument(help="A suite by its name, or its file (.jsonl).")],
    planner: Annotated[
        str, typer.Option("--planner", "-p", help="Answers: llm, or random, greedy, embedded.")
    ] = "llm",
    trials: Annotated[int, typer.Option(min=1, help="How often each question is asked.")] = TRIALS,
    at_a_time: Annotated[
        int, typer.Option(min=1, max=999, help="Questions that are asked at a time.")
    ] = 4,
    folder: Annotated[
        Path | None, typer.Option(help="The folder of the answers. [default: asked/SUITE]")
    ] = None,
    *,
    sweep_limits: SweepLimits,
    limits: Limits,
    options: ModelOptions,
    asking: AskingOptions,
) -> None:
    """Ask a model the questions of a suite; after an interruption the same command continues."""
    from cookmas.studies.bench.executor import LocalExecutor
    from cookmas.studies.bench.suite import Suite
    from cookmas.studies.report.rendering import on_terminal
    from cookmas.studies.report.report import report
    from cookmas.studies.report.results import read_results
    from cookmas.world_names import locate

    name = locate(suite, "questions").everywhere
    wanted = Suite(title=f"questions of {suite}", world="questions", scenarios=[name])
    wanted = apply_options(wanted, planner, trials, options, asking)
    where = folder or Path("asked") / Path(suite).stem
    allowed = replace(sweep_limits, planner=limits)
    swept = play_suite(wanted, Path(suite), where, allowed, lambda _: LocalExecutor(at_a_time))
    if swept.finished:
        console().print(on_terminal(report(read_results([where]))))
    if swept.unplayed:
        raise typer.Exit(1)


def questions(
    output: Annotated[Path, typer.Argument(help="The new suite (.jsonl).")],
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Number of questions.")] = 600,
    seed: Annotated[int, typer.Option(min=0, max=10**9, help="Seed of the questions.")] = 0,
    place: Annotated[
        list[str] | None,
        typer.Option(help="A scenario or a group to ask about; may be repeated."),
    ] = None,
    like: Annotated[
        PublishedForm | None,
        typer.Option(help="As many of each game and kind as a published set has."),
    ] = None,
    published: Annotated[
        Path | None,
        typer.Option(help="Your copy of published questions (.csv), instead of new ones."),
    ] = None,
    columns: Annotated[
        Path | None,
        typer.Option(help="Names of its columns (.yaml). [default: those of CoordinationQA]"),
    ] = None,
) -> None:
    """Draw a new suite of questions; the same seed gives the same questions.

    With --published, read published questions, and list the faults of their file.
    """
    from cookmas.files.errors import InputError
    from cookmas.studies.questions.forms import make_like
    from cookmas.studies.questions.making import make_questions
    from cookmas.studies.questions.published import read_columns, read_published
    from cookmas.worlds.base.question_suite import QUESTIONS, SUFFIX, SuiteLine, write_suite

    if output.suffix != SUFFIX:
        raise InputError("output", f"expected a file that ends in {SUFFIX}, not {output}")
    if output.exists():
        raise InputError("output", f"{output} exists already")
    head = SuiteLine(suite=output.stem, seed=seed, version=QUESTIONS)
    if columns and not published:
        raise InputError("--columns", "expected --published with it")
    if published:
        read = read_published(published, read_columns(columns))
        for fault in read.faults:
            tell(f"{published}, {fault}")
        made: Iterable[QuestionLine] = read.questions
    elif like:
        made = make_like(like, place or PLACES, seed)
    else:
        made = make_questions(place or PLACES, count, seed)
    write_suite(output, head, made)
    tell(output)
