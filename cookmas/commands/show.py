"""The commands `cookmas show`, for parts of a world as a planner sees them, and `cookmas graph`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.options.shared import Json, World, split_arguments
from cookmas.display.terminal import console, print_json


def show(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="A world; a scenario; 'kitchen NAME', 'recipe ITEM...', 'actions'; or nothing."
        ),
    ] = None,
    world: World = None,
    json: Json = False,
) -> None:
    """Show a scenario with its texts, or another part of a world.

    Without an argument, show the parts of the restaurant.
    """
    from cookmas.world_names import USUAL, domain_of, is_whole, locate

    asked, settings = split_arguments(what or [])
    spec = world
    if asked:
        spec, *named = (asked[0],) if is_whole(asked[0], world) else locate(asked[0], world)
        asked = [*named, *asked[1:]]
    shown = domain_of(spec or USUAL).show(asked, settings)
    if json:
        print_json(shown.data)
    else:
        console().print(shown.picture)


def graph(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file for the drawing. [default: the terminal]"),
    ] = None,
) -> None:
    """Draw the orchestrator's graph in Mermaid."""
    from cookmas.files.writing import write_text
    from cookmas.orchestrator.graph.graph import build_graph

    drawing = build_graph().get_graph().draw_mermaid()
    if output is None:
        print(drawing, end="")
    else:
        write_text(output, drawing)
