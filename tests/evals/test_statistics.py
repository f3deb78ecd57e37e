"""Statistics over cases: known answers, and that repeats of a case are no new cases."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.statistics import adjusted, difference, estimate, pass_hat

cases = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=4),
    min_size=2,
)


@settings(max_examples=25, deadline=None)
@given(cases=cases)
def test_a_mean_lies_in_its_interval_and_counts_every_value(cases: dict[str, list[float]]) -> None:
    found = estimate(cases, share=True)
    assert found
    values = [value for of_case in cases.values() for value in of_case]
    assert found.mean == pytest.approx(sum(values) / len(values))
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.mean <= found.high <= 1


def test_repeats_of_the_same_cases_do_not_narrow_an_interval() -> None:
    once = {str(n): [float(n % 2)] for n in range(10)}
    often = {case: values * 20 for case, values in once.items()}
    one, many = estimate(once, share=True), estimate(often, share=True)
    assert one
    assert many
    assert (one.low, one.high) == (many.low, many.high)
    apart = estimate({f"{n}": [float(n % 2)] for n in range(200)}, share=True)
    assert apart
    assert apart.low is not None
    assert one.low is not None
    assert apart.low > one.low


def test_all_or_nothing_has_the_exact_binomial_interval() -> None:
    found = estimate({str(n): [1.0, 1.0] for n in range(10)}, share=True)
    assert found
    assert found.low == pytest.approx(0.025 ** (1 / 10))
    assert found.high == 1.0


def test_one_case_has_no_interval_and_nothing_no_estimate() -> None:
    found = estimate({"a": [1.0, 0.0]})
    assert found
    assert (found.mean, found.low, found.high) == (0.5, None, None)
    assert estimate({"a": []}) is None


def test_pass_hat_counts_ways_to_draw_repeats_that_all_succeed() -> None:
    cases = {"a": [1.0, 1.0, 0.0, 0.0], "b": [1.0, 1.0, 1.0, 0.0], "c": [1.0]}
    two = pass_hat(cases, 2)
    assert two
    assert two.mean == pytest.approx((1 / 6 + 3 / 6) / 2)
    assert two.cases == 2
    four = pass_hat(cases, 4)
    assert four
    assert four.mean == 0.0
    assert pass_hat(cases, 5) is None


def test_the_sign_flip_test_is_exact_where_all_ways_can_be_tried() -> None:
    gaps = [0.5, 0.25, -0.25, 1.0, 0.75]
    found = difference(
        {str(n): [gap] for n, gap in enumerate(gaps)}, {str(n): [0.0] for n in range(5)}
    )
    assert found
    as_far = sum(
        abs(sum(sign * gap for sign, gap in zip(signs, gaps, strict=True))) >= sum(gaps)
        for signs in product((1, -1), repeat=len(gaps))
    )
    assert found.p == pytest.approx(as_far / 2**5)
    mean = sum(gaps) / 5
    deviation = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / 4)
    assert found.needed == math.ceil(((1.959964 + 0.841621) * deviation / mean) ** 2)


def test_pairing_sees_what_cases_of_different_difficulty_would_hide() -> None:
    one = {str(n): [n / 20] for n in range(20)}
    other = {case: [value + 0.05] for case, (value,) in one.items()}
    found = difference(other, one)
    assert found
    assert found.mean == pytest.approx(0.05)
    assert found.p < 0.001


def test_arms_are_compared_over_the_cases_they_share() -> None:
    found = difference({"a": [1.0], "b": [1.0], "c": [0.0]}, {"b": [0.0], "c": [0.0], "d": [1.0]})
    assert found
    assert found.cases == 2
    assert found.mean == 0.5
    assert difference({"a": [1.0]}, {"b": [1.0]}) is None
    alone = difference({"a": [1.0]}, {"a": [0.0]})
    assert alone
    assert (alone.p, alone.needed) == (1.0, None)


def test_many_comparisons_are_adjusted() -> None:
    assert adjusted([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert adjusted([]) == []
