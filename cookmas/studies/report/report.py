"""A report: the tables and plots of some results, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from cookmas.studies.report.crossplay import matrices
from cookmas.studies.report.mistakes import mistakes
from cookmas.studies.report.plots import Plot, matrix_plot, plots_of
from cookmas.studies.report.results import Arm, columns_of, primary_of
from cookmas.studies.report.scores import scores
from cookmas.studies.report.tables import Table, compared, measures, progress, repeated
from episodes.trace import PlannerClass
from evals.columns import Column
from evals.statistics import need_scipy

NOTE = (
    "Means over all scored episodes, with intervals of 95% over scenarios. Classes of planners are "
    "never mixed."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """What is reported of one world, or of one class of planners in it."""

    title: str
    tables: Sequence[Table]
    plots: Sequence[Plot]
    notes: Sequence[str] = ()


def report(
    arms: Sequence[Arm],
    compare: Sequence[str] = (),
    plot: str | None = None,
    only: Sequence[str] = (),
) -> list[Section]:
    """The report of all arms, world by world and class by class.

    `compare` names two arms that are compared across classes; `plot` the column that is drawn (else
    the one by which planners of the world are compared). With
    `only` there are these columns, and nothing beside them. Raises CookMASError.
    """
    need_scipy()
    sections: list[Section] = []
    for world in dict.fromkeys(arm.world for arm in arms):
        of_world = [arm for arm in arms if arm.world == world]
        sections += _of_world(world, of_world, compare, plot, only)
    return sections


def _of_world(
    world: str, arms: Sequence[Arm], compare: Sequence[str], plot: str | None, only: Sequence[str]
) -> Iterator[Section]:
    columns = columns_of(world)
    shown = [column for name in only if (column := column_named(columns, name))] or columns
    drawn = column_named(columns, plot) if plot else primary_of(arms)
    yield from _crossed(world, arms, shown if only else [drawn] if drawn else ())
    unjudged = [arm for arm in arms if arm.planner_class is None]
    if unjudged:
        title = f"{world}: no episode judged"
        yield Section(title=title, tables=[], plots=[], notes=_incomplete(unjudged))
    for planner_class in get_args(PlannerClass):
        alike = [arm for arm in arms if arm.planner_class == planner_class]
        if alike:
            title = f"{world}, planners of class {planner_class}"
            beside = () if only else _beside(world, alike, columns, not compare)
            yield Section(
                title=title,
                tables=_with_progress([*measures(alike, shown), *beside], alike),
                plots=[plots_of(alike, drawn, f"{drawn.title}: {title}")] if drawn else [],
                notes=list(_notes(alike)),
            )
    if compare:
        named = [arm for arm in arms if arm.label in compare]
        tables = _with_progress(compared(arms, columns, compare), named)
        yield Section(title=f"{world}: compared", tables=tables, plots=[], notes=_incomplete(named))


def _crossed(world: str, arms: Sequence[Arm], columns: Sequence[Column]) -> Iterator[Section]:
    """Who played with whom; what is said of a pair is of one arm, whatever its class."""
    found = [each for column in columns for each in matrices(arms, column)]
    if found:
        tables = [table for each in found for table in (each.table(), each.apart()) if table]
        yield Section(
            title=f"{world}: cross-play",
            tables=_with_progress(tables, [arm for arm in arms if len(arm.seats) == 2]),
            plots=[matrix_plot(each) for each in found],
        )


def _with_progress(tables: Iterable[Table], arms: Sequence[Arm]) -> list[Table]:
    """The tables, each of which says how many episodes are played and judged."""
    said = f"{progress(arms)}."
    return [replace(each, about=f"{said} {each.about}".strip()) for each in tables]


def _incomplete(arms: Sequence[Arm]) -> list[str]:
    return [f"{arm.label}: {arm.progress}" for arm in arms if not arm.progress.complete]


def _beside(
    world: str, arms: Sequence[Arm], columns: Sequence[Column], pairs: bool
) -> Iterator[Table]:
    """The tables beside the measures."""
    yield from repeated(arms, primary_of(arms))
    if pairs:
        yield from compared(arms, columns, ())
    yield from scores(world, arms)
    yield from mistakes(arms)


def column_named(columns: Sequence[Column], name: str) -> Column | None:
    """The column of a name, if this world has it."""
    return next((column for column in columns if column.name == name), None)


def _notes(arms: Sequence[Arm]) -> Iterator[str]:
    """What is missing, and what differs between episodes: models that answered, and judges."""
    yield from _incomplete(arms)
    yield from (f"{arm.label}: {arm.copies}" for arm in arms if arm.copies)
    for arm in arms:
        names = sorted({name for each in arm.played for name in each.answered_by})
        if len(names) > 1:
            yield f"{arm.label} was answered by several models: {', '.join(names)}"
    judges = sorted({each.judges for arm in arms for each in arm.played})
    if len(judges) > 1:
        yield f"Judged by versions {', '.join(judges)} of the evaluators: rescore the older ones"
