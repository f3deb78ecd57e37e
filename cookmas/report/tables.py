"""The tables of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cookmas.report.estimates import Figure, Pair, figures, pairs, passes
from cookmas.report.results import Arm
from evals.columns import SUCCESS, Column
from evals.statistics import Estimate

ACROSS = 4
"""Measures that stand beside each other in a table."""

FEW = 5
"""Repeats up to which pass^k is shown for every k; beyond, for powers of two and the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Text that leads to a file."""

    text: str
    path: Path

    def __str__(self) -> str:
        return f"{self.text} ({self.path})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of text under a title; `about` is a sentence on what is in it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | Link]]
    about: str = ""


def measures(arms: Sequence[Arm], columns: Sequence[Column], title: str) -> Iterator[Table]:
    """The arms of one class: every column, by level, a few of them in each table."""
    found = [figure for arm in arms for figure in figures(arm, columns)]
    shown = [
        column
        for column in columns
        if not column.optional
        or any(figure.estimate for figure in found if figure.column is column)
    ]
    for begin in range(0, len(shown), ACROSS):
        part = shown[begin : begin + ACROSS]
        rows: dict[tuple[str, int | None], list[str]] = {}
        for figure in found:
            if figure.column in part:
                begin_with = [figure.arm.label, _level(figure.level), str(figure.episodes)]
                row = rows.setdefault((figure.arm.label, figure.level), begin_with)
                row.append(shown_figure(figure))
        titles = [column.title for column in part]
        yield Table(
            title=title,
            columns=["planner", "level", "episodes", *titles],
            rows=list(rows.values()),
        )


def repeated(arms: Sequence[Arm]) -> Iterator[Table]:
    """pass^k, where episodes were repeated."""
    most = max(arm.repeats for arm in arms)
    shown = [k for k in range(1, most + 1) if k <= FEW or k == most or k & (k - 1) == 0]
    if most > 1:
        rows = []
        for arm in arms:
            cells = [shown_estimate(each, SUCCESS) for each in passes(arm, SUCCESS)]
            cells += ["-"] * (most - len(cells))
            rows.append([arm.label, *(cells[k - 1] for k in shown)])
        yield Table(
            title="pass^k",
            columns=["planner", *(f"k = {k}" for k in shown)],
            rows=rows,
            about="The chance that k repeats of a scenario all succeed.",
        )


def compared(
    arms: Sequence[Arm], columns: Sequence[Column], named: Sequence[str]
) -> Iterator[Table]:
    """Paired differences of the shares."""
    for column in columns:
        if column.share:
            found = pairs(arms, column, named)
            if found:
                yield Table(
                    title=f"Differences in {column.title}",
                    columns=["one", "other", "one - other", "p", "q", "cases", "needed"],
                    rows=[_pair(pair) for pair in found],
                    about="Paired by case. p is of the sign-flip test, q adjusted for all pairs "
                    "(Benjamini-Hochberg); needed is how many cases would show such a "
                    "difference with a power of 0.8.",
                )


def shown_figure(figure: Figure) -> str:
    """A figure in a cell."""
    shown = shown_estimate(figure.estimate, figure.column)
    return f"{shown} ({figure.unscored} unscored)" if figure.unscored and figure.scored else shown


def shown_estimate(found: Estimate | None, column: Column) -> str:
    """A mean with its interval; a dash where nothing was scored."""
    if found is None:
        return "-"
    if found.low is None or found.high is None:
        return shown_number(found.mean, column)
    inside = f"{_bare(found.low, column)} to {_bare(found.high, column)}"
    return f"{shown_number(found.mean, column)} ({inside})"


def shown_number(value: float, column: Column) -> str:
    """A number of a column with its unit."""
    return f"{_bare(value, column)}{'%' if column.share else column.unit}"


def _bare(value: float, column: Column) -> str:
    return f"{100 * value:.1f}" if column.share else f"{value:.{column.digits}f}"


def _level(level: int | None) -> str:
    return "all" if level is None else str(level)


def _pair(pair: Pair) -> list[str]:
    found = pair.found
    inside = ""
    if found.low is not None and found.high is not None:
        inside = f" ({100 * found.low:+.1f} to {100 * found.high:+.1f})"
    return [
        pair.one.label,
        pair.other.label,
        f"{100 * found.mean:+.1f}{inside}",
        f"{found.p:.4f}",
        f"{pair.q:.4f}",
        str(found.cases),
        "-" if found.needed is None else str(found.needed),
    ]
