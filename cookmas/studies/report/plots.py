"""The plots of a report, drawn by matplotlib as SVG. Equal results give equal bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from math import isnan, nan
from typing import Any

from cookmas.evals.columns import Column
from cookmas.evals.statistics import Estimate, estimate
from cookmas.files.errors import MissingError
from cookmas.studies.report.correlations import CorrelatedPair
from cookmas.studies.report.crossplay import Matrix
from cookmas.studies.report.estimates import cases_of
from cookmas.studies.report.results import ArmResults
from cookmas.studies.report.tables import format_estimate

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that colour-blind people can distinguish (Okabe and Ito 2008)."""

MARKS = "os^Dv*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot with its title."""

    title: str
    """Title of the plot."""
    svg: str
    """The drawing as SVG."""


def plots_of(arms: Sequence[ArmResults], column: Column, title: str) -> Plot:
    """Return the plot of one column.

    If an option is varied, its values are the x-axis. Otherwise each arm has a row.
    """
    found = {arm.label: estimate(cases_of(arm.played, column), column.share) for arm in arms}
    figure, axes = _axes(1 + 0.35 * len(arms) if not _is_varied(arms) else 3.6)
    scale = 100 if column.share else 1
    shown = _title_with_unit(column)
    if _is_varied(arms):
        _draw_over_values(axes, arms, found, scale)
        axes.set_ylabel(shown)
        axes.set_ylim(bottom=0)
    else:
        _draw_rows(axes, arms, found, scale, column)
        axes.set_xlabel(shown)
        axes.set_xlim(left=0, right=104 if column.share else None)
    axes.set_title(title, fontsize=10, loc="left")
    return Plot(title=title, svg=_svg(figure))


def matrix_plot(matrix: Matrix) -> Plot:
    """Return the plot of a matrix; a frame marks self-play."""
    rows, columns, column = matrix.rows, matrix.columns, matrix.column
    figure, axes = _axes(1.2 + 0.55 * len(rows))
    cells = [[matrix.cell(one, other) for other in columns] for one in rows]
    means = [[each.found.mean if each and each.found else nan for each in row] for row in cells]
    axes.grid(visible=False)
    known = [mean for row in means for mean in row if not isnan(mean)]
    low, high = (0.0, 1.0) if column.share else (min(known, default=0), max(known, default=1))
    axes.pcolormesh(means, cmap="cividis", vmin=low, vmax=high)
    for y, row in enumerate(cells):
        for x, cell in enumerate(row):
            if cell is None:
                continue
            dark = cell.found is not None and cell.found.mean < (low + high) / 2
            text = cell.format(column).removeprefix("* ").replace(" (", "\n(")
            words = {"ha": "center", "va": "center", "fontsize": 7}
            axes.text(x + 0.5, y + 0.5, text, color="white" if dark else "black", **words)
            if cell.self_play:
                _frame(axes, x, y)
    axes.set_xticks([x + 0.5 for x in range(len(columns))], columns, fontsize=8)
    axes.set_yticks([y + 0.5 for y in range(len(rows))], rows, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel(matrix.seats[1])
    axes.set_ylabel(matrix.seats[0])
    axes.set_title(matrix.title, fontsize=10, loc="left")
    return Plot(title=matrix.title, svg=_svg(figure))


def correlation_plot(pair: CorrelatedPair) -> Plot:
    """Return the plot of two figures, with a point for each planner."""
    figure, axes = _axes(3.6)
    for number, (name, one, other) in enumerate(pair.means):
        look = {"marker": MARKS[number % len(MARKS)], "color": COLOURS[number % len(COLOURS)]}
        axes.plot(_scale(pair.one, one), _scale(pair.other, other), label=name, ls="", **look)
    axes.set_xlabel(_title_with_unit(pair.one))
    axes.set_ylabel(_title_with_unit(pair.other))
    axes.legend(fontsize=8, frameon=False)
    title = f"{pair.other.title} by {pair.one.title}"
    axes.set_title(title, fontsize=10, loc="left")
    return Plot(title=title, svg=_svg(figure))


def _scale(column: Column, value: float) -> float:
    return 100 * value if column.share else value


def _title_with_unit(column: Column) -> str:
    return f"{column.title}{', %' if column.share else column.unit and f', {column.unit}'}"


def _frame(axes: Any, x: int, y: int) -> None:
    """Draw a frame into a cell."""
    xs = [x + 0.03, x + 0.97, x + 0.97, x + 0.03, x + 0.03]
    ys = [y + 0.03, y + 0.03, y + 0.97, y + 0.97, y + 0.03]
    axes.plot(xs, ys, color=COLOURS[1], linewidth=2)


def _is_varied(arms: Sequence[ArmResults]) -> bool:
    return any(arm.at is not None for arm in arms)


def _draw_over_values(
    axes: Any, arms: Sequence[ArmResults], found: dict[str, Estimate | None], scale: float
) -> None:
    points = list(dict.fromkeys(arm.at for arm in arms))
    places = {at: _place(at, points) for at in points}
    for number, name in enumerate(dict.fromkeys(arm.name for arm in arms)):
        mine = [arm for arm in arms if arm.name == name and found[arm.label]]
        estimates = [each for arm in mine if (each := found[arm.label])]
        axes.errorbar(
            [places[arm.at] for arm in mine],
            [scale * each.mean for each in estimates],
            yerr=_whiskers(estimates, scale),
            label=name,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKS[number % len(MARKS)],
            capsize=3,
            linewidth=1.5,
        )
    axes.set_xticks(list(places.values()), [str(at) for at in points])
    axes.legend(fontsize=8, frameon=False)


def _place(at: object, points: Sequence[object]) -> float:
    """Return the position of a value on the axis.

    `points` are all values. The position is the value itself if all are numbers, otherwise its
    index among them.
    """
    try:
        values = [float(str(point)) for point in points]
    except ValueError:
        values = [float(number) for number, _ in enumerate(points)]
    return values[points.index(at)]


def _draw_rows(
    axes: Any,
    arms: Sequence[ArmResults],
    found: dict[str, Estimate | None],
    scale: float,
    column: Column,
) -> None:
    scored = [(arm, each) for arm in arms if (each := found[arm.label])]
    places = range(len(scored), 0, -1)
    axes.errorbar(
        [scale * each.mean for _, each in scored],
        list(places),
        xerr=_whiskers([each for _, each in scored], scale),
        fmt="o",
        color=COLOURS[0],
        capsize=3,
    )
    labels = [f"{arm.label}\n{format_estimate(each, column)}" for arm, each in scored]
    axes.set_yticks(list(places), labels, fontsize=8)
    axes.set_ylim(0.4, len(scored) + 0.6)


def _whiskers(estimates: Sequence[Estimate], scale: float) -> list[list[float]]:
    below = [each.mean - (each.mean if each.low is None else each.low) for each in estimates]
    above = [(each.mean if each.high is None else each.high) - each.mean for each in estimates]
    return [[max(0.0, scale * x) for x in below], [max(0.0, scale * x) for x in above]]


def _axes(height: float) -> tuple[Any, Any]:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingError("plots need matplotlib; install the extra 'report'") from None
    matplotlib.rcParams["svg.hashsalt"] = "cookmas"
    matplotlib.rcParams["svg.fonttype"] = "none"
    figure = Figure(figsize=(6.8, max(height, 1.6)), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _svg(figure: Any) -> str:
    text = StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": "CookMAS"})
    drawing = text.getvalue()
    lines = drawing[drawing.index("<svg") :].splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"
