"""Statistics over cases: known answers, and that repeats of a case are no new cases."""

from __future__ import annotations

import math
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.coverage import LEAST, coverage, rows
from cookmas.evals.statistics import (
    Estimate,
    adjust,
    correlate,
    difference,
    estimate,
    noise_floor,
    pass_hat,
    sign_flips,
)
from tests.sampling import CONFORMANCE, examples

cases = st.dictionaries(
    st.sampled_from("abcdefgh"),
    st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=4),
    min_size=2,
)


def ends(found: Estimate | None) -> tuple[float, float]:
    assert found
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


@settings(max_examples=25)
@given(cases=cases)
def test_a_mean_lies_in_its_interval_and_counts_every_value(cases: dict[str, list[float]]) -> None:
    found = estimate(cases, share=True)
    assert found
    values = [value for of_case in cases.values() for value in of_case]
    assert found.mean == pytest.approx(sum(values) / len(values))
    low, high = ends(found)
    assert 0 <= low <= found.mean <= high <= 1


def test_repeats_of_the_same_cases_do_not_narrow_an_interval() -> None:
    once = {str(n): [float(n % 2)] for n in range(10)}
    often = {case: values * 20 for case, values in once.items()}
    one, many = ends(estimate(once, share=True)), ends(estimate(often, share=True))
    assert many[0] <= one[0]
    assert many[1] >= one[1]
    apart = estimate({f"{n}": [float(n % 2)] for n in range(200)}, share=True)
    assert ends(apart)[0] > one[0]


def test_repeats_that_differ_within_cases_narrow_the_interval_of_a_share() -> None:
    uncorrelated = {str(n): [1.0, 0.0, 1.0, 0.0] for n in range(20)}
    cases = {str(n): [float(n % 2)] * 4 for n in range(20)}
    within, between = estimate(uncorrelated, share=True), estimate(cases, share=True)
    assert ends(estimate({str(n): [float(n % 2)] for n in range(20)}, share=True)) == (
        pytest.approx((0.2720, 0.7280), abs=1e-4)
    )
    assert ends(between)[0] == pytest.approx(0.26, abs=0.01)
    assert ends(within)[0] > 0.38


def test_all_or_nothing_has_the_exact_binomial_interval() -> None:
    found = estimate({str(n): [1.0, 1.0] for n in range(10)}, share=True)
    assert ends(found) == pytest.approx((0.025 ** (1 / 10), 1.0))


@pytest.mark.parametrize(("number", "repeats"), [(20, 4), (6, 2), (9, 13), (60, 1)])
def test_a_failure_more_does_not_raise_the_lower_end_of_a_share(number: int, repeats: int) -> None:
    lows = []
    for failures in range(5):
        cases = {str(n): [float(n >= failures)] + [1.0] * (repeats - 1) for n in range(number)}
        lows.append(ends(estimate(cases, share=True))[0])
    assert lows[0] == pytest.approx(0.025 ** (1 / number))
    assert lows == sorted(lows, reverse=True)


def test_values_that_vary_within_cases_alone_count_nearly_all() -> None:
    cases = {str(n): [1.0] * (5 + n % 2) + [0.0] * (8 - n % 2) for n in range(9)}
    low, high = ends(estimate(cases, share=True))
    assert 0.31 < low < high < 0.52, "117 independent values would have 0.325 to 0.513"


def test_two_cases_that_agree_leave_the_share_open() -> None:
    low, high = ends(estimate({"a": [1.0, 1.0, 0.0], "b": [1.0, 1.0, 0.0]}, share=True))
    assert low < 0.16
    assert high > 0.95


def test_one_case_has_no_interval_and_nothing_no_estimate() -> None:
    for share in (True, False):
        found = estimate({"a": [1.0, 0.0]}, share)
        assert found
        assert (found.mean, found.low, found.high) == (0.5, None, None)
    assert estimate({"a": []}) is None


def test_a_mean_has_the_interval_of_student_from_five_cases_on() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0]
    found = estimate({str(n): [value] for n, value in enumerate(values)})
    reach = 2.776445 * math.sqrt(2.5 / 5)
    assert ends(found) == pytest.approx((3 - reach, 3 + reach))
    few = estimate({str(n): [value] for n, value in enumerate(values[:4])})
    alike = estimate({str(n): [0.0] for n in range(20)})
    assert few
    assert alike
    assert (few.low, few.high, alike.low, alike.high) == (None,) * 4


