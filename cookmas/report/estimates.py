"""What is estimated of the arms of a report: every column with its interval, and differences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from cookmas.report.results import Arm, Played
from cookmas.worlds import domain_of
from episodes.errors import InputError
from evals.columns import Column
from evals.statistics import Cases, Difference, Estimate, adjusted, difference, estimate, pass_hat


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One column of one arm, over a level or all (None); no `estimate` where nothing is scored."""

    arm: Arm
    level: int | None
    column: Column
    estimate: Estimate | None
    episodes: int
    scored: int
    unscored: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two arms compared in one column; `q` is p adjusted for the pairs of the report."""

    one: Arm
    other: Arm
    column: Column
    found: Difference
    q: float


def figures(arm: Arm, columns: Sequence[Column]) -> list[Figure]:
    """Every column, over all levels and over each if there are several."""
    levels = sorted({each.verdict.level for each in arm.played if each.verdict.level is not None})
    return [
        _figure(arm, level, column)
        for level in (None, *(levels if len(levels) > 1 else ()))
        for column in columns
    ]


def _figure(arm: Arm, level: int | None, column: Column) -> Figure:
    played = arm.of_level(level)
    cases = cases_of(played, column)
    scored = sum(map(len, cases.values()))
    values = sum(len(column.values(each.verdict)) for each in played)
    return Figure(
        arm=arm,
        level=level,
        column=column,
        estimate=estimate(cases, share=column.share),
        episodes=len(played),
        scored=scored,
        unscored=values - scored,
    )


def cases_of(played: Iterable[Played], column: Column) -> Cases:
    """What was scored of a column, by case."""
    cases: dict[str, list[float]] = {}
    for each in played:
        scored = [float(value) for value in column.values(each.verdict) if value is not None]
        cases.setdefault(each.case, []).extend(scored)
    return cases


def passes(arm: Arm, success: Column) -> list[Estimate | None]:
    """pass^k for every k from 1 to the number of repeats."""
    cases = cases_of(arm.played, success)
    return [pass_hat(cases, k) for k in range(1, arm.repeats + 1)]


def pairs(arms: Sequence[Arm], column: Column, named: Sequence[str]) -> list[Pair]:
    """The arms of one class compared two by two, or two that are named, whatever their classes.

    Raises InputError if there is none of a name.
    """
    compared = list(_chosen(arms, named) if named else _alike(arms))
    found = [
        (one, other, gap)
        for one, other in compared
        if (gap := difference(cases_of(one.played, column), cases_of(other.played, column)))
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


def columns_of(world: str) -> Sequence[Column]:
    """What is reported of a world."""
    return domain_of(world).judging.columns
