"""The commands `cookmas report` and `cookmas rescore`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from cookmas.display.terminal import console, tell

Results = Annotated[list[Path], typer.Argument(help="Folders of sweeps, or their results.jsonl.")]


def report(
    results: Results,
    compare: Annotated[
        list[str] | None,
        typer.Option(help="One of two planners to compare, also across classes; give it twice."),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(help="Only this figure, by its name in the CSV; may be repeated."),
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Write the tables here.", dir_okay=False)
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write every figure here.", dir_okay=False)
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write tables and plots here.", dir_okay=False)
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Write the first plot here.", dir_okay=False)
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            help="The figure to plot, by its name in the CSV. [default: success, or the score in "
            "a world without success]"
        ),
    ] = None,
) -> None:
    """Make tables, statistics and plots of sweeps; print them unless a file is named."""
    from cookmas.files.errors import InputError
    from cookmas.studies.report.rendering import as_csv, as_html, as_markdown, on_terminal
    from cookmas.studies.report.report import report as made
    from cookmas.studies.report.results import columns_of, read_results

    if compare and len(compare) != 2:
        raise InputError("--compare", "expected twice, with one planner each")
    arms = read_results(results)
    names = {each.name for arm in arms for each in columns_of(arm.world)}
    for name in (*([plot] if plot else ()), *(column or ())):
        if name not in names:
            raise InputError("figure", f"there is no {name!r}; expected one of {sorted(names)}")
    sections = made(arms, compare or (), plot, column or ())
    drawn = [plot.svg for section in sections for plot in section.plots]
    pages: list[tuple[Path | None, str, Callable[[Path], str]]] = [
        (markdown, "utf-8", lambda folder: as_markdown(sections, folder)),
        (csv, "utf-8-sig", lambda folder: as_csv(arms, compare or ())),
        (html, "utf-8", lambda folder: as_html(sections, ", ".join(map(str, results)), folder)),
        (svg, "utf-8", lambda folder: drawn[0]),
    ]
    for path, encoding, page in pages:
        if path is not None:
            path.write_text(page(path.parent), encoding=encoding)
            tell(path)
    if not any(path for path, _, _ in pages):
        console().print(on_terminal(sections))


def rescore(
    folders: Annotated[list[Path], typer.Argument(help="Folders of sweeps.")],
) -> None:
    """Judge the stored traces of sweeps again, after an evaluator has changed."""
    from cookmas.studies.bench.rescoring import rescore as rescored

    for folder in folders:
        changed, total = rescored(folder)
        tell(f"{folder}: {changed} of {total} verdicts have changed")
