"""Samples are drawn by what they cover, and what is left out is in `make conformance`."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from tests.sampling import CONFORMANCE, covering, pairs

AXES = ("abcde", (1, 2, 3, 4), (True, False, None))


def test_each_two_values_of_different_axes_meet() -> None:
    chosen = pairs(*AXES)
    for one, other in combinations(range(len(AXES)), 2):
        met = {(case[one], case[other]) for case in chosen}
        assert met == set(product(AXES[one], AXES[other]))
    assert len(chosen) == 60 if CONFORMANCE else 20 <= len(chosen) <= 25


def test_a_case_that_adds_nothing_is_left_to_conformance() -> None:
    chosen = covering(["a", "ab", "c", "bc"], set)
    assert chosen == (["a", "ab", "c", "bc"] if CONFORMANCE else ["ab", "c"])


def test_two_cheap_cases_are_taken_for_a_dear_one() -> None:
    chosen = covering(["a", "abcd", "b", "c", "d"], set, lambda case: len(case) ** 2)
    assert chosen == (["a", "abcd", "b", "c", "d"] if CONFORMANCE else ["a", "b", "c", "d"])


@pytest.mark.conformance
def test_this_is_played_by_conformance_alone() -> None:
    assert CONFORMANCE
