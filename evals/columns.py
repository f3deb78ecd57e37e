"""Columns: the numbers that are reported of one episode and of many, each defined once.

An entry of a summary is computed from the goals and the checks of one verdict. A column of a suite
takes values from each verdict and shows their mean. This module has the entries and columns of
every world, and columns that several worlds share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from cookmas.evals.verdict import EPISODE, Check, Goal, Number, Verdict

Direction = Literal["more", "less"]
"""Which is better, more of a figure or less, in every world that has it.

One of the declarations of a figure says it: a summary entry, a column or a measure.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryEntry:
    """One number in the summary of a verdict."""

    name: str
    read: Callable[[Sequence[Goal], Sequence[Check]], Number]
    """Function that computes the number from the goals and the checks of a verdict."""
    better: Direction | None = None
    measured_in: str = ""
    """The unit of values after which no table shows one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table of many verdicts.

    A report compares the arms of a suite in every column that is a share or is `paired`.
    """

    name: str
    """Identifier of the column, also for the option `--column`."""
    title: str
    values: Callable[[Verdict], Sequence[Number]]
    """Function that returns a verdict's values for the mean; None stands for an unscored value."""
    share: bool = False
    """True if all values are from 0 to 1; then the table shows the mean in per cent."""
    unit: str = ""
    """Text that follows the mean; unused for a share."""
    digits: int = 1
    """Number of decimals that are shown; unused for a share."""
    optional: bool = False
    """True if a table omits the column when none of its values is scored."""
    negative: str = ""
    """Explanation that a table shows if a mean is below zero."""
    paired: bool = False
    """True if a report compares arms in this column although its values are no shares."""
    better: Direction | None = None
    measured_in: str = ""
    """The unit of values after which no table shows one."""

    def show(self, value: float, sign: str = "") -> str:
        """Return a number of the column without its unit; with `sign` "+", always with a sign."""
        return f"{100 * value:{sign}.1f}" if self.share else f"{value:{sign}.{self.digits}f}"

    def show_with_unit(self, value: float) -> str:
        """Return a number of the column with its unit."""
        return f"{self.show(value)}{'%' if self.share else self.unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A number that is computed from many verdicts together, but not as a mean."""

    title: str
    take: Callable[[Verdict], Any]
    """Function that extracts from one verdict the data for `read`."""
    read: Callable[[Sequence[Any]], Mapping[str, Number]]
    """Function that computes a number for each group of episodes, by the group's name.

    It returns None for a group that is unscored.
    """
    digits: int = 3
    """Number of decimals that are shown."""
    measured_in: str = ""
    """The unit of the number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A kind of check that the report of one verdict lists under "Measured"."""

    name: str
    unit: str = ""
    of: bool = False
    """True if there is one check for each goal or worker; False if there is one for the episode."""
    better: Direction | None = None
    measured_in: str = ""
    """The unit of values after which no table shows one."""


def measure_entry(name: str, better: Direction | None = None) -> SummaryEntry:
    """Return a summary entry: the value of the check `name` of the whole episode."""

    def read(goals: Sequence[Goal], checks: Sequence[Check]) -> Number:
        for check in checks:
            same = (check.name, check.subject) == (name, EPISODE)
            if same and isinstance(check.value, int | float):
                return check.value
        return None

    return SummaryEntry(name=name, read=read, better=better)


def total_entry(name: str) -> SummaryEntry:
    """Return a summary entry: the sum of the values of all checks `name`.

    It is None if there is none, or if one of them is unscored.
    """

    def read(goals: Sequence[Goal], checks: Sequence[Check]) -> Number:
        values = [check.value for check in checks if check.name == name]
        numbers = [value for value in values if isinstance(value, int | float)]
        return sum(numbers) if numbers and len(numbers) == len(values) else None

    return SummaryEntry(name=name, read=read)


def count_entry(
    name: str,
    count: Callable[[Sequence[Goal], Sequence[Check]], int],
    better: Direction | None = None,
    measured_in: str = "",
) -> SummaryEntry:
    """Return a summary entry whose number the function `count` computes."""
    return SummaryEntry(name=name, read=count, better=better, measured_in=measured_in)


def column_of_summary(
    name: str,
    title: str,
    unit: str = "",
    optional: bool = False,
    negative: str = "",
    better: Direction | None = None,
) -> Column:
    """Return a column that shows the mean of the summary entry `name`."""

    def values(verdict: Verdict) -> Sequence[Number]:
        return [verdict.summary.get(name)]

    return Column(
        name=name,
        title=title,
        values=values,
        unit=unit,
        optional=optional,
        negative=negative,
        better=better,
    )


def column_of_passes(name: str, title: str, check: str) -> Column:
    """Return a column that shows the share of passed checks among all checks named `check`."""

    def values(verdict: Verdict) -> Sequence[Number]:
        return [each.passed for each in verdict.of(check)]

    return Column(name=name, title=title, values=values, share=True, better="more")


def column_of_values(
    name: str, title: str, unit: str = "", digits: int = 1, better: Direction | None = None
) -> Column:
    """Return an optional column that shows the mean value of all checks named `name`."""

    def values(verdict: Verdict) -> Sequence[Number]:
        measured = [check.value for check in verdict.of(name)]
        return [each for each in measured if isinstance(each, bool | int | float)]

    return Column(
        name=name,
        title=title,
        values=values,
        unit=unit,
        digits=digits,
        optional=True,
        better=better,
    )


SUMMARY: Sequence[SummaryEntry] = (
    *map(
        measure_entry,
        (
            "planner_calls",
            "model_calls",
            "repairs",
            "unusable_answers",
            "lenient_answers",
            "tokens",
            "fails",
        ),
    ),
    count_entry(
        "unscored", lambda goals, checks: sum(not each.scored for each in checks), "less", "checks"
    ),
)
"""The last entries of every summary, after those of the world."""

