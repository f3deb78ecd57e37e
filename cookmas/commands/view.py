"""The command `cookmas view`."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from cookmas.commands.options.shared import World
from cookmas.display.terminal import tell


def view(
    run: Annotated[Path, typer.Argument(help="The folder of a run, or a trace file.")],
    other: Annotated[
        Path | None, typer.Argument(help="Another run, to be shown next to it.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The HTML file. [default: in the folder of the run]"),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the page.")] = False,
    data: Annotated[
        bool, typer.Option("--data", help="Print the page's data as JSON lines.")
    ] = False,
    world: World = None,
) -> None:
    """Write a page of one run, or of two side by side, as one HTML file, and open it."""
    from cookmas.display.page.show import films, page
    from cookmas.orchestrator.runs.folder import trace_file
    from cookmas.replaying import judge_run

    runs = [judge_run(each, world) for each in ([run] if other is None else [run, other])]
    if data:
        for line in films(runs, world):
            print(line)
        return
    for judged in runs:
        if judged.unjudged:
            tell(f"{judged.path} is not judged: {judged.unjudged}")
    html = page(runs, world)
    name = "page.html" if other is None else "compared.html"
    path = out or trace_file(run).with_name(name)
    path.write_text(html, encoding="utf-8")
    tell(f"The page is {path}")
    if not no_open:
        webbrowser.open(path.resolve().as_uri())
