"""Reports: the tables and plots of some results, in order.

Matplotlib draws the plots as SVG. Equal results give equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from math import isnan, nan
from typing import Any, get_args

from cookmas.episodes.trace import PlannerClass
from cookmas.evals.columns import Column
from cookmas.evals.statistics import Estimate, need_scipy
from cookmas.files.errors import MissingError
from cookmas.studies.report.crossplay import Matrix, matrices
from cookmas.studies.report.estimates import CorrelatedPair, Overall, correlate_pairs, means_of
from cookmas.studies.report.results import ArmResults, columns_of, primary_of
from cookmas.studies.report.tables import (
    Table,
    difference_tables,
    format_estimate,
    leniencies,
    measures,
    mistakes,
    progress,
    repeat_tables,
    scores,
    table_of_correlations,
)
from cookmas.world_names import domain_of

NOTE = (
    "Means over all scored episodes, with intervals of 95% over scenarios. Classes of planners are "
    "never mixed, nor are answers that are read strictly and leniently."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The part of a report about one world, or about one class of planners in it."""

    title: str
    """Heading of the section."""
    tables: Sequence[Table]
    plots: Sequence[Plot]
    notes: Sequence[str] = ()
    """Remarks on missing or mixed results."""


def report(
    arms: Sequence[ArmResults],
    compare: Sequence[str] = (),
    plot: str | None = None,
    only: Sequence[str] = (),
) -> list[Section]:
    """Return the report of all arms, by world and class of planners.

    `compare` names two arms, which are compared even if their classes differ. `plot` names the
    column that is drawn, by default `primary_of` the arms. If `only` names columns, the report has
    only these columns. Raise CookMASError if a name is unknown.
    """
    need_scipy()
    sections: list[Section] = []
    for world in dict.fromkeys(arm.world for arm in arms):
        of_world = [arm for arm in arms if arm.world == world]
        sections += _of_world(world, of_world, compare, plot, only)
    return sections


def _of_world(
    world: str,
    arms: Sequence[ArmResults],
    compare: Sequence[str],
    plot: str | None,
    only: Sequence[str],
) -> Iterator[Section]:
    columns = columns_of(world)
    shown = [column for name in only if (column := column_named(columns, name))] or columns
    drawn = column_named(columns, plot) if plot else primary_of(arms)
    yield from _cross_play(world, arms, shown if only else [drawn] if drawn else ())
    unjudged = [arm for arm in arms if arm.planner_class is None]
    if unjudged:
        title = f"{world}: no episode judged"
        yield Section(title=title, tables=[], plots=[], notes=_incomplete(unjudged))
    for planner_class in get_args(PlannerClass):
        of_class = [arm for arm in arms if arm.planner_class == planner_class]
        readings = dict.fromkeys(arm.answers for arm in of_class)
        for reading in readings:
            alike = [arm for arm in of_class if arm.answers == reading]
            title = f"{world}, planners of class {planner_class}"
            if len(readings) > 1:
                title += f", {reading or 'no'} answers"
            beside = () if only else _further_tables(world, alike, columns, not compare)
            needed = [*shown, *([drawn] if drawn and drawn not in shown else [])]
            rows = [row for arm in alike for row in means_of(arm, needed)]
            overall = {row.planner: row for row in rows if row.group is None}
            correlated = () if only else _list_correlated(world, columns)
            pairs = tuple(correlate_pairs(alike, correlated, overall))
            drawings = [plot_of(alike, drawn, overall, f"{drawn.title}: {title}")] if drawn else []
            yield Section(
                title=title,
                tables=_with_progress(
                    [*measures(rows, shown), *table_of_correlations(pairs), *beside], alike
                ),
                plots=[*drawings, *map(correlation_plot, pairs)],
                notes=list(_notes(alike)),
            )
    if compare:
        named = [arm for arm in arms if any(map(arm.is_named, compare))]
        tables = _with_progress(difference_tables(arms, columns, compare), named)
        yield Section(title=f"{world}: compared", tables=tables, plots=[], notes=_incomplete(named))


def _cross_play(
    world: str, arms: Sequence[ArmResults], columns: Sequence[Column]
) -> Iterator[Section]:
    """Yield the section of cross-play, if pairs have played. The section mixes pairs of all
    classes.
    """
    played = [each for column in columns for each in matrices(arms, column)]
    if played:
        tables = [
            table
            for each in played
            for table in (each.table(), each.table_of_self_play(), each.fragility())
            if table
        ]
        yield Section(
            title=f"{world}: cross-play",
            tables=_with_progress(tables, [arm for arm in arms if len(arm.seats) == 2]),
            plots=[matrix_plot(each) for each in played],
        )


def _with_progress(tables: Iterable[Table], arms: Sequence[ArmResults]) -> list[Table]:
    """Return the tables, each with the progress of the arms at the beginning of its remark."""
    progress_text = f"{progress(arms)}."
    return [replace(each, about=f"{progress_text} {each.about}".strip()) for each in tables]


def _incomplete(arms: Sequence[ArmResults]) -> list[str]:
    return [f"{arm.label}: {arm.progress}" for arm in arms if not arm.progress.complete]


def _further_tables(
    world: str, arms: Sequence[ArmResults], columns: Sequence[Column], pairs: bool
) -> Iterator[Table]:
    """Yield the tables after the measures: repeats, differences, scores, mistakes, leniencies."""
    yield from repeat_tables(arms, primary_of(arms))
    if pairs:
        yield from difference_tables(arms, columns, ())
    yield from scores(world, arms)
    yield from mistakes(arms)
    yield from leniencies(arms)


def _list_correlated(world: str, columns: Sequence[Column]) -> list[Column]:
    names = domain_of(world).judging.correlated
    return [column for column in columns if column.name in names]


def column_named(columns: Sequence[Column], name: str) -> Column | None:
    """Return the column with this name; None if there is none."""
    return next((column for column in columns if column.name == name), None)


def _notes(arms: Sequence[ArmResults]) -> Iterator[str]:
    yield from _incomplete(arms)
    yield from (f"{arm.label}: {arm.copies}" for arm in arms if arm.copies)
    for arm in arms:
        names = sorted({name for each in arm.played for name in each.answered_by})
        if len(names) > 1:
            yield f"{arm.label} was answered by several models: {', '.join(names)}"


COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that colour-blind people can distinguish (Okabe and Ito 2008)."""

MARKS = "os^Dv*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A plot with its title."""

    title: str
    svg: str


def plot_of(arms: Sequence[ArmResults], column: Column, overall: Overall, title: str) -> Plot:
    """Return the plot of the `overall` means of one column.

    If an option is varied, its values are the x-axis. Otherwise each arm has a row.
    """
    means = {label: row.figures[column.name].estimate for label, row in overall.items()}
    figure, axes = _axes(1 + 0.35 * len(arms) if not _is_varied(arms) else 3.6)
    scale = 100 if column.share else 1
    shown = _title_with_unit(column)
    if _is_varied(arms):
        _draw_over_values(axes, arms, means, scale)
        axes.set_ylabel(shown)
        axes.set_ylim(bottom=0)
    else:
        _draw_rows(axes, arms, means, scale, column)
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
    scored = [mean for row in means for mean in row if not isnan(mean)]
    low, high = (0.0, 1.0) if column.share else (min(scored, default=0), max(scored, default=1))
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