def test_a_mean_of_nothing_negative_has_no_negative_end() -> None:
    counts = {str(n): [float(n == 0)] for n in range(6)}
    assert ends(estimate(counts))[0] == 0.0
    assert ends(estimate({case: [-v for v in values] for case, values in counts.items()}))[0] < 0


def test_a_skewed_mean_reaches_further_to_where_its_tail_is() -> None:
    skewed = {str(n): [math.exp(n / 3)] for n in range(20)}
    found = estimate(skewed)
    assert found
    low, high = ends(found)
    assert high - found.mean > 1.5 * (found.mean - low)
    rare = estimate({str(n): [100.0 * (n == 0)] for n in range(30)})
    assert rare
    assert ends(rare)[1] < 15, "a resample of nothing but zeros has no t"


def test_a_mean_counts_as_skewed_below_25_times_the_squared_skewness() -> None:
    """Cochran (1977), Section 2.15, by hand; t(0.975, 9) = 2.262157 stands in tables of t.

    The first cases have the skewness 0.5570 (scipy.stats.skew). 25 x 0.5570^2 = 7.8 is less than
    the number of cases, so they have Student's interval. With a skewness of 0.7490 it is 14.0.
    """
    even = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 12.0]
    skewed = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 14.0]
    reach = 2.262157 * math.sqrt(117.6 / 9 / 10)
    found = estimate({str(n): [value] for n, value in enumerate(even)})
    assert ends(found) == pytest.approx((4.8 - reach, 4.8 + reach))
    low, high = ends(estimate({str(n): [value] for n, value in enumerate(skewed)}))
    assert 5.9 - low != pytest.approx(high - 5.9), "a bootstrap interval is not symmetric"


def test_repeats_count_by_their_design_effect_and_the_squared_factor_of_t() -> None:
    """Korn and Graubard (1998), by hand, with quantiles of scipy.stats.

    Ten cases with four repeats each have 24 of 40 successes. The squared deviations of their sums
    from 2.4 add up to 18.4. Without the factor 40^2 x 0.6 x 0.4 / 18.4 = 20.8696 values are
    independent. The factor is (t(0.975, 39) / t(0.975, 9))^2 = (2.022691 / 2.262157)^2 = 0.799490,
    so 16.6850 values remain. The ends are the quantiles beta.ppf(0.025, 10.0110, 7.6740) and
    beta.ppf(0.975, 11.0110, 6.6740).
    """
    sums = [4, 4, 4, 3, 3, 2, 2, 1, 1, 0]
    cases = {str(n): [1.0] * yes + [0.0] * (4 - yes) for n, yes in enumerate(sums)}
    assert ends(estimate(cases, share=True)) == pytest.approx((0.337340, 0.826106), abs=1e-6)


def test_cases_with_more_values_weigh_more_in_a_mean_and_its_interval() -> None:
    cases = {"a": [1.0] * 9, **{str(n): [0.0] for n in range(9)}}
    found = estimate(cases, share=True)
    assert found
    assert (found.mean, found.cases) == (0.5, 10)
    low, high = ends(found)
    assert low < 0.05
    assert high > 0.95, "one case is half of all values"


def test_a_mean_of_cases_of_different_sizes_has_the_interval_of_a_ratio() -> None:
    """Cochran (1977), 6.3, by hand; t(0.975, 5) = 2.570582 stands in tables of t.

    The variance of R = sum / number is the sum of (s - R n)^2 / (k (k - 1) mean n^2) for k cases.
    """
    uneven = {"a": [1.0], "b": [4.0, 5.0], "c": [2.0] * 3, "d": [3.0], "e": [6.0, 1.0], "f": [2.5]}
    found = estimate(uneven)
    assert found
    number = sum(map(len, uneven.values()))
    ratio = sum(map(sum, uneven.values())) / number
    squares = sum((sum(values) - ratio * len(values)) ** 2 for values in uneven.values())
    reach = 2.570582 * math.sqrt(squares / (6 * 5)) / (number / 6)
    assert found.mean == pytest.approx(ratio)
    assert ends(found) == pytest.approx((ratio - reach, ratio + reach), abs=1e-5)


