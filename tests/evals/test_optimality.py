"""Optimality: 1 is best and nothing exceeds it, except a rate against a schedule that is known."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.evals.optimality import Attained, Optimum, Reached, optimality
from cookmas.evals.verdict import Check

AMOUNTS = st.integers(1, 500)
ROUNDED = Fraction(1, 19_999)
"""Half a unit of the fourth decimal, and what a float adds."""


def judge(best: Optimum | None, reached: Reached | Attained | None) -> dict[str, Check]:
    evidence: Any = SimpleNamespace()
    checks = list(optimality(lambda _: best, lambda _: reached)(evidence))
    found = {check.name: check for check in checks}
    assert len(found) == len(checks)
    return found


def exact(value: object) -> Fraction:
    assert isinstance(value, float)
    return Fraction(value)


@given(AMOUNTS, AMOUNTS)
def test_who_is_quick_is_rated_by_the_optimum_over_the_makespan(best: int, makespan: int) -> None:
    (rate,) = judge(Optimum(best, "bound", "less"), Reached(makespan)).values()
    assert rate.name == "optimality_rate"
    if makespan < best:
        assert not rate.scored
        assert rate.reason == (
            f"makespan {makespan} is better than a bound of {best}, so that is none"
        )
    else:
        assert abs(exact(rate.value) - Fraction(best, makespan)) <= ROUNDED
        assert rate.reason == f"makespan {makespan} against a bound of {best}"
        assert (rate.value == 1) is (makespan == best)


@given(AMOUNTS, AMOUNTS)
def test_an_amount_is_rated_by_the_largest_amount(most: int, amount: int) -> None:
    (rate,) = judge(Optimum(most, "optimum", "more"), Attained(amount, "soups")).values()
    if amount > most:
        assert not rate.scored
    else:
        assert abs(exact(rate.value) - Fraction(amount, most)) <= ROUNDED
        assert rate.reason == f"soups {amount} against an optimum of {most}"


@given(AMOUNTS, AMOUNTS, AMOUNTS)
def test_both_aims_have_one_direction(best: int, one: int, other: int) -> None:
    """The better of two episodes never has the smaller rate."""
    quick, slow = sorted((best + one, best + other))
    rates = [
        judge(Optimum(best, "optimum", "less"), Reached(makespan))["optimality_rate"].value
        for makespan in (slow, quick, best)
    ]
    amounts = [
        judge(Optimum(best + 500, "optimum", "more"), Attained(amount))["optimality_rate"].value
        for amount in (*sorted((one, other)), best + 500)
    ]
    for found in (rates, amounts):
        assert found == sorted(found, key=exact)
        assert found[-1] == 1.0


@pytest.mark.parametrize(
    ("makespan", "rate", "reason"),
    [
        (16, 0.875, "makespan 16 against a known schedule of 14"),
        (14, 1.0, "makespan 14 against a known schedule of 14"),
        (13, 1.0769, "makespan 13 against a known schedule of 14, which it surpasses"),
    ],
)
def test_only_the_rate_of_the_best_known_exceeds_one_and_says_so(
    makespan: int, rate: float, reason: str
) -> None:
    found = judge(Optimum(12, "bound", "less", known=14), Reached(makespan))
    assert found["optimality_rate"].value == round(12 / makespan, 4) < 1
    assert (found["rate_of_best_known"].value, found["rate_of_best_known"].reason) == (rate, reason)


def test_a_rate_has_four_decimals() -> None:
    assert judge(Optimum(47, "optimum", "less"), Reached(48))["optimality_rate"].value == 0.9792
    assert (
        judge(Optimum(3, "optimum", "less", known=47), Reached(48))["rate_of_best_known"].value
        == 0.9792
    )
    assert judge(Optimum(300, "optimum", "less"), Reached(None, 1))["steps_to_go"].value == 0.0033


def test_a_failure_has_the_steps_to_go_of_the_whole_task() -> None:
    (left,) = judge(Optimum(8, "optimum", "less"), Reached(None, left=4)).values()
    assert (left.name, left.value) == ("steps_to_go", 0.5)
    assert left.reason == "4 timesteps are left, against an optimum of 8 for the whole"
    (known,) = judge(Optimum(8, "bound", "less", known=10), Reached(None, left=4)).values()
    assert known.value == 0.4
    assert known.reason == "4 timesteps are left, against a known schedule of 10 for the whole"
    assert not judge(Optimum(8, "optimum", "less"), Reached(None))


@pytest.mark.parametrize(
    "best", [None, Optimum(0, "optimum", "less"), Optimum(-3, "optimum", "less")]
)
def test_without_an_optimum_above_nothing_there_is_no_rate(best: Optimum | None) -> None:
    assert not judge(best, Attained(3))
    assert not judge(best, Reached(3))


def test_an_optimum_says_which_direction_is_better() -> None:
    (few,) = judge(Optimum(3, "optimum", "less"), Attained(6, "errors")).values()
    assert (few.value, few.reason) == (0.5, "errors 6 against an optimum of 3")
    assert not judge(Optimum(3, "optimum", "more"), Attained(6))["optimality_rate"].scored


def test_who_needs_no_time_at_all_refutes_the_optimum() -> None:
    assert not judge(Optimum(1, "optimum", "less"), Reached(0))["optimality_rate"].scored


def test_a_number_in_a_reason_has_no_noise() -> None:
    rate = judge(Optimum(0.75, "optimum", "more"), Attained(0.1 + 0.2, "chance"))["optimality_rate"]
    assert rate.reason == "chance 0.3 against an optimum of 0.75"
    nothing = judge(Optimum(0.75, "optimum", "more"), Attained(-1e-17, "chance"))["optimality_rate"]
    assert nothing.reason == "chance 0 against an optimum of 0.75"
    assert str(nothing.value) == "0.0"
