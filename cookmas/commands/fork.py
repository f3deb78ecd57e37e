"""The command `cookmas fork`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cookmas.commands.continuing import tell_how_to_go_on, tell_imports
from cookmas.commands.options.model import with_asking_options, with_model_options
from cookmas.commands.options.shared import World
from cookmas.commands.people import has_people
from cookmas.commands.run import Json, Quiet, go_on
from cookmas.display.terminal import tell

if TYPE_CHECKING:
    from cookmas.orchestrator.dialogue.options import AskingOptions
    from cookmas.orchestrator.models.options import ModelOptions


@with_asking_options
@with_model_options
def fork(
    run: Annotated[Path, typer.Argument(help="The folder of a run.")],
    at: Annotated[
        int, typer.Option("--at", min=0, help="The first timestep that is played differently.")
    ],
    planner: Annotated[
        str | None, typer.Option("--planner", "-p", help="The planner from that timestep on.")
    ] = None,
    event: Annotated[
        list[str] | None,
        typer.Option(
            "--event",
            "-e",
            help="An event, as in a scenario's file: "
            "'{kind: add_line, order: o1, item: Garden Salad}', with 'at: 30' if not at once.",
        ),
    ] = None,
    kitchen: Annotated[
        str | None, typer.Option("--kitchen", help="Another kitchen, a name or a file.")
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(help="The folder for the fork. [default: that of the run]")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    world: World = None,
    *,
    options: ModelOptions,
    asking: AskingOptions,
) -> None:
    """Branch off from any timestep of a run, with changes.

    If the run's folder names a user-supplied world, it is imported; without --planner, so is a
    user-supplied planner. If the folder belongs to another user, --world and --planner must name
    them.
    """
    from cookmas.forking import ForkRequest, create_fork, find_imports
    from cookmas.orchestrator.runs.folder import RunFolder

    parent = RunFolder(run)
    file = parent.file
    tell_imports(run, find_imports(file, planner), (world,), file.limits.environment)
    request = ForkRequest(
        at=at,
        planner=planner,
        events=[_parse_event(text) for text in event or ()],
        kitchen=kitchen,
        model=_find_given_options(options) if planner is None else options,
        asking=asking if planner is not None or asking.set_options() or asking.seats else None,
        within=runs,
        world=world,
    )
    folder = create_fork(parent, request)
    made = RunFolder(folder)
    people = has_people(made.file)
    with tell_how_to_go_on(folder, command="play" if people else "resume"):
        if not json:
            tell(f"{folder} continues from timestep {at} of {run}")
        if people:
            tell(f"People play in it: 'cookmas play {folder}' continues it")
    if not people:
        go_on(made, json=json, quiet=quiet)


def _find_given_options(options: ModelOptions) -> ModelOptions | None:
    """Return the model's options; None if the user gave none.

    An endpoint that comes from the environment does not count as given.
    """
    said = options.model_dump(exclude_defaults=True)
    if said.get("base_url") == os.environ.get("OPENAI_BASE_URL"):
        said.pop("base_url", None)
    return options if said else None


def _parse_event(text: str) -> Any:
    """Return an event in the format of a scenario's file. Raises InputError."""
    from cookmas.files.yaml_text import parse_yaml

    return parse_yaml(text, "--event")
