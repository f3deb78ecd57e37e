"""Columns and summaries take from a verdict what their names say, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.evals.columns import (
    CALLS,
    SCORE,
    SUCCESS,
    SUMMARY,
    column_of_passes,
    column_of_summary,
    column_of_values,
    measure_entry,
    total_entry,
)
from cookmas.evals.verdict import EPISODE, Check, Measurements, Verdict
from cookmas.world_names import WORLDS, domain_of

CHECKS = (
    Check(name="a", subject="x", value=True, passed=True),
    Check(name="a", subject="y", value=False, passed=False),
    Check(name="a", subject="z", value=None),
    Check(name="b", subject="x", value=2),
    Check(name="b", subject=EPISODE, value=3.5),
    Check(name="c", subject="x", value="a word"),
)


def judged(**changes: Any) -> Verdict:
    fields: dict[str, Any] = {
        "world": "w",
        "scenario": "s",
        "scenario_digest": "",
        "planner": "p",
        "planner_class": "pure",
        "judges": "1",
        "termination": "finished",
        "success": True,
        "why": "",
        "summary": {"b": 7, "model_calls": 4},
        "goals": (),
        "checks": CHECKS,
    }
    return Verdict(**(fields | changes))


def test_a_share_of_passes_has_a_value_for_each_check_and_none_for_an_unscored_one() -> None:
    assert list(column_of_passes("n", "t", "a").values(judged())) == [True, False, None]
    assert column_of_passes("n", "t", "a").share


def test_a_mean_of_values_has_the_numbers_alone() -> None:
    assert list(column_of_values("b", "t").values(judged())) == [2, 3.5]
    assert list(column_of_values("c", "t").values(judged())) == []
    assert list(column_of_summary("b", "t").values(judged())) == [7]
    assert list(column_of_summary("d", "t").values(judged())) == [None]


def test_an_entry_of_a_summary_is_the_episodes_value_or_the_sum_of_all() -> None:
    assert measure_entry("b").read((), CHECKS) == 3.5
    assert measure_entry("c").read((), CHECKS) is None
    assert total_entry("b").read((), CHECKS) == 5.5
    assert total_entry("c").read((), CHECKS) is None


def test_the_summary_counts_the_checks_that_are_unscored() -> None:
    (unscored,) = (entry for entry in SUMMARY if entry.name == "unscored")
    assert [unscored.read((), checks) for checks in (CHECKS, CHECKS[:2])] == [1, 0]


@pytest.mark.parametrize("score", [4.0, 0.0, None])
def test_success_and_score_are_those_of_the_verdict(score: float | None) -> None:
    assert list(SCORE.values(judged(score=score))) == [score]
    assert [*SUCCESS.values(judged()), *SUCCESS.values(judged(success=None))] == [True, None]


def test_latency_and_cost_come_from_the_measurements() -> None:
    took = Measurements(wall_seconds=90, model_seconds=6, retries=0, cost=0.25)
    columns = {column.name: column for column in CALLS}
    assert list(columns["latency"].values(judged(measured=took))) == [1.5]
    assert list(columns["cost"].values(judged(measured=took))) == [0.25]
    for name in ("latency", "cost"):
        assert list(columns[name].values(judged())) == [None]
    assert list(columns["latency"].values(judged(measured=took, summary={}))) == [None]


COMPARED = {
    "advancing": "ites",
    "bells": "rung",
    "initiating": "initiated",
    "responding": "responded",
    "dishes": "complete",
    "customizations": "customization",
    "completed_of_closed": "served",
}
"""The checks behind the shares whose names differ from theirs."""


@pytest.mark.parametrize("world", WORLDS)
def test_each_share_of_a_world_is_that_of_its_own_checks(world: str) -> None:
    """A check of its name, passed once in four, gives a quarter; all other columns stay empty."""
    columns = [column for column in domain_of(world).judging.columns if column.share]
    for column in columns:
        if column.name == "success":
            assert list(column.values(judged(success=False, checks=()))) == [False]
            continue
        checks = [
            Check(
                name=COMPARED.get(column.name, column.name),
                subject=str(n),
                value=n == 3,
                passed=n == 3,
            )
            for n in range(4)
        ]
        assert list(column.values(judged(checks=tuple(checks)))) == [False, False, False, True]
        for other in columns:
            if other.name not in ("success", column.name):
                assert not list(other.values(judged(checks=tuple(checks))))


@pytest.mark.parametrize("world", WORLDS)
def test_each_mean_of_a_world_is_that_of_its_own_checks(world: str) -> None:
    """Either of the checks of its name, such as `chance`, or of the entry of the summary."""
    for column in domain_of(world).judging.columns:
        if column.share or column.unit == "%" or column.name in ("score", "cost", "latency"):
            continue
        check = Check(name=column.name, subject=EPISODE, value=2)
        found = [
            list(column.values(judged(checks=(check,), summary={}))),
            list(column.values(judged(checks=(), summary={column.name: 2}))),
        ]
        assert found in ([[2], []], [[None], [2]])
