from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from episodes.trace import PlannerClass, Trace
from evals.judge import judge
from evals.suite import aggregate, judge_all
from evals.verdict import Verdict
from kitchen.customizations import Without

if TYPE_CHECKING:
    from tests.evals.conftest import House


def episode(house: House, planner: str, planner_class: PlannerClass, butter: bool) -> Trace:
    served = ["bread > grill 3", *(["butter"] if butter else [])]
    order = house.order("Buttered Toast", note="as I like it")
    return house.play(
        house.serve(served), {0: [order]}, planner=planner, planner_class=planner_class
    )


@pytest.fixture
def verdicts(house: House) -> list[Verdict]:
    truth = house.knowing(Without(food="butter"))
    fixed = [episode(house, "by hand", "fixed", butter) for butter in (False, False, True)]
    pure = [episode(house, "by hand", "pure", False), episode(house, "another", "pure", True)]
    broken = Trace(fixed[0].records[:-1])
    return judge_all((trace, truth) for trace in (*fixed, *pure, broken))


def test_planner_classes_are_never_mixed(verdicts: list[Verdict]) -> None:
    tables = aggregate(verdicts)
    assert [(t.planner_class, [r.planner for r in t.rows]) for t in tables] == [
        ("pure", ["another", "by hand"]),
        ("fixed", ["by hand"]),
    ]
    assert [row.episodes for table in tables for row in table.rows] == [1, 1, 4]


def test_rates_are_over_what_was_scored(verdicts: list[Verdict]) -> None:
    row = aggregate(verdicts)[1].rows[0]
    assert row.episodes == 4
    assert (row.success.value, row.success.scored, row.success.unscored) == (0.6667, 3, 1)
    assert (row.dishes.value, row.dishes.scored) == (0.6667, 3)
    assert (row.customizations.value, row.customizations.scored) == (0.6667, 3)
    assert (row.planner_calls.value, row.fails.value) == (1.0, 0.0)
    gaps = [v.summary.gap for v in verdicts[:3] if v.summary.gap is not None]
    assert row.gap.value == pytest.approx(sum(gaps) / 3, abs=1e-4)
    assert row.gap.unscored == 1


def test_what_was_never_scored_has_no_mean(house: House) -> None:
    broken = Trace(episode(house, "by hand", "fixed", False).records[:-1])
    row = aggregate([judge(broken, house.truth)])[0].rows[0]
    assert (row.success.value, row.success.scored, row.success.unscored) == (None, 0, 1)
    assert (row.dishes.value, row.dishes.scored) == (None, 0)


def test_no_verdicts_make_no_tables() -> None:
    assert aggregate([]) == []
