"""Columns: the numbers that are reported of one episode and of many, each defined once.

An entry of a summary is computed from the checks of one verdict. A column of a suite takes values
from each verdict and shows their mean. This module has the entries and columns that every world
has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evals.verdict import EPISODE, Check, Goal, Number, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryEntry:
    """One number of a summary."""

    name: str
    """Name of the number in the summary."""
    read: Callable[[Sequence[Goal], Sequence[Check]], Number]
    """Function that computes the number from the goals and the checks of a verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table of many verdicts.

    A report compares the arms of a suite in every column that is a share or is `paired`.
    """

    name: str
    """Identifier, such as `--column` takes it."""
    title: str
    """Heading of the column."""
    values: Callable[[Verdict], Sequence[Number]]
    """Function that returns a verdict's values for the mean; None for each unscored one."""
    share: bool = False
    """True if the values are 0 or 1 (or between) and the mean is shown in per cent."""
    unit: str = ""
    """Text that follows the mean; unused for a share."""
    digits: int = 1
    """Number of decimals that are shown; unused for a share."""
    optional: bool = False
    """True if a table leaves the column out when nothing in it is scored."""
    negative: str = ""
    """Explanation that a table shows when a mean is below zero."""
    paired: bool = False
    """True if a report compares arms in this column although it is no share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A number that is computed from many verdicts together and is not a mean."""

    title: str
    """Heading of the number."""
    take: Callable[[Verdict], Any]
    """Function that returns the data that `read` needs from one verdict."""
    read: Callable[[Sequence[Any]], Mapping[str, Number]]
    """Function that returns the number of each group of episodes by name; None if unscored."""
    digits: int = 3
    """Number of decimals that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A kind of check that the report of one verdict lists under "Measured"."""

    name: str
    """Name of the checks."""
    unit: str = ""
    """Unit of their values."""
    of: bool = False
    """True if there is one check for each goal or worker; False if there is one for the episode."""


def measure_entry(name: str) -> SummaryEntry:
    """Return the entry whose number is the value of a check of the whole episode."""

    def read(goals: Sequence[Goal], checks: Sequence[Check]) -> Number:
        for check in checks:
            same = (check.name, check.subject) == (name, EPISODE)
            if same and isinstance(check.value, int | float):
                return check.value
        return None

    return SummaryEntry(name=name, read=read)


def count_entry(name: str, count: Callable[[Sequence[Goal], Sequence[Check]], int]) -> SummaryEntry:
    """Return the entry whose number is counted from goals and checks."""
    return SummaryEntry(name=name, read=count)


def column_of_summary(
    name: str, title: str, unit: str = "", optional: bool = False, negative: str = ""
) -> Column:
    """Return the column of means of one entry of the summaries."""

    def values(verdict: Verdict) -> Sequence[Number]:
        return [verdict.summary.get(name)]

    return Column(
        name=name, title=title, values=values, unit=unit, optional=optional, negative=negative
    )


def column_of_passes(name: str, title: str, check: str) -> Column:
    """Return the column of the share of passed checks among the checks of one name."""

    def values(verdict: Verdict) -> Sequence[Number]:
        return [each.passed for each in verdict.of(check)]

    return Column(name=name, title=title, values=values, share=True)


def column_of_values(name: str, title: str, unit: str = "", digits: int = 1) -> Column:
    """Return the column of means of the checks of one name; it is optional."""

    def values(verdict: Verdict) -> Sequence[Number]:
        found = [check.value for check in verdict.of(name)]
        return [each for each in found if isinstance(each, bool | int | float)]

    return Column(name=name, title=title, values=values, unit=unit, digits=digits, optional=True)


SUMMARY: Sequence[SummaryEntry] = (
    *map(
        measure_entry,
        ("planner_calls", "model_calls", "repairs", "unusable_answers", "tokens", "fails"),
    ),
    count_entry("unscored", lambda goals, checks: sum(not check.scored for check in checks)),
)
"""The entries that end every summary, after the world's own."""

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
"""The columns of a world that grades: the mean score, and its share of the best score."""

REWARD = replace(column_of_values("reward", "reward", digits=2), paired=True)
"""The column of the reward of an episode, summed over all workers."""

PROGRESS: Sequence[Column] = (
    column_of_values("progress_completeness", "progress", digits=2),
    replace(column_of_passes("advancing", "advancing", "ites"), optional=True),
)
"""The columns of a world that has reference trajectories."""

OPTIMALITY: Sequence[Column] = (
    column_of_values("optimality_rate", "optimality", digits=2),
    column_of_values("steps_to_go", "steps to go", digits=2),
)
"""The columns of a world that knows an optimum or a bound on it."""

COLLABORATION: Sequence[Column] = (
    replace(column_of_passes("initiating", "initiating", "initiated"), optional=True),
    replace(column_of_passes("responding", "responding", "responded"), optional=True),
)
"""The columns of a world in which an agent needs information that another agent has."""

TALK: Sequence[Column] = (
    column_of_values("talk_initiated", "talk begun"),
    column_of_values("talk_responded", "talk answered"),
)
"""The columns of a world in which agents talk: the messages of one agent in one episode."""

CALLS: Sequence[Column] = (
    column_of_summary("planner_calls", "calls"),
    column_of_summary("fails", "FAILs"),
    replace(column_of_passes("recovered", "recovered", "recovered"), optional=True),
    column_of_values("recovery_time", "recovery", " timesteps"),
    column_of_summary("model_calls", "model calls", optional=True),
    column_of_summary("repairs", "repairs", optional=True),
    column_of_summary("unusable_answers", "unusable", optional=True),
    replace(column_of_summary("tokens", "tokens", optional=True), paired=True),
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
"""The columns that end the table of every suite, after the world's own."""


def _per_cent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 4)


def _latency(verdict: Verdict) -> Number:
    """Return the mean seconds of an answered model call; None if no call was answered."""
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
"""The measures that the report of every verdict shows."""
