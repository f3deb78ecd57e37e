"""Means of many verdicts by planner: the tables of `eval`, and the parts that `report` shares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self, get_args

from cookmas.episodes.trace import PlannerClass
from cookmas.evals.columns import Column
from cookmas.evals.verdict import Number, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """The mean of one column over the scored values."""

    value: float | None
    """The mean; None if no value is scored."""
    scored: int
    """Number of scored values."""
    unscored: int
    """Number of unscored values."""

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
class PlannerRow:
    """One planner's means over all its episodes."""

    planner: str
    """Name of the planner."""
    episodes: int
    """Number of episodes."""
    figures: dict[str, Figure]
    """The mean of each column, by the column's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassTable:
    """The table of one planner class: its planners, sorted by name."""

    planner_class: PlannerClass
    """The class."""
    rows: tuple[PlannerRow, ...]
    """One row for each planner."""


def aggregate(verdicts: Sequence[Verdict], columns: Sequence[Column]) -> list[ClassTable]:
    """Return a table for each planner class among the verdicts, in the order of `PlannerClass`."""
    return [
        ClassTable(
            planner_class=planner_class,
            rows=tuple(
                _row(planner, [v for v in of_class if v.planner == planner], columns)
                for planner in sorted({v.planner for v in of_class})
            ),
        )
        for planner_class in get_args(PlannerClass)
        if (of_class := [v for v in verdicts if v.planner_class == planner_class])
    ]


def _row(planner: str, verdicts: Sequence[Verdict], columns: Sequence[Column]) -> PlannerRow:
    figures = {
        column.name: Figure.of([value for each in verdicts for value in column.values(each)])
        for column in columns
    }
    return PlannerRow(planner=planner, episodes=len(verdicts), figures=figures)


def choose_columns(
    columns: Sequence[Column], is_scored: Callable[[Column], bool]
) -> Sequence[Column]:
    """Return the columns of a table: without the optional ones of which no value is scored."""
    return [column for column in columns if not column.optional or is_scored(column)]
