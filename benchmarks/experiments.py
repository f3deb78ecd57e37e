"""Play the suites of the docs' experiments and fill their pages.

    python -m benchmarks.experiments [NAME ...]

Each experiment is a suite that comes with CookMAS. The command plays the suite into `sweeps/NAME`,
and writes the tables and plots of the suite's report into a page of `docs/experiments`. Finished
episodes are not played again.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.page import DOCS, fill
from cookmas.studies.bench.executor import Processes
from cookmas.studies.bench.limits import SweepLimits
from cookmas.studies.bench.suite import episodes_of, load_suite
from cookmas.studies.bench.sweep import print_progress, sweep
from cookmas.studies.report.rendering import markdown_table
from cookmas.studies.report.report import report
from cookmas.studies.report.results import read_results
from cookmas.studies.report.tables import Link, Table

PAGES = DOCS / "experiments"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTable:
    """The parts of a report that a page shows.

    `columns` are the columns of the main table, `plot` is the plotted column. `tables` are the
    titles of further tables.
    """

    columns: Sequence[str]
    plot: str = "success"
    tables: Sequence[str] = ()


EXPERIMENTS: Mapping[str, ShownTable] = {
    "restaurant": ShownTable(
        columns=("success", "dishes", "gap", "progress_completeness", "fails"),
        tables=("Differences in success",),
    ),
    "dispatching": ShownTable(columns=("success", "dishes", "makespan", "gap"), plot="gap"),
    "disruptions": ShownTable(
        columns=(
            "success",
            "disruption_cost",
            "replan_regret",
            "own_yardstick",
            "price_of_not_knowing",
            "disruption_recovery",
            "nervousness",
            "edit_radius",
            "preserved_work",
            "unchanged_replan",
        ),
        plot="replan_regret",
    ),
    "reading": ShownTable(columns=("success", "dishes", "customizations", "gap")),
    "workers": ShownTable(columns=("success", "makespan", "gap"), plot="makespan"),
    "order-interval": ShownTable(
        columns=("completed_of_closed", "completed", "failed"),
        plot="completed_of_closed",
        tables=("CoS",),
    ),
    "errors": ShownTable(columns=("success", "fails", "recovered", "tokens"), plot="fails"),
    "unheard": ShownTable(columns=("success", "customizations", "tokens"), tables=("Mistakes",)),
    "prompting": ShownTable(columns=("success", "fails", "model_calls", "tokens"), plot="fails"),
    "kinds": ShownTable(
        columns=("success", "comprehension", "mind", "planning", "by_pattern", "chance"),
        tables=("Correlation over models",),
    ),
    "probes": ShownTable(columns=("success", "fails"), tables=("Mistakes",)),
}
"""The experiments by the names of their suites and pages."""


def play_missing(name: str) -> Path:
    """Play the episodes of a suite that are missing; return the folder of the sweep.

    Raises SystemExit if some cannot be played.
    """
    suite, path = load_suite(name)
    folder = Path("sweeps") / name
    processes = Processes(os.cpu_count() or 1)
    specs = episodes_of(suite, path)
    with print_progress() as watch:
        swept = asyncio.run(sweep(suite, specs, folder, processes, SweepLimits(), watch))
    if swept.unplayed:
        raise SystemExit(f"{name}: not all episodes could be played: {swept.unplayed}")
    return folder


def write(name: str, shown: ShownTable, folder: Path) -> None:
    """Write the report of the sweep in `folder` into its page, and its plots beside the page."""
    arms = read_results([folder])
    measures = report(arms, plot=shown.plot, only=shown.columns)
    whole = report(arms, plot=shown.plot) if shown.tables else []
    parts: list[str] = []
    for number, section in enumerate(measures, start=1):
        parts += [f"### {section.title}", *section.notes]
        for plot in section.plots:
            file = PAGES / f"{name}{f'-{number}' if len(measures) > 1 else ''}.svg"
            file.write_text(plot.svg, encoding="utf-8")
            parts.append(f"![{plot.title}]({file.name})")
        tables = [*section.tables]
        for other in whole:
            if other.title == section.title:
                tables += [each for each in other.tables if each.title in shown.tables]
        for each in tables:
            parts += [markdown_table(_render_plain(each), Path()), each.about]
    fill(PAGES / f"{name}.md", "results", "\n\n".join(parts))


def _render_plain(table: Table) -> Table:
    """Return a table for the docs, without links to traces and without rows of single groups."""
    grouped = "group" in table.columns
    rows = [
        [cell.text if isinstance(cell, Link) else cell for cell in row]
        for row in table.rows
        if not grouped or row[1] == "all"
    ]
    return replace(table, rows=rows)


def main() -> None:
    for name in sys.argv[1:] or EXPERIMENTS:
        write(name, EXPERIMENTS[name], play_missing(name))


if __name__ == "__main__":
    main()
