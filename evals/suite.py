"""Suites: tables with the means of many verdicts by planner, one table for each planner class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from pydantic import BaseModel, ConfigDict

from cookmas.episodes.trace import PlannerClass
from cookmas.evals.columns import Column
from cookmas.evals.verdict import Number, Verdict


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Figure(_Model):
    """The mean of one column over the scored values."""

    value: float | None
    """The mean; None if no value is scored."""
    scored: int
    """Number of scored values."""
    unscored: int
    """Number of unscored values."""


class PlannerRow(_Model):
    """One planner's means over all its episodes."""

    planner: str
    """Name of the planner."""
    episodes: int
    """Number of episodes."""
    figures: dict[str, Figure]
    """The mean of each column, by the column's name."""


class ClassTable(_Model):
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
        column.name: _mean([value for verdict in verdicts for value in column.values(verdict)])
        for column in columns
    }
    return PlannerRow(planner=planner, episodes=len(verdicts), figures=figures)


def _mean(values: Sequence[Number]) -> Figure:
    scored = [value for value in values if value is not None]
    return Figure(
        value=round(sum(scored) / len(scored), 4) if scored else None,
        scored=len(scored),
        unscored=len(values) - len(scored),
    )
