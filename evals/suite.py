"""Suites: many verdicts, added up for each planner, planner classes strictly apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from pydantic import BaseModel, ConfigDict

from episodes.trace import PlannerClass, Trace
from evals.judge import judge
from evals.verdict import Verdict
from scenarios.truth.truth import ScenarioTruth


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Figure(_Model):
    """A mean over what was scored; `value` is None where nothing was."""

    value: float | None
    scored: int
    unscored: int


class PlannerRow(_Model):
    """One planner over all its episodes.

    `success`, `dishes` and `customizations` are shares from 0 to 1 of episodes, standing lines and
    wishes; `gap` (per cent), `planner_calls`, `fails`, `model_calls`, `tokens` and `cost`
    are means over episodes.
    """

    planner: str
    episodes: int
    success: Figure
    dishes: Figure
    customizations: Figure
    gap: Figure
    planner_calls: Figure
    fails: Figure
    model_calls: Figure
    tokens: Figure
    cost: Figure


class ClassTable(_Model):
    """The planners of one class, by name."""

    planner_class: PlannerClass
    rows: tuple[PlannerRow, ...]


def judge_all(episodes: Iterable[tuple[Trace, ScenarioTruth]]) -> list[Verdict]:
    """Judge many episodes, each from its own trace and truth."""
    return [judge(trace, truth) for trace, truth in episodes]


def aggregate(verdicts: Sequence[Verdict]) -> list[ClassTable]:
    """A table for each planner class that occurs, in the order of the classes."""
    return [
        ClassTable(
            planner_class=planner_class,
            rows=tuple(
                _row(planner, [v for v in of_class if v.planner == planner])
                for planner in sorted({v.planner for v in of_class})
            ),
        )
        for planner_class in get_args(PlannerClass)
        if (of_class := [v for v in verdicts if v.planner_class == planner_class])
    ]


def _row(planner: str, verdicts: Sequence[Verdict]) -> PlannerRow:
    return PlannerRow(
        planner=planner,
        episodes=len(verdicts),
        success=_mean([verdict.success for verdict in verdicts]),
        dishes=_checks(verdicts, "complete"),
        customizations=_checks(verdicts, "customization"),
        gap=_mean([verdict.summary.gap for verdict in verdicts]),
        planner_calls=_mean([verdict.summary.planner_calls for verdict in verdicts]),
        fails=_mean([verdict.summary.fails for verdict in verdicts]),
        model_calls=_mean([verdict.summary.model_calls for verdict in verdicts]),
        tokens=_mean([verdict.summary.tokens for verdict in verdicts]),
        cost=_mean([v.measured.cost if v.measured else None for v in verdicts]),
    )


def _checks(verdicts: Sequence[Verdict], name: str) -> Figure:
    return _mean([check.passed for verdict in verdicts for check in verdict.of(name)])


def _mean(values: Sequence[float | None]) -> Figure:
    scored = [value for value in values if value is not None]
    return Figure(
        value=round(sum(scored) / len(scored), 4) if scored else None,
        scored=len(scored),
        unscored=len(values) - len(scored),
    )