def test_cases_of_different_sizes_that_agree_count_as_fewer() -> None:
    """Kish (1965): of 18 values in ten cases, nine in one of them, 18^2 / 90 = 3.6 cases count."""
    agreeing = {"a": [1.0] * 9, **{str(n): [1.0] for n in range(9)}}
    assert ends(estimate(agreeing, share=True)) == pytest.approx((0.025 ** (1 / 3.6), 1.0))


def test_no_more_values_count_than_there_are() -> None:
    """Twenty values whose design effect is below 1 have the exact interval of 10 of 20."""
    within = {"a": [1.0, 1.0], "b": [0.0, 0.0], **{str(n): [1.0, 0.0] for n in range(8)}}
    assert ends(estimate(within, share=True)) == pytest.approx((0.271957, 0.728043), abs=1e-5)


@settings(max_examples=examples(50))
@given(cases=cases, seed=st.integers(0, 99))
def test_the_order_of_cases_and_values_changes_nothing(
    cases: dict[str, list[float]], seed: int
) -> None:
    rng = Random(seed)
    cases = {case: [value / 3 for value in values] for case, values in cases.items()}
    other = {case: [0.1] for case in cases}
    shuffled = {
        case: rng.sample(cases[case], len(cases[case]))
        for case in rng.sample(list(cases), len(cases))
    }
    for share in (True, False):
        assert estimate(cases, share) == estimate(shuffled, share)
    assert difference(cases, other) == difference(shuffled, other)
    assert noise_floor(cases) == noise_floor(shuffled)


@settings(max_examples=examples(50))
@given(cases=cases)
def test_success_and_pass_hat_of_one_have_one_interval(cases: dict[str, list[float]]) -> None:
    success, once = estimate(cases, share=True), pass_hat(cases, 1)
    assert success
    assert once
    assert (once.mean, *ends(once)) == pytest.approx((success.mean, *ends(success)))


gaps = st.one_of(
    st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), min_size=1, max_size=30),
    st.lists(st.floats(-2, 5), min_size=1, max_size=30),
    st.lists(st.just(0.25), min_size=1, max_size=30),
)


@settings(max_examples=examples(200))
@given(gaps=gaps)
def test_an_interval_of_a_difference_excludes_zero_where_p_is_small_and_nowhere_else(
    gaps: list[float],
) -> None:
    found = difference(
        {str(n): [gap] for n, gap in enumerate(gaps)}, {str(n): [0.0] for n in range(len(gaps))}
    )
    assert found
    assert (found.low is None) == (found.high is None) == (len(gaps) < 6)
    low, high = -math.inf if found.low is None else found.low, found.high
    high = math.inf if high is None else high
    assert low - 1e-8 <= found.mean <= high + 1e-8
    assert (low > 0 or high < 0) == (found.p < 0.05)


def test_a_difference_is_that_of_its_two_means() -> None:
    one = {"a": [1.0, 1.0, 0.0], "b": [0.0], "c": [1.0]}
    other = {"a": [0.0], "b": [1.0, 0.0, 0.0, 0.0], "d": [1.0]}
    found = difference(one, other)
    assert found
    assert (found.one, found.other) == (2 / 4, 1 / 5)
    assert found.mean == pytest.approx(2 / 4 - 1 / 5)


def test_two_single_runs_differ_by_the_noise_of_repeats_alone() -> None:
    repeats = {"a": [1.0, 0.0], "b": [1.0, 1.0], "c": [0.0, 0.0], "d": [1.0]}
    found = noise_floor(repeats)
    assert found == pytest.approx(1.959964 * math.sqrt(2 * (0.5 / 3) / 3))
    assert noise_floor({"a": [1.0], "b": [0.0]}) is None


def test_simulated_intervals_cover_the_truth() -> None:
    held = [row for row in rows() if row.held]
    assert len(held) == 8
    for row in held:
        for sample, truth in row.samples:
            for cases in (5, 10):
                covered = coverage(sample, truth, cases, 500 if CONFORMANCE else 200)
                assert covered is not None
                assert covered >= LEAST, (row.name, truth, cases)


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


