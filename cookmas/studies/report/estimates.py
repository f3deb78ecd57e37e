"""The estimates of a report: the mean of each column of each arm, and differences between arms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from cookmas.evals.columns import SUCCESS, Column
from cookmas.evals.statistics import (
    Cases,
    Estimate,
    PairedDifference,
    adjust,
    difference,
    estimate,
    pass_hat,
)
from cookmas.evals.suite import Figure
from cookmas.files.errors import InputError
from cookmas.files.wording import suggest_name
from cookmas.studies.report.results import ArmResults, EpisodeNumbers


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmFigure:
    """The mean of one column over the episodes of one arm that enter its figures.

    The numbers of episodes and of values leave out copies (see the module `copies`).
    """

    arm: ArmResults
    """The arm."""
    group: str | None
    """The group of scenarios; None for all groups together."""
    column: Column
    """The column."""
    estimate: Estimate | None
    """The mean with its interval; None if nothing is scored."""
    episodes: int
    """Number of episodes."""
    scored: int
    """Number of scored values."""
    unscored: int
    """Number of unscored values."""


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


def figures(arm: ArmResults, columns: Sequence[Column]) -> list[ArmFigure]:
    """Return the figure of every column of an arm over all episodes; then, if there are several
    groups, over each group.
    """
    groups = sorted({each.group for each in arm.played if each.group is not None})
    return [
        _figure(arm, group, column)
        for group in (None, *(groups if len(groups) > 1 else ()))
        for column in columns
    ]


def _figure(arm: ArmResults, group: str | None, column: Column) -> ArmFigure:
    played = arm.of_group(group)
    cases = cases_of(played, column)
    once = [each for each in played if not each.copy]
    counted = Figure.of([value for each in once for value in each.values[column.name]])
    return ArmFigure(
        arm=arm,
        group=group,
        column=column,
        estimate=estimate(cases, share=column.share),
        episodes=len(once),
        scored=counted.scored,
        unscored=counted.unscored,
    )


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
    found = [
        (one, other, gap)
        for one, other in compared
        if (gap := difference(cases[id(one)], cases[id(other)]))
    ]
    qs = adjust([gap.p for _, _, gap in found])
    return [
        Pair(one=one, other=other, column=column, found=gap, q=q)
        for (one, other, gap), q in zip(found, qs, strict=True)
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
            known = list(dict.fromkeys(arm.label for arm in arms))
            expected = f"expected one of {known}{suggest_name(name, known)}"
            raise InputError("--compare", f"there is no {name!r}; {expected}")
    yield chosen[0][-1], chosen[1][-1]
