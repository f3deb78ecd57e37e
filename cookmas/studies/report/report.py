"""Reports: the tables and plots of some results, in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from cookmas.episodes.trace import PlannerClass
from cookmas.evals.columns import Column
from cookmas.evals.statistics import need_scipy
from cookmas.studies.report.correlations import correlate_pairs, table_of_correlations
from cookmas.studies.report.crossplay import matrices
from cookmas.studies.report.plots import Plot, correlation_plot, matrix_plot, plots_of
from cookmas.studies.report.results import (
    ArmResults,
    EpisodeNumbers,
    Mistake,
    columns_of,
    primary_of,
    scores_of,
)
from cookmas.studies.report.tables import (
    Link,
    Table,
    difference_tables,
    measures,
    progress,
    repeat_tables,
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
    """Tables of the section."""
    plots: Sequence[Plot]
    """Plots of the section."""
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
            pairs = () if only else tuple(correlate_pairs(alike, _list_correlated(world, columns)))
            drawings = [plots_of(alike, drawn, f"{drawn.title}: {title}")] if drawn else []
            yield Section(
                title=title,
                tables=_with_progress(
                    [*measures(alike, shown), *table_of_correlations(pairs), *beside], alike
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
    found = [each for column in columns for each in matrices(arms, column)]
    if found:
        tables = [
            table
            for each in found
            for table in (each.table(), each.table_of_self_play(), each.fragility())
            if table
        ]
        yield Section(
            title=f"{world}: cross-play",
            tables=_with_progress(tables, [arm for arm in arms if len(arm.seats) == 2]),
            plots=[matrix_plot(each) for each in found],
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
    """Return the columns whose correlation over planners the world's judging asks for."""
    names = domain_of(world).judging.correlated
    return [column for column in columns if column.name in names]


def column_named(columns: Sequence[Column], name: str) -> Column | None:
    """Return the column with this name; None if there is none."""
    return next((column for column in columns if column.name == name), None)


def _notes(arms: Sequence[ArmResults]) -> Iterator[str]:
    """Yield the remarks on arms: missing episodes, copies, and several models."""
    yield from _incomplete(arms)
    yield from (f"{arm.label}: {arm.copies}" for arm in arms if arm.copies)
    for arm in arms:
        names = sorted({name for each in arm.played for name in each.answered_by})
        if len(names) > 1:
            yield f"{arm.label} was answered by several models: {', '.join(names)}"


def scores(world: str, arms: Sequence[ArmResults]) -> Iterator[Table]:
    """Yield a table for each score of the world, with a row for each arm and group of episodes.

    A score is computed over all values of the varied option together.
    """
    for number, score in enumerate(scores_of(world)):
        taken: dict[str, list[object]] = {}
        for arm in arms:
            taken.setdefault(arm.name, []).extend(each.scores[number] for each in arm.played)
        rows = [
            [name, group, "-" if value is None else f"{value:.{score.digits}f}"]
            for name, of_arm in taken.items()
            for group, value in score.read(of_arm).items()
        ]
        if rows:
            yield Table(title=score.title, columns=["planner", "of", score.title], rows=rows)


def mistakes(arms: Sequence[ArmResults]) -> Iterator[Table]:
    """Yield the table of the kinds of mistakes by arm, the most frequent first."""
    rows: list[list[str | Link]] = []
    for arm in arms:
        kinds: dict[str, list[tuple[EpisodeNumbers, Mistake]]] = {}
        for each in arm.played:
            for mistake in each.mistakes:
                kinds.setdefault(mistake.kind, []).append((each, mistake))
        for kind, found in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
            times = sum(mistake.times for _, mistake in found)
            played, first = found[0]
            example = Link(text=f"{played.case}, {first.example}", path=played.trace)
            rows.append([arm.label, kind, str(len(found)), str(times), example])
    if rows:
        yield Table(
            title="Mistakes",
            columns=["planner", "kind", "episodes", "times", "example"],
            rows=rows,
            about="An example begins with its timestep.",
        )


def leniencies(arms: Sequence[ArmResults]) -> Iterator[Table]:
    """Yield the table of the kinds of leniency with which answers were read, by arm."""
    rows = []
    for arm in arms:
        kinds = Counter[str]()
        for each in arm.played:
            kinds.update(each.lenient)
        for kind, answers in kinds.most_common():
            episodes = sum(kind in each.lenient for each in arm.played)
            rows.append([arm.label, kind, str(episodes), str(answers)])
    if rows:
        yield Table(
            title="Leniency",
            columns=["planner", "kind", "episodes", "answers"],
            rows=rows,
            about="With `--answers strict` these answers would have been unusable.",
        )
