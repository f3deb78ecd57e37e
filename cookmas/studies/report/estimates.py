"""The estimates of a report: every column of every arm with its interval, and differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from cookmas.studies.report.results import ArmResults, EpisodeNumbers
from evals.columns import SUCCESS, Column
from evals.statistics import (
    Cases,
    Estimate,
    PairedDifference,
    adjust,
    difference,
    estimate,
    pass_hat,
)
from files.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmFigure:
    """One column of one arm, without copies."""

    arm: ArmResults
    """The arm."""
    group: str | None
    """The group of scenarios; None: all groups."""
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
    """Two arms compared in one column."""

    one: ArmResults
    """The first arm."""
    other: ArmResults
    """The arm that is subtracted."""
    column: Column
    """The column."""
    found: PairedDifference
    """The difference with its test."""
    q: float
    """p, adjusted for all pairs of the table."""


def figures(arm: ArmResults, columns: Sequence[Column]) -> list[ArmFigure]:
    """Return every column of an arm over all groups, and over each group if there are several."""
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
    scored = sum(map(len, cases_of(once, column).values()))
    return ArmFigure(
        arm=arm,
        group=group,
        column=column,
        estimate=estimate(cases, share=column.share),
        episodes=len(once),
        scored=scored,
        unscored=sum(len(each.values[column.name]) for each in once) - scored,
    )


def cases_of(played: Iterable[EpisodeNumbers], column: Column) -> Cases:
    """Return the scored values of a column by case."""
    cases: dict[str, list[float]] = {}
    for each in played:
        scored = [value for value in each.values[column.name] if value is not None]
        cases.setdefault(each.case, []).extend(scored)
    return cases


def passes(arm: ArmResults) -> list[Estimate | None]:
    """Return pass^k for every k from 1 to the number of repeats."""
    cases = cases_of(arm.played, SUCCESS)
    return [pass_hat(cases, k) for k in range(1, arm.repeats + 1)]


def comparisons(
    arms: Sequence[ArmResults], columns: Sequence[Column], named: Sequence[str]
) -> Iterator[list[Pair]]:
    """Yield the pairs of each column that is compared. Raise InputError for an unknown arm."""
    for column in columns:
        if (column.share or column.paired) and (found := pairs(arms, column, named)):
            yield found


def pairs(arms: Sequence[ArmResults], column: Column, named: Sequence[str]) -> list[Pair]:
    """Return all pairs of arms of the same class, or the one pair that is named, of any classes.

    Raise InputError if an arm does not exist.
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
    """Yield the pairs of one class that share the value of the varied option or the arm's name."""
    for one, other in combinations(arms, 2):
        if one.planner_class == other.planner_class and (
            one.at == other.at or one.name == other.name
        ):
            yield one, other


def _choose(
    arms: Sequence[ArmResults], named: Sequence[str]
) -> Iterator[tuple[ArmResults, ArmResults]]:
    by_name = {arm.label: arm for arm in arms}
    for name in named:
        if name not in by_name:
            raise InputError("--compare", f"there is no {name!r}; expected one of {list(by_name)}")
    yield by_name[named[0]], by_name[named[1]]
