"""The command `cookmas graph`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def graph(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file for the drawing. [default: the terminal]"),
    ] = None,
) -> None:
    """Draw the orchestrator's graph in Mermaid."""
    from files.writing import write_text
    from orchestrator.graph.graph import build_graph

    drawing = build_graph().get_graph().draw_mermaid()
    if output is None:
        print(drawing, end="")
    else:
        write_text(output, drawing)
