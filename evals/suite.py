"""The table of means: a row for each planner, or arm of a sweep, with the mean of each column.

`eval` makes it of many verdicts, and `report` of sweeps, where a mean has an interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, get_args

from cookmas.episodes.trace import PlannerClass
from cookmas.evals.columns import Column
from cookmas.evals.verdict import Number, Verdict

if TYPE_CHECKING:
    from cookmas.evals.statistics import Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """The mean of one column over the scored values."""

    value: float | None
    """The mean; None if no value is scored."""
    scored: int
    """Number of scored values."""
    unscored: int
    """Number of unscored values."""
    estimate: Estimate | None = None
    """The mean with its interval, in a report of sweeps; None if no value is scored."""

    @classmethod
    def of(cls, values: Sequence[Number]) -> Self:
        """Return the figure of some values of a column."""
        scored = [value for value in values if value is not None]
        return cls(
            value=round(sum(scored) / len(scored), 4) if scored else None,
            scored=len(scored),
            unscored=len(values) - len(scored),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeansRow:
    """The means of one planner, or of one arm of a sweep."""

    planner: str
    """Name of the planner, or of the arm."""
    episodes: int
    """Number of episodes; in a report of sweeps without copies."""
    figures: Mapping[str, Figure]
    """The mean of each column, by the column's name."""
    group: str | None = None
    """The group of scenarios; None for all groups together."""


def aggregate(
    verdicts: Sequence[Verdict], columns: Sequence[Column]
) -> dict[PlannerClass, Sequence[MeansRow]]:
    """Return the rows of each planner class among the verdicts, in the order of `PlannerClass`.

    The rows are sorted by the names of the planners.
    """
    return {
        planner_class: [
            _row(planner, [each for each in of_class if each.planner == planner], columns)
            for planner in sorted({each.planner for each in of_class})
        ]
        for planner_class in get_args(PlannerClass)
        if (of_class := [each for each in verdicts if each.planner_class == planner_class])
    }


def _row(planner: str, verdicts: Sequence[Verdict], columns: Sequence[Column]) -> MeansRow:
    figures = {
        column.name: Figure.of([value for each in verdicts for value in column.values(each)])
        for column in columns
    }
    return MeansRow(planner=planner, episodes=len(verdicts), figures=figures)


def choose_columns(columns: Sequence[Column], rows: Sequence[MeansRow]) -> Sequence[Column]:
    """Return the columns of a table: without the optional ones of which no value is scored."""
    return [
        column
        for column in columns
        if not column.optional or any(row.figures[column.name].value is not None for row in rows)
    ]
