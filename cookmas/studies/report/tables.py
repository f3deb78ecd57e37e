"""The tables of a report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cookmas.evals.columns import SUCCESS, Column
from cookmas.evals.statistics import Estimate, noise_floor
from cookmas.evals.suite import choose_columns
from cookmas.studies.report.estimates import ArmFigure, Pair, cases_of, comparisons, figures, passes
from cookmas.studies.report.results import ArmResults, Progress

ACROSS = 4
"""Maximum number of columns of the report in one table."""

FEW = 5
"""The largest k up to which pass^k is shown for every k.

Above it, pass^k is shown only for powers of two and for the number of repeats.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A text that links to a file."""

    text: str
    """The text."""
    path: Path
    """The file."""

    def __str__(self) -> str:
        return f"{self.text} ({self.path})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of texts."""

    title: str
    """Title of the table."""
    columns: Sequence[str]
    """Headings of the columns."""
    rows: Sequence[Sequence[str | Link]]
    """Cells by row."""
    about: str = ""
    """Explanation of the table, in sentences."""


def measures(arms: Sequence[ArmResults], columns: Sequence[Column]) -> Iterator[Table]:
    """Yield tables of the figures of arms of one class, with a row for each arm and group.

    The columns are spread over several tables, `ACROSS` in each.
    """
    found = [figure for arm in arms for figure in figures(arm, columns)]
    scored = {figure.column.name for figure in found if figure.estimate}
    shown = choose_columns(columns, lambda column: column.name in scored)
    for begin in range(0, len(shown), ACROSS):
        part = shown[begin : begin + ACROSS]
        rows: dict[tuple[str, str | None], list[str]] = {}
        for figure in found:
            if figure.column in part:
                begin_with = [figure.arm.label, figure.group or "all", str(figure.episodes)]
                row = rows.setdefault((figure.arm.label, figure.group), begin_with)
                row.append(format_figure(figure))
        titles = [column.title for column in part]
        yield Table(
            title=_title(titles),
            columns=["planner", "group", "episodes", *titles],
            rows=list(rows.values()),
        )


def repeat_tables(arms: Sequence[ArmResults], primary: Column) -> Iterator[Table]:
    """Yield the tables of pass^k and of the noise of a single run; none without repeats."""
    if max(arm.repeats for arm in arms) < 2:
        return
    if any(found for arm in arms for found in passes(arm)):
        yield _passes(arms)
    if not primary.share:
        rows = [[arm.label, _noise(arm, primary)] for arm in arms]
        yield Table(
            title=f"Noise of a single run in {primary.title}",
            columns=["planner", primary.title],
            rows=rows,
            about="Two single runs of this suite differ by less in 19 of 20 pairs.",
        )


def _noise(arm: ArmResults, column: Column) -> str:
    floor = noise_floor(cases_of(arm.played, column))
    return "-" if floor is None else column.show_with_unit(floor)


def _passes(arms: Sequence[ArmResults]) -> Table:
    most = max(arm.repeats for arm in arms)
    shown = [k for k in range(1, most + 1) if k <= FEW or k == most or k & (k - 1) == 0]
    rows, floors = [], []
    for arm in arms:
        cells = [format_estimate(each, SUCCESS) for each in passes(arm)]
        cells += ["-"] * (most - len(cells))
        floors.append(noise_floor(cases_of(arm.played, SUCCESS)) or 0.0)
        rows.append([arm.label, *(cells[k - 1] for k in shown), _noise(arm, SUCCESS)])
    points = math.ceil(100 * max(floors))
    return Table(
        title="pass^k",
        columns=["planner", *(f"k = {k}" for k in shown), "noise of a single run"],
        rows=rows,
        about="The chance that k repeats of a scenario all succeed. "
        + (
            f"Two single runs of this suite must differ by {points} points before it means "
            "anything."
            if points
            else "No two repeats of a scenario differ."
        ),
    )


def difference_tables(
    arms: Sequence[ArmResults], columns: Sequence[Column], named: Sequence[str]
) -> Iterator[Table]:
    """Yield the tables of paired differences, one for each column that is compared.

    `named` is as in `estimates.pairs`.
    """
    for found in comparisons(arms, columns, named):
        column = found[0].column
        unit = "points" if column.share else column.unit.strip()
        yield Table(
            title=f"Differences in {column.title}",
            columns=[
                *("one", "other", "mean of one", "mean of other"),
                f"one - other, {unit}" if unit else "one - other",
                *("p", "q", "cases", "needed"),
            ],
            rows=[_pair(pair) for pair in found],
            about="Paired by case, over the cases in which both are scored. p is of the sign-flip "
            "test, which the interval inverts; q is adjusted for all pairs (Benjamini-Hochberg); "
            "needed is how many cases would show such a difference with a power of 0.8.",
        )


def progress(arms: Sequence[ArmResults]) -> Progress:
    """Return the number of planned, played and unjudged episodes of some arms together."""
    each = {arm.label: arm.progress for arm in arms}.values()
    planned = [of.planned for of in each if of.planned is not None]
    return Progress(
        planned=sum(planned) if len(planned) == len(each) else None,
        played=sum(of.played for of in each),
        unjudged=sum(of.unjudged for of in each),
    )


def format_figure(figure: ArmFigure) -> str:
    """Return a figure as the text of a cell."""
    shown = format_estimate(figure.estimate, figure.column)
    return f"{shown} ({figure.unscored} unscored)" if figure.unscored and figure.scored else shown


def format_estimate(found: Estimate | None, column: Column) -> str:
    """Return a mean with its interval; a dash if nothing is scored."""
    if found is None:
        return "-"
    if found.low is None or found.high is None:
        return column.show_with_unit(found.mean)
    inside = f"{column.show(found.low)} to {column.show(found.high)}"
    return f"{column.show_with_unit(found.mean)} ({inside})"


def _title(titles: Sequence[str]) -> str:
    """Return names as a title, such as "A, b and c"."""
    *most, last = titles
    listed = f"{', '.join(most)} and {last}" if most else last
    return listed[:1].upper() + listed[1:]


def _pair(pair: Pair) -> list[str]:
    found, column = pair.found, pair.column
    inside = ""
    if found.low is not None and found.high is not None:
        low, high = (column.show(end, "+") for end in (found.low, found.high))
        inside = f" ({low} to {high})"
    return [
        pair.one.label,
        pair.other.label,
        column.show_with_unit(found.one),
        column.show_with_unit(found.other),
        f"{column.show(found.mean, '+')}{inside}",
        f"{found.p:.4f}",
        f"{pair.q:.4f}",
        str(found.cases),
        "-" if found.needed is None else str(found.needed),
    ]
