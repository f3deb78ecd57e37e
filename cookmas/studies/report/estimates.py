"""What is estimated of the arms of a report: every column with its interval, and differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from cookmas.studies.report.results import Arm, Played
from evals.columns import SUCCESS, Column
from evals.statistics import Cases, Difference, Estimate, adjusted, difference, estimate, pass_hat
from files.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One column of one arm, over a group of scenarios or all (None).

    There is no `estimate` where nothing is scored; copies are not counted.
    """

    arm: Arm
    group: str | None
    column: Column
    estimate: Estimate | None
    episodes: int
    scored: int
    unscored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two arms compared in one column; `q` is p adjusted for the pairs of the table."""

    one: Arm
    other: Arm
    column: Column
    found: Difference
    q: float


def figures(arm: Arm, columns: Sequence[Column]) -> list[Figure]:
    """Return every column, over all groups and over each if there are several."""
    groups = sorted({each.group for each in arm.played if each.group is not None})
    return [
        _figure(arm, group, column)
        for group in (None, *(groups if len(groups) > 1 else ()))
        for column in columns
    ]


def _figure(arm: Arm, group: str | None, column: Column) -> Figure:
    played = arm.of_group(group)
    cases = cases_of(played, column)
    once = [each for each in played if not each.copy]
    scored = sum(map(len, cases_of(once, column).values()))
    return Figure(
        arm=arm,
        group=group,
        column=column,
        estimate=estimate(cases, share=column.share),
        episodes=len(once),
        scored=scored,
        unscored=sum(len(each.values[column.name]) for each in once) - scored,
    )


def cases_of(played: Iterable[Played], column: Column) -> Cases:
    """Return the scored values of a column by case."""
    cases: dict[str, list[float]] = {}
    for each in played:
        scored = [value for value in each.values[column.name] if value is not None]
        cases.setdefault(each.case, []).extend(scored)
    return cases


def passes(arm: Arm) -> list[Estimate | None]:
    """Return pass^k for every k from 1 to the number of repeats."""
    cases = cases_of(arm.played, SUCCESS)
    return [pass_hat(cases, k) for k in range(1, arm.repeats + 1)]


def comparisons(
    arms: Sequence[Arm], columns: Sequence[Column], named: Sequence[str]
) -> Iterator[list[Pair]]:
    """Return the pairs of each column that is compared, where there are any. Raises InputError."""
    for column in columns:
        if (column.share or column.paired) and (found := pairs(arms, column, named)):
            yield found


def pairs(arms: Sequence[Arm], column: Column, named: Sequence[str]) -> list[Pair]:
    """Return the arms of one class compared two by two, or two that are named, of any classes.

    Raises InputError if there is none of a name.
    """
    compared = list(_chosen(arms, named) if named else _alike(arms))
    cases = {id(arm): cases_of(arm.played, column) for pair in compared for arm in pair}
    found = [
        (one, other, gap)
        for one, other in compared
        if (gap := difference(cases[id(one)], cases[id(other)]))
    ]
    qs = adjusted([gap.p for _, _, gap in found])
    return [
        Pair(one=one, other=other, column=column, found=gap, q=q)
        for (one, other, gap), q in zip(found, qs, strict=True)
    ]


def _alike(arms: Sequence[Arm]) -> Iterator[tuple[Arm, Arm]]:
    """Arms of one class, where something is varied at one value or one arm at two."""
    for one, other in combinations(arms, 2):
        if one.planner_class == other.planner_class and (
            one.at == other.at or one.name == other.name
        ):
            yield one, other


def _chosen(arms: Sequence[Arm], named: Sequence[str]) -> Iterator[tuple[Arm, Arm]]:
    by_name = {arm.label: arm for arm in arms}
    for name in named:
        if name not in by_name:
            raise InputError("--compare", f"there is no {name!r}; expected one of {list(by_name)}")
    yield by_name[named[0]], by_name[named[1]]
