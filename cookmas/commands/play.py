"""The command `cookmas play`, in which a person takes part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.continuing import check_own_code, continue_run, tell_how_to_go_on
from cookmas.commands.options.model import with_asking_options, with_model_options
from cookmas.commands.options.open_episode import seconds
from cookmas.commands.options.shared import DrawSeed, Runs, World, split_arguments
from cookmas.commands.people import NoOpen, play_at
from cookmas.commands.verdicts import tell_run
from cookmas.display.terminal import tell
from cookmas.orchestrator.options import ORCHESTRATOR, SUPERVISOR

if TYPE_CHECKING:
    from cookmas.episodes import base
    from cookmas.orchestrator.dialogue.options import AskingOptions
    from cookmas.orchestrator.models.options import ModelOptions

MOST_CALLS = 10_000
"""Maximum number of calls of a person in a row without progress. The number is high, because the
person decides when to stop.
"""


@with_asking_options
@with_model_options
def play(
    scenario: Annotated[
        list[str],
        typer.Argument(
            help="A name (level1/03, cuisineworld/level_3) or a file; or the folder of a run to "
            "continue. The world's own options may follow."
        ),
    ],
    places: Annotated[
        list[str] | None,
        typer.Option(
            "--as",
            help="The place to take: orchestrator, who writes the schedule; supervisor, who "
            "instructs the orchestrator; or a worker, such as worker_1 or agent0. Repeat it for "
            "each further person.",
        ),
    ] = None,
    draft: Annotated[
        bool,
        typer.Option("--draft", help="The orchestrator starts from the schedule of embedded."),
    ] = False,
    planner: Annotated[
        str | None,
        typer.Option(
            "--planner",
            "-p",
            help="The planner that suggests actions to people who play workers. [default: "
            "embedded] agent1=greedy plans for one seat; a person whose seat is not named gets no "
            "suggestions.",
        ),
    ] = None,
    suggestions: Annotated[
        bool | None,
        typer.Option(
            "--suggestions/--no-suggestions",
            help="Whether people who play workers see their planned actions. [default: yes, "
            "unless only they need a call of a model]",
        ),
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option("--limit", help="Time for each answer, such as 90s. [default: none]"),
    ] = None,
    consent: Annotated[
        str | None,
        typer.Option(help="A line or a text file that each person must agree to first."),
    ] = None,
    questionnaire: Annotated[
        Path | None, typer.Option(help="A file with questions that are asked at the end.")
    ] = None,
    page: Annotated[bool, typer.Option("--page", help="Play on a page in the browser.")] = False,
    host: Annotated[
        str,
        typer.Option(help="The page's address; any other than the loopback needs a token."),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="The first page's port; further pages follow. 0: any free port.")
    ] = 8088,
    no_open: NoOpen = False,
    runs: Runs = Path("runs"),
    world: World = None,
    seed: DrawSeed = None,
    *,
    options: ModelOptions,
    asking: AskingOptions,
) -> None:
    """Take part yourself: write the schedule or play a worker. Every episode can be replayed."""
    from cookmas.api import create, load_scenario
    from cookmas.files.errors import InputError
    from cookmas.orchestrator.planners.seats import DraftingPersonPlanner, PersonPlanner
    from cookmas.orchestrator.runs.folder import RUN, RunFolder
    from cookmas.orchestrator.runs.request import RunRequest
    from cookmas.people.playing import load_drafter
    from cookmas.people.working.study import create_study, study_of
    from cookmas.world_names import locate

    named, settings = split_arguments(scenario)
    if len(named) != 1:
        raise InputError("play", "expected one scenario, or the folder of one run")
    folder, begun = Path(named[0]), (Path(named[0]) / RUN).exists()
    if begun:
        other = (places, draft, limit, consent, questionnaire)
        if any(other) or suggestions is not None or seed is not None:
            raise InputError(str(folder), "continues with its own options: leave the others out")
        run = RunFolder(folder)
        check_own_code(run, planner, world)
    else:
        time = None if limit is None else _parse_limit(limit)
        study = study_of(consent, questionnaire)
        taken = tuple(dict.fromkeys(places or (ORCHESTRATOR,)))
        people = tuple(each for each in taken if each not in (ORCHESTRATOR, SUPERVISOR))
        request = RunRequest(
            world=world,
            scenario=named[0],
            settings=settings,
            seed=seed,
            people=people,
            suggestions=suggestions,
            supervisor=SUPERVISOR in taken,
            limit=time,
        )
        if people:
            _check(people, load_scenario(named[0], world, settings).world().workers)
        else:
            _refuse({"--suggestions": suggestions})
        if SUPERVISOR in taken:
            _check_supervisor(load_scenario(named[0], world, settings).world())
        if taken == (SUPERVISOR,):
            _refuse({"--page": page or None})
        if ORCHESTRATOR in taken:
            _refuse({"--planner": planner})
            loaded = load_scenario(named[0], world, settings)
            _check_orchestrator(loaded.world())
            if draft:
                load_drafter(loaded, locate(named[0], world)[0])
            person = DraftingPersonPlanner if draft else PersonPlanner
            by: dict[str, Any] = {"planner": person.name, "max_stalled": MOST_CALLS}
        else:
            _refuse({"--draft": draft or None})
            if planner is None and SUPERVISOR in taken:
                raise InputError(
                    "--planner", "a supervisor needs a planner that reads, such as llm"
                )
            usual = planner or _choose_planner(named[0], world, settings, people)
            by = {"planner": usual, "model": options, "asking": asking}
        folder = create(runs, request.model_copy(update=by), new=True)
        if study:
            create_study(folder, study)
        with tell_how_to_go_on(folder, command="play"):
            tell(f"The run is {folder}", style="dim")
        run = RunFolder(folder)
    going = play_at(run, (host, port) if page else None, no_open=no_open)
    done = continue_run(going, folder, command="play")
    tell_run(done, world)
    raise typer.Exit(int(not (done.verdict and done.verdict.went_well)))


def _refuse(said: dict[str, object]) -> None:
    """Raise InputError if an option is given that does not fit the chosen place.

    `said` has the values of such options by flag; None if an option is not given.
    """
    from cookmas.files.errors import InputError

    for flag, value in said.items():
        if value is not None:
            raise InputError(flag, "is not for the place that is taken; see --as")


def _choose_planner(
    name: str, world: str | None, settings: Mapping[str, str], people: Sequence[str]
) -> str:
    """Return the default planner: `embedded`, or a line-up of people if the world has no central
    planner or no planner of that name.
    """
    from cookmas.api import load_scenario
    from cookmas.orchestrator.planners.naming import text_of
    from cookmas.orchestrator.planners.seats import PERSON
    from cookmas.world_names import domain_of, locate

    spec, _ = locate(name, world)
    central = load_scenario(name, world, settings).world().central
    if central and "embedded" in domain_of(spec).planners:
        return "embedded"
    return text_of(dict.fromkeys(people, PERSON))


def _check_orchestrator(world: base.World) -> None:
    """Raise InputError if the world has no central planner or its schedules cannot be simulated."""
    from cookmas.episodes.possible import is_simulable
    from cookmas.files.errors import InputError

    why = ""
    if not world.central:
        why = "has no central planner"
    elif not is_simulable(world):
        why = "does not say how a schedule can be tried out"
    if why:
        seats = " or ".join(f"--as {worker}" for worker in world.workers)
        raise InputError("--as orchestrator", f"{world.name} {why}; take a seat: {seats}")


def _check_supervisor(world: base.World) -> None:
    """Raise InputError if no planner may see all that a supervisor sees and could pass on."""
    from cookmas.files.errors import InputError

    if not world.central:
        why = f"{world.name} has no central planner, and so nobody to instruct"
        raise InputError("--as supervisor", why)


def _check(places: Sequence[str], workers: Sequence[str]) -> None:
    from cookmas.files.errors import InputError

    if not set(places) <= set(workers):
        expected = f"{ORCHESTRATOR}, {SUPERVISOR}, or some of {', '.join(workers)}"
        raise InputError("--as", f"expected {expected}")


def _parse_limit(said: str) -> float:
    from cookmas.files.errors import InputError

    if not (found := seconds("--limit", said)):
        raise InputError("--limit", f"expected a time such as 90s or 2min, not {said!r}")
    return found
