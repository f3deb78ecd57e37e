"""Measures as rows, and the success of worlds whose goals have a time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cookmas.evals.judging import GoalJudging
from cookmas.evals.rows import Measured, MeasureTable, of_each, of_episode, row, share_of
from cookmas.evals.verdict import Check, Goal, make_check, make_unscored

TABLE = MeasureTable(
    of_each(
        lambda evidence: {name: (age,) for name, age in evidence.items()},
        row("age", lambda age: age if age is None else Measured(age, passed=age < 9), "years"),
        row("adult", lambda age: "nobody told the age" if age is None else Measured(age > 17)),
    ),
    of_episode(row("people", lambda evidence: Measured(len(evidence)), better="more")),
)


def test_rows_are_measured_subject_by_subject_and_unscored_for_their_reason() -> None:
    assert list(TABLE({"ann": 8, "bob": None})) == [
        Check(name="age", subject="ann", value=8, passed=True),
        make_check("adult", "ann", False),
        make_unscored("adult", "bob", "nobody told the age"),
        Check(name="people", subject="episode", value=2),
    ]


def test_a_row_is_the_measure_that_reports_list() -> None:
    listed = [(each.name, each.unit, each.of, each.better) for each in TABLE.rows]
    assert listed == [
        ("age", "years", True, None),
        ("adult", "", True, None),
        ("people", "", False, "more"),
    ]
    assert TABLE["people"] is TABLE.rows[-1]


def test_a_share_has_its_numbers_as_the_reason() -> None:
    assert share_of(1, 3, "lines") == Measured(0.3333, "1 of 3 lines")
    assert share_of(2, 2, evidence="all") == Measured(1.0, "2 of 2", "all")


class Bells(GoalJudging):
    ends = ("finished",)
    deciding, missed, reached = "rung", "not rung", "all rung"

    def goals(self, evidence: Any) -> list[Goal]:
        return [Goal(name=name, what="bell", status="") for name in ("red", "blue")]


@pytest.mark.parametrize(
    ("ending", "red", "blue", "success", "why"),
    [
        ("finished", True, True, True, "all rung"),
        ("finished", True, False, False, "not rung: blue"),
        ("finished", True, None, None, "could not be judged: blue"),
        ("finished", False, None, False, "not rung: red"),
        ("horizon", True, True, False, "the episode ended early (horizon): time is up"),
        ("won", False, True, False, "not rung: red; the episode ended early (won): time is up"),
    ],
)
def test_goals_are_reached_in_time_or_missed_or_unknown(
    ending: str, red: bool | None, blue: bool | None, success: bool | None, why: str
) -> None:
    evidence = SimpleNamespace(end=SimpleNamespace(termination=ending, why="time is up"))
    checks = [make_check("rung", "red", red), make_check("other", "blue", False)]
    checks += [] if blue is None else [make_check("rung", "blue", blue)]
    assert Bells().success(evidence, checks) == (success, why)