SUCCESS = Column(
    name="success", title="success", values=lambda v: [v.success], share=True, better="more"
)

SCORE = Column(
    name="score",
    title="score",
    values=lambda verdict: [verdict.score],
    digits=2,
    optional=True,
    paired=True,
    better="more",
    measured_in="points",
)

OPTIMALITY_RATE = replace(
    column_of_values("optimality_rate", "optimality", digits=2, better="more"), measured_in="share"
)
"""The column of a world that knows an optimum or a bound on it."""

OPTIMALITY: Sequence[Column] = (
    OPTIMALITY_RATE,
    column_of_values("rate_of_best_known", "of best known", digits=2, better="more"),
    column_of_values("steps_to_go", "steps to go", digits=2, better="less"),
)
"""The columns of such a world in which the aim is to be quick."""

GRADES: Sequence[Column] = (SCORE, replace(OPTIMALITY_RATE, paired=True))
"""The columns of a world that grades: the mean score, and how near it is to the best score."""

PROGRESS: Sequence[Column] = (
    column_of_values("progress_completeness", "progress", digits=2, better="more"),
    replace(column_of_passes("advancing", "advancing", "ites"), optional=True),
)
"""The columns of a world that has reference trajectories."""

DISRUPTIONS: Sequence[Column] = (
    column_of_summary("disruption_cost", "disruptions", " timesteps", optional=True),
    column_of_summary("replan_regret", "regret", " timesteps", optional=True, better="less"),
    replace(column_of_values("own_yardstick", "regret is at least", better="less"), share=True),
    column_of_values("price_of_not_knowing", "price of not knowing", digits=2, better="less"),
    column_of_values("disruption_recovery", "recovery of requests", " timesteps", better="less"),
    replace(column_of_values("nervousness", "nervousness", better="less"), share=True),
    column_of_values("edit_radius", "edit radius", " timesteps", better="less"),
    replace(column_of_values("preserved_work", "preserved work", better="more"), share=True),
    replace(column_of_values("unchanged_replan", "unchanged replans", better="more"), share=True),
)
"""The columns of a world that prices disruptions: totals of an episode, then means of all replans
or disruptions. `regret is at least` is the share of regrets whose yardstick is the planner's own
schedule: with a better one they would be greater.
"""

COLLABORATION: Sequence[Column] = (
    replace(column_of_passes("initiating", "initiating", "initiated"), optional=True),
    replace(column_of_passes("responding", "responding", "responded"), optional=True),
)
"""The columns of a world in which an agent needs information that another agent has."""

TALK: Sequence[Column] = (
    column_of_values("talk_initiated", "talk begun"),
    column_of_values("talk_responded", "talk answered"),
)
"""The columns of a world in which agents talk: the mean number of messages of an agent."""

CALLS: Sequence[Column] = (
    column_of_summary("planner_calls", "calls"),
    column_of_summary("fails", "FAILs", better="less"),
    replace(column_of_passes("recovered", "recovered", "recovered"), optional=True),
    column_of_values("recovery_time", "recovery", " timesteps", better="less"),
    column_of_summary("model_calls", "model calls", optional=True),
    column_of_summary("repairs", "repairs", optional=True, better="less"),
    column_of_summary("unusable_answers", "unusable", optional=True, better="less"),
    column_of_summary("lenient_answers", "lenient", optional=True, better="less"),
    replace(column_of_summary("tokens", "tokens", optional=True, better="less"), paired=True),
    Column(
        name="cost",
        title="cost",
        values=lambda verdict: [verdict.measured.cost if verdict.measured else None],
        digits=4,
        optional=True,
        paired=True,
        better="less",
        measured_in="money",
    ),
    Column(
        name="latency",
        title="latency",
        values=lambda verdict: [_latency(verdict)],
        unit=" s",
        digits=2,
        optional=True,
        better="less",
    ),
)
"""The last columns in the table of every suite, after those of the world."""


def _latency(verdict: Verdict) -> Number:
    """Return the mean seconds of an answered model call; None if no call was answered."""
    calls = verdict.summary.get("model_calls")
    return verdict.measured.model_seconds / calls if verdict.measured and calls else None


MEASURES: Sequence[Measure] = (
    Measure(name="planner_calls", measured_in="answers"),
    Measure(name="schedules_refused", better="less", measured_in="answers"),
    Measure(name="model_calls", measured_in="model calls"),
    Measure(name="repairs", measured_in="model calls"),
    Measure(name="unusable_answers", measured_in="answers"),
    Measure(name="lenient_answers", measured_in="answers"),
    Measure(name="tokens", measured_in="tokens"),
    Measure(name="fails", measured_in="actions"),
    Measure(name="mistake", better="less", measured_in="mistakes"),
    Measure(name="use", of=True, measured_in="share"),
)
"""The measures that the report of every verdict shows."""

FURTHER: Sequence[Measure] = (
    Measure(name="calls_by_trigger", of=True, measured_in="answers"),
    Measure(name="model_calls_by_purpose", of=True, measured_in="model calls"),
    Measure(name="fails_by_reason", of=True, better="less", measured_in="actions"),
    Measure(name="fails_by_worker", of=True, better="less", measured_in="actions"),
    Measure(name="lenient", unit="answers", of=True, better="less"),
)
"""The checks of every world that only the page of a run shows."""

TALK_MEASURES: Sequence[Measure] = (
    Measure(name="talk_initiated", of=True, measured_in="messages"),
    Measure(name="talk_responded", of=True, measured_in="messages"),
)
"""The measures of a world in which agents talk."""
