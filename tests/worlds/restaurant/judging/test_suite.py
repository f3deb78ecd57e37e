from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cookmas import judge
from cookmas.episodes.trace import PlannerClass, Trace
from cookmas.evals.suite import Figure, MeansRow, aggregate
from cookmas.evals.verdict import Verdict
from cookmas.kitchen.customizations import Without
from cookmas.worlds.restaurant.judging import JUDGING
from tests.worlds.restaurant.judging.house import HOUSE


def episode(planner: str, planner_class: PlannerClass, butter: bool) -> Trace:
    served = ["bread > grill 3", *(["butter"] if butter else [])]
    how: Any = {"planner": planner, "planner_class": planner_class, "note": "as I like it"}
    return HOUSE.ordered(HOUSE.serve(served), "Buttered Toast", **how)


@pytest.fixture
def verdicts() -> list[Verdict]:
    truth = HOUSE.knowing(Without(food="butter"))
    fixed = [episode("by hand", "fixed", butter) for butter in (False, False, True)]
    pure = [episode("by hand", "pure", False), episode("another", "pure", True)]
    broken = Trace(fixed[0].records[:-1])
    return [judge(trace, truth) for trace in (*fixed, *pure, broken)]


def tables(verdicts: Sequence[Verdict]) -> dict[PlannerClass, Sequence[MeansRow]]:
    return aggregate(verdicts, JUDGING.columns)


def test_planner_classes_are_never_mixed(verdicts: list[Verdict]) -> None:
    found = tables(verdicts)
    assert [(name, [row.planner for row in rows]) for name, rows in found.items()] == [
        ("pure", ["another", "by hand"]),
        ("fixed", ["by hand"]),
    ]
    assert [row.episodes for rows in found.values() for row in rows] == [1, 1, 4]


def test_rates_are_over_what_was_scored(verdicts: list[Verdict]) -> None:
    (row,) = tables(verdicts)["fixed"]
    assert row.episodes == 4
    of = row.figures
    assert of["success"] == Figure(value=0.6667, scored=3, unscored=1)
    assert (of["dishes"].value, of["dishes"].scored) == (0.6667, 3)
    assert (of["customizations"].value, of["customizations"].scored) == (0.6667, 3)
    assert (of["planner_calls"].value, of["fails"].value) == (1.0, 0.0)
    gaps = [gap for v in verdicts[:3] if (gap := v.summary["gap"]) is not None]
    assert of["gap"].value == pytest.approx(sum(gaps) / 2, abs=1e-2)
    assert of["gap"].unscored == 2


def test_what_was_never_scored_has_no_mean() -> None:
    broken = Trace(episode("by hand", "fixed", False).records[:-1])
    (row,) = tables([judge(broken, HOUSE.truth)])["fixed"]
    of = row.figures
    assert of["success"] == Figure(value=None, scored=0, unscored=1)
    assert (of["dishes"].value, of["dishes"].scored) == (None, 0)


def test_no_verdicts_make_no_tables() -> None:
    assert tables([]) == {}
