"""Success under faults, given that the clean twin succeeds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cookmas.evals.statistics import Successes, select_clean_successes

EPISODES = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.integers(0, 2)), st.none() | st.booleans()
)


def test_the_example_of_the_docs() -> None:
    """Of four twins three succeed; two of these also succeed with the faults."""
    clean = {("a", 0): True, ("a", 1): True, ("b", 0): True, ("c", 0): False}
    faulty = {("a", 0): True, ("a", 1): False, ("b", 0): True, ("c", 0): True}
    assert select_clean_successes(clean, faulty) == {"a": [1.0, 0.0], "b": [1.0]}


@given(EPISODES, EPISODES)
def test_only_what_is_decided_and_solved_without_faults_counts(
    clean: Successes, faulty: Successes
) -> None:
    found = select_clean_successes(clean, faulty)
    solved = {key for key, success in clean.items() if success}
    counted = [key for key, success in faulty.items() if success is not None and key in solved]
    assert sum(map(len, found.values())) == len(counted)
    assert sum(sum(each) for each in found.values()) == sum(bool(faulty[key]) for key in counted)


@given(EPISODES)
def test_a_planner_that_always_solves_the_twin_has_its_plain_share(faulty: Successes) -> None:
    found = select_clean_successes(dict.fromkeys(faulty, True), faulty)
    assert sum(map(len, found.values())) == sum(x is not None for x in faulty.values())
