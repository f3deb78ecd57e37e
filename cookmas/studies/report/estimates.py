"""The estimates of a report: the means of columns, their correlations, and differences of arms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from cookmas.evals.columns import SUCCESS, Column
from cookmas.evals.statistics import (
    Cases,
    Correlation,
    Estimate,
    PairedDifference,
    adjust,
    correlate,
    difference,
    estimate,
    pass_hat,
)
from cookmas.evals.suite import Figure, MeansRow
from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.studies.report.results import ArmResults, EpisodeNumbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A comparison of two arms in one column."""

    one: ArmResults
    """The first arm."""
    other: ArmResults
    """The arm that is subtracted."""
    column: Column
    """The column."""
    found: PairedDifference
    """The difference with its test."""
    q: float
    """The p-value, adjusted for the number of pairs in the table."""


Overall = Mapping[str, MeansRow]
"""The row of each arm over all its episodes, by the arm's label."""


def means_of(arm: ArmResults, columns: Sequence[Column]) -> list[MeansRow]:
    """Return the row of an arm over all episodes; then, if there are several groups, of each.

    The numbers of episodes and of values leave out copies (see the module `results`).
    """
    groups = sorted({each.group for each in arm.played if each.group is not None})
    return [_row(arm, group, columns) for group in (None, *(groups if len(groups) > 1 else ()))]


def _row(arm: ArmResults, group: str | None, columns: Sequence[Column]) -> MeansRow:
    played = arm.of_group(group)
    once = [each for each in played if not each.copy]
    figures = dict[str, Figure]()
    for column in columns:
        counted = Figure.of([value for each in once for value in each.values[column.name]])
        mean = estimate(cases_of(played, column), share=column.share)
        figures[column.name] = replace(counted, value=mean.mean if mean else None, estimate=mean)
    return MeansRow(planner=arm.label, group=group, episodes=len(once), figures=figures)


def cases_of(played: Iterable[EpisodeNumbers], column: Column) -> Cases:
    """Return the scored values of a column by case."""
    cases: dict[str, list[float]] = {}
    for each in played:
        scored = [value for value in each.values[column.name] if value is not None]
        cases.setdefault(each.case, []).extend(scored)
    return cases


def passes(arm: ArmResults) -> list[Estimate | None]:
    """Return pass^k for every k from 1 to the number of repeats.

    pass^k is the chance that k repeats of a scenario all succeed.
    """
    cases = cases_of(arm.played, SUCCESS)
    return [pass_hat(cases, k) for k in range(1, arm.repeats + 1)]


def comparisons(
    arms: Sequence[ArmResults], columns: Sequence[Column], named: Sequence[str]
) -> Iterator[list[Pair]]:
    """Yield the pairs of arms for each column that can be compared.

    `named` is as in `pairs`. Raise InputError if a named arm does not exist.
    """
    for column in columns:
        if (column.share or column.paired) and (found := pairs(arms, column, named)):
            yield found


def pairs(arms: Sequence[ArmResults], column: Column, named: Sequence[str]) -> list[Pair]:
    """Return the differences between arms in a column, for all pairs of arms of the same class.

    If `named` has two labels, compare only these two arms, even if their classes differ. Raise
    InputError if a named arm does not exist.
    """
    compared = list(_choose(arms, named) if named else _comparable(arms))
    cases = {id(arm): cases_of(arm.played, column) for pair in compared for arm in pair}
    gaps = [
        (one, other, gap)
        for one, other in compared
        if (gap := difference(cases[id(one)], cases[id(other)]))
    ]
    qs = adjust([gap.p for _, _, gap in gaps])
    return [
        Pair(one=one, other=other, column=column, found=gap, q=q)
        for (one, other, gap), q in zip(gaps, qs, strict=True)
    ]


def _comparable(arms: Sequence[ArmResults]) -> Iterator[tuple[ArmResults, ArmResults]]:
    """Yield the pairs of arms of the same class that have the same name, or the same value of the
    varied option.
    """
    for one, other in combinations(arms, 2):
        if one.planner_class == other.planner_class and (
            one.at == other.at or one.name == other.name
        ):
            yield one, other


def _choose(
    arms: Sequence[ArmResults], named: Sequence[str]
) -> Iterator[tuple[ArmResults, ArmResults]]:
    chosen = [[arm for arm in arms if arm.is_named(name)] for name in named]
    for name, found in zip(named, chosen, strict=True):
        if not found:
            labels = list(dict.fromkeys(arm.label for arm in arms))
            expected = f"expected one of {labels}{suggest_name(name, labels)}"
            raise InputError("--compare", f"there is no {name!r}; {expected}")
    yield chosen[0][-1], chosen[1][-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelatedPair:
    """Two figures of several planners, with their correlation."""

    one: Column
    """The first figure."""
    other: Column
    """The other figure."""
    means: Sequence[tuple[str, float, float]]
    """The name of each planner, and its means of the two figures."""
    found: Correlation


def correlate_pairs(
    arms: Sequence[ArmResults], columns: Sequence[Column], overall: Overall
) -> Iterator[CorrelatedPair]:
    """Yield each pair of columns that has a correlation over the arms that asked a model.

    Which pairs have one is as `correlate` says. `overall` has the means.
    """
    means = {
        column.name: {
            arm.label: mean
            for arm in arms
            if any(each.summary.get("model_calls") for each in arm.played)
            and (mean := overall[arm.label].figures[column.name].value) is not None
        }
        for column in columns
    }
    for one, other in combinations(columns, 2):
        ones, others = means[one.name], means[other.name]
        both = [(name, ones[name], others[name]) for name in ones if name in others]
        if correlation := correlate([x for _, x, _ in both], [y for _, _, y in both]):
            yield CorrelatedPair(one=one, other=other, means=both, found=correlation)
