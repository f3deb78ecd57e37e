"""TES, ITES and progress completeness: the examples of the docs, computed by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.evals.trajectories import (
    completeness_by_role,
    efficiency,
    in_order,
    ites,
    progress,
    progress_completeness,
    tes,
)

RAT = [
    "pickup(tofu, ingredient_dispenser)",
    "put_obj_in_utensil(chopping_board_0)",
    "cut(chopping_board_0)",
    "pickup(chopped_tofu, chopping_board_0)",
    "place_obj_on_counter()",
]
EGG = [*RAT[:3], "pickup(egg, ingredient_dispenser)", RAT[4]]
"""Listing 4 of Collab-Overcooked (Appendix B.1)."""


def test_the_papers_example_has_the_papers_score() -> None:
    assert in_order(EGG, RAT) == 3
    assert tes(EGG, [RAT]) == pytest.approx(0.6)


def test_the_papers_other_score_counts_the_last_action_which_does_not_advance() -> None:
    table = [[0] * (len(EGG) + 1) for _ in range(len(RAT) + 1)]
    for i, one in enumerate(RAT):
        for j, other in enumerate(EGG):
            longer = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else longer
    assert table[-1][-1] / len(RAT) == pytest.approx(0.8)


def test_workers_with_roles_do_not_play_each_others_parts() -> None:
    references = {"alice": [RAT], "bob": [["deliver()"]]}
    assert completeness_by_role({"alice": RAT, "bob": ["deliver()"]}, references) == 1.0
    assert completeness_by_role({"alice": EGG, "bob": []}, references) == pytest.approx(0.3)
    assert completeness_by_role({"alice": ["deliver()"], "bob": RAT}, references) == 0.0


def test_a_redundant_action_costs_less_than_a_missing_one_does() -> None:
    b2 = 0.95**2
    redundant = ["chop", "wipe", "fry"]
    assert efficiency(redundant, ["chop", "fry"]) == pytest.approx((1 + b2) * 2 / (2 + 3 * b2))
    assert efficiency(["chop"], ["chop", "fry"]) == pytest.approx((1 + b2) * 1 / (2 + b2))
    assert efficiency(redundant, ["chop", "fry"]) == pytest.approx(0.8083, abs=1e-4)
    assert efficiency(["chop"], ["chop", "fry"]) == pytest.approx(0.6555, abs=1e-4)


@given(
    history=st.lists(st.sampled_from("abc"), max_size=6),
    references=st.lists(st.lists(st.sampled_from("abc"), max_size=5), min_size=1, max_size=5),
)
def test_all_references_at_once_give_what_each_gives(
    history: list[str], references: list[list[str]]
) -> None:
    best = max(efficiency(history, reference) for reference in references)
    assert tes(history, references) == pytest.approx(best)
    assert progress(history, references) == max(in_order(history, each) for each in references)


def test_the_best_reference_counts() -> None:
    assert tes(["b", "a"], [["a", "b"], ["b", "a"]]) == 1.0


def test_an_action_that_advances_has_a_positive_increment_and_a_redundant_one_a_negative() -> None:
    assert ites([RAT[3]], RAT[:3], [RAT]) > 0
    assert ites(["pickup(egg, ingredient_dispenser)"], RAT[:3], [RAT]) < 0
    b2 = 0.95**2
    assert ites([RAT[3]], RAT[:3], [RAT]) == pytest.approx(
        (1 + b2) * (4 / (5 + 4 * b2) - 3 / (5 + 3 * b2))
    )


def test_equal_workers_may_play_each_others_parts() -> None:
    reference = {"worker_1": ["chop", "fry"], "worker_2": ["plate"]}
    swapped = {"worker_1": ["plate"], "worker_2": ["chop", "fry"]}
    assert progress_completeness(swapped, [reference]) == 1.0
    half = {"worker_1": ["plate"], "worker_2": []}
    assert progress_completeness(half, [reference]) == pytest.approx(0.5)


def test_a_worker_without_a_part_should_do_nothing() -> None:
    reference = {"worker_1": ["chop"]}
    assert progress_completeness({"worker_1": ["chop"], "worker_2": []}, [reference]) == 1.0
    assert progress_completeness({"worker_1": ["chop"], "worker_2": ["chop"]}, [reference]) == 0.5
