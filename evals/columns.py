"""Columns: what is reported of an episode, and of many, each said once.

A column of a summary is read off the checks of one verdict; a column of a suite takes from each
verdict the values of which it shows the mean. Those that no world lacks are here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evals.verdict import EPISODE, Check, Goal, Number, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One number of a summary: its name, and how it is read off goals and checks."""

    name: str
    read: Callable[[Sequence[Goal], Sequence[Check]], Number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table of many verdicts.

    `values` gives what a verdict contributes to the mean, None for each that is unscored. A `share`
    is a mean of yes and no from 0 to 1, shown in per cent; `unit` follows other numbers, which are
    shown with so many `digits`. One that is `optional` is left out where nothing is scored.
    `negative` says what it means where it is below zero. A report compares arms in each share, and
    in a column that is `paired`.
    """

    name: str
    title: str
    values: Callable[[Verdict], Sequence[Number]]
    share: bool = False
    unit: str = ""
    digits: int = 1
    optional: bool = False
    negative: str = ""
    paired: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A number that is no mean of episodes but is read off many of them together.

    `take` gives what it needs of a verdict, `read` the number for each group of the episodes, by
    the group's name; None where it is unscored.
    """

    title: str
    take: Callable[[Verdict], Any]
    read: Callable[[Sequence[Any]], Mapping[str, Number]]
    digits: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A kind of check that a report shows among what was measured, with its unit.

    `of` says that there is one for each goal or worker, not one for the episode.
    """

    name: str
    unit: str = ""
    of: bool = False


def measured(name: str) -> Entry:
    """The number of a check of the whole episode."""

    def read(goals: Sequence[Goal], checks: Sequence[Check]) -> Number:
        for check in checks:
            same = (check.name, check.subject) == (name, EPISODE)
            if same and isinstance(check.value, int | float):
                return check.value
        return None

    return Entry(name=name, read=read)


def counted(name: str, count: Callable[[Sequence[Goal], Sequence[Check]], int]) -> Entry:
    """A number that is counted."""
    return Entry(name=name, read=count)


def summarised(
    name: str, title: str, unit: str = "", optional: bool = False, negative: str = ""
) -> Column:
    """The mean of an entry of the summaries."""

    def values(verdict: Verdict) -> Sequence[Number]:
        return [verdict.summary.get(name)]

    return Column(
        name=name, title=title, values=values, unit=unit, optional=optional, negative=negative
    )


def passed(name: str, title: str, check: str) -> Column:
    """The share of the checks of one name that are passed."""

    def values(verdict: Verdict) -> Sequence[Number]:
        return [each.passed for each in verdict.of(check)]

    return Column(name=name, title=title, values=values, share=True)


def valued(name: str, title: str, unit: str = "", digits: int = 1) -> Column:
    """The mean of the checks of one name; left out where there is none."""

    def values(verdict: Verdict) -> Sequence[Number]:
        found = [check.value for check in verdict.of(name)]
        return [each for each in found if isinstance(each, bool | int | float)]

    return Column(name=name, title=title, values=values, unit=unit, digits=digits, optional=True)


SUMMARY: Sequence[Entry] = (
    *map(
        measured,
        ("planner_calls", "model_calls", "repairs", "unusable_answers", "tokens", "fails"),
    ),
    counted("unscored", lambda goals, checks: sum(not check.scored for check in checks)),
)
"""What every summary has, after what is the world's own."""

SUCCESS = Column(name="success", title="success", values=lambda v: [v.success], share=True)

SCORE = Column(
    name="score",
    title="score",
    values=lambda verdict: [verdict.score],
    digits=2,
    optional=True,
    paired=True,
)

GRADES: Sequence[Column] = (
    SCORE,
    Column(
        name="share_of_best",
        title="of best",
        values=lambda verdict: [_per_cent(verdict.share_of_best)],
        unit="%",
        optional=True,
        paired=True,
    ),
)
"""The columns of a world that grades: the mean score, and what share it is of the best."""

REWARD = replace(valued("reward", "reward", digits=2), paired=True)
"""What a world has rewarded all workers with together."""

PROGRESS: Sequence[Column] = (
    valued("progress_completeness", "progress", digits=2),
    replace(passed("advancing", "advancing", "ites"), optional=True),
)
"""The columns of a world with reference trajectories."""

OPTIMALITY: Sequence[Column] = (
    valued("optimality_rate", "optimality", digits=2),
    valued("steps_to_go", "steps to go", digits=2),
)
"""The columns of a world that knows an optimum, or a bound of it."""

COLLABORATION: Sequence[Column] = (
    replace(passed("initiating", "initiating", "initiated"), optional=True),
    replace(passed("responding", "responding", "responded"), optional=True),
)
"""The columns of a world whose tasks need agents that tell each other something."""

TALK: Sequence[Column] = (
    valued("talk_initiated", "talk begun"),
    valued("talk_responded", "talk answered"),
)
"""The columns of a world in which agents talk: messages of an agent in an episode."""

CALLS: Sequence[Column] = (
    summarised("planner_calls", "calls"),
    summarised("fails", "FAILs"),
    replace(passed("recovered", "recovered", "recovered"), optional=True),
    valued("recovery_time", "recovery", " timesteps"),
    summarised("model_calls", "model calls", optional=True),
    summarised("repairs", "repairs", optional=True),
    summarised("unusable_answers", "unusable", optional=True),
    replace(summarised("tokens", "tokens", optional=True), paired=True),
    Column(
        name="cost",
        title="cost",
        values=lambda verdict: [verdict.measured.cost if verdict.measured else None],
        digits=4,
        optional=True,
        paired=True,
    ),
    Column(
        name="latency",
        title="latency",
        values=lambda verdict: [_latency(verdict)],
        unit=" s",
        digits=2,
        optional=True,
    ),
)
"""The columns of a suite that no world lacks, after its own."""


def _per_cent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 4)


def _latency(verdict: Verdict) -> Number:
    """Seconds of an answered call."""
    calls = verdict.summary.get("model_calls")
    return verdict.measured.model_seconds / calls if verdict.measured and calls else None


MEASURES: Sequence[Measure] = (
    Measure(name="planner_calls"),
    Measure(name="schedules_refused"),
    Measure(name="model_calls"),
    Measure(name="repairs"),
    Measure(name="unusable_answers"),
    Measure(name="tokens"),
    Measure(name="fails"),
    Measure(name="mistake"),
    Measure(name="use", of=True),
)
"""What every report of a verdict shows."""