@settings(max_examples=examples(30))
@given(cases, st.integers(1, 4))
def test_pass_hat_is_the_share_of_the_draws_that_all_succeed(
    cases: dict[str, list[float]], k: int
) -> None:
    """Every way to draw k repeats of a case is tried; a case counts by its repeats."""
    tried = {
        case: [all(drawn) for drawn in combinations(values, k)] for case, values in cases.items()
    }
    weights = {case: len(cases[case]) for case, drawn in tried.items() if drawn}
    found = pass_hat(cases, k)
    assert (found is None) == (not weights)
    if found:
        means = [weights[case] * sum(tried[case]) / len(tried[case]) for case in weights]
        assert found.mean == pytest.approx(sum(means) / sum(weights.values()))


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


def test_drawn_signs_come_with_their_reverse() -> None:
    """To flip the one difference that is not zero reverses the mean, which is as far from zero.

    So p is exactly 1, which draws without their reverse meet only by chance.
    """
    found = [sign_flips([0.0] * zeros + [one], 0.05) for zeros in range(30, 42) for one in (1, -1)]
    assert {each.p for each in found} == {1.0}
    assert all(each.low <= 0 <= each.high for each in found if each.low and each.high)


def test_no_fewer_cases_are_said_to_be_needed_than_the_test_can_do_with() -> None:
    one, other = ({str(n): [value] for n in range(5)} for value in (1.0, 0.0))
    five = difference(one, other)
    six = difference(one | {"5": [1.0]}, other | {"5": [0.0]})
    assert five
    assert six
    assert five.p > 0.05 > six.p
    assert five.needed == six.needed == 6


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
    assert adjust([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert adjust([]) == []


@settings(max_examples=examples(30))
@given(st.lists(st.integers(1, 1000), min_size=1, max_size=12))
def test_each_adjusted_p_is_the_least_that_rejects_by_the_rule(thousandths: list[int]) -> None:
    """At a rate q, the rule rejects the p up to the last that is at most its rank times q / m."""
    ps = [each / 1000 for each in thousandths]
    for p, q in zip(ps, adjust(ps), strict=True):
        for rate, rejected in ((q + 1e-9, True), (q - 1e-9, False)):
            ranked = enumerate(sorted(ps), start=1)
            last = max((each for n, each in ranked if each <= n * rate / len(ps)), default=0.0)
            assert (p <= last) is rejected


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=9),
)
def test_a_correlation_is_that_of_the_numbers_and_of_their_ranks(
    pairs: list[tuple[int, int]],
) -> None:
    ones, others = [float(x) for x, _ in pairs], [float(y) for _, y in pairs]
    found = correlate(ones, others)
    if len(set(ones)) < 2 or len(set(others)) < 2:
        assert found is None
        return
    assert found
    assert found.count == len(pairs)
    assert found.pearson == pytest.approx(pearson(ones, others))
    assert found.spearman == pytest.approx(pearson(ranks(ones), ranks(others)))
    if found.low is not None and found.high is not None and abs(found.pearson) < 0.99:
        middle, half = math.atanh(found.pearson), 1.959964 / math.sqrt(len(pairs) - 3)
        assert (found.low, found.high) == pytest.approx(
            (math.tanh(middle - half), math.tanh(middle + half)), abs=1e-6
        )
    assert correlate(ones[:2], others[:2]) is None


def pearson(ones: list[float], others: list[float]) -> float:
    """Return the covariance over the deviations, by the definition."""
    one, other = sum(ones) / len(ones), sum(others) / len(others)
    both = sum((x - one) * (y - other) for x, y in zip(ones, others, strict=True))
    return both / math.sqrt(
        sum((x - one) ** 2 for x in ones) * sum((y - other) ** 2 for y in others)
    )


def ranks(numbers: list[float]) -> list[float]:
    """Return the place of each number; equal ones share the mean of their places."""
    ordered = sorted(numbers)
    return [ordered.index(x) + (ordered.count(x) - 1) / 2 for x in numbers]
