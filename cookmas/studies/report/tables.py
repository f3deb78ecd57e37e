"""The tables of a report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cookmas.evals.columns import SUCCESS, Column
from cookmas.evals.statistics import Correlation, Estimate, noise_floor
from cookmas.evals.suite import Figure, MeansRow, choose_columns
from cookmas.studies.report.estimates import (
    CorrelatedPair,
    Pair,
    cases_of,
    comparisons,
    passes,
)
from cookmas.studies.report.results import (
    ArmResults,
    EpisodeNumbers,
    Mistake,
    Progress,
    scores_of,
)

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
    path: Path

    def __str__(self) -> str:
        return f"{self.text} ({self.path})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of texts."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | Link]]
    about: str = ""
    """Explanation of the table, in sentences."""


def measures(rows: Sequence[MeansRow], columns: Sequence[Column]) -> Iterator[Table]:
    """Yield tables of the figures of arms of one class, as `means_of` returns the rows of each.

    The columns are spread over several tables, `ACROSS` in each.
    """
    shown = choose_columns(columns, rows)
    for begin in range(0, len(shown), ACROSS):
        part = shown[begin : begin + ACROSS]
        titles = [column.title for column in part]
        yield Table(
            title=_title(titles),
            columns=["planner", "group", "episodes", *titles],
            rows=[
                [
                    *(row.planner, row.group or "all", str(row.episodes)),
                    *(_format_figure(row.figures[column.name], column) for column in part),
                ]
                for row in rows
            ],
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

    Two arms that are `named` by their labels are compared alone, else all arms of the same class.
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
    progresses = {arm.label: arm.progress for arm in arms}.values()
    planned = [of.planned for of in progresses if of.planned is not None]
    return Progress(
        planned=sum(planned) if len(planned) == len(progresses) else None,
        played=sum(of.played for of in progresses),
        unjudged=sum(of.unjudged for of in progresses),
    )


def _format_figure(figure: Figure, column: Column) -> str:
    shown = format_estimate(figure.estimate, column)
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


def table_of_correlations(pairs: Sequence[CorrelatedPair]) -> Iterator[Table]:
    """Yield the table of the correlations, if there are any."""
    rows = [
        [
            each.one.title,
            each.other.title,
            _format_interval(each.found),
            f"{each.found.spearman:.2f}",
            str(each.found.count),
        ]
        for each in pairs
    ]
    if rows:
        yield Table(
            title="Correlation over models",
            columns=["one", "other", "Pearson r", "Spearman rho", "models"],
            rows=rows,
            about="Of the means of planners that asked a model. Intervals by Fisher's z.",
        )


def _format_interval(found: Correlation) -> str:
    if found.low is None or found.high is None:
        return f"{found.pearson:.2f}"
    return f"{found.pearson:.2f} ({found.low:.2f} to {found.high:.2f})"


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
