"""What a disruption costs: cost and regret by hand, and that they add up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.parts import SearchRecord
from cookmas.episodes.trace import PlanRecord
from cookmas.evals.disruptions import Continuation
from cookmas.evals.optimality import Optimum
from cookmas.evals.verdict import Check
from tests.evals.machine import price, work

BUSY = st.lists(st.booleans(), min_size=12, max_size=24)
ARRIVALS = st.dictionaries(st.integers(1, 9), st.integers(1, 6), min_size=1)


def values(checks: list[Check], name: str) -> dict[str, Any]:
    return {check.subject: check.value for check in checks if check.name == name}


def test_the_example_of_the_docs() -> None:
    """Work of 5 at 0 and of 3 at 4; the machine idles at 2 and 5, and ends at 10."""
    idle = {2, 5}
    checks = price(
        work({0: 5, 4: 3}, [t not in idle for t in range(12)], known=(10, Optimum(8, "optimum")))
    )
    assert values(checks, "continuation_optimum") == {"episode at 0": 5, "episode at 4": 5}
    assert values(checks, "disruption_cost") == {"episode at 4": 3}
    assert values(checks, "replan_regret") == {"episode at 0": 1, "episode at 4": 1}
    assert values(checks, "disruption_recovery") == {"episode at 4": 3}
    assert values(checks, "price_of_not_knowing") == {"episode": 1.25}
    assert all("proven" in c.evidence for c in checks if c.name == "continuation_optimum")


@given(ARRIVALS, BUSY, st.integers(0, 3), st.integers(0, 3))
def test_optimum_costs_and_regrets_add_up_to_the_time_that_everything_took(
    arrivals: dict[int, int], busy: list[bool], loose: int, slow: int
) -> None:
    evidence = work({0: 30, **arrivals}, busy + [True] * 90, loose=loose, slow=slow)
    checks = price(evidence)
    parts = [values(checks, name) for name in ("disruption_cost", "replan_regret")]
    began = values(checks, "continuation_optimum")["episode at 0"]
    served = next(frame.timestep + 1 for frame in evidence.frames if not frame.after)
    assert began + sum(sum(part.values()) for part in parts) == served


@given(ARRIVALS, BUSY, st.integers(0, 3), st.integers(0, 3))
def test_a_regret_is_never_negative_and_lies_in_its_range(
    arrivals: dict[int, int], busy: list[bool], loose: int, slow: int
) -> None:
    exact = values(price(work({0: 5, **arrivals}, busy)), "replan_regret")
    for check in price(work({0: 5, **arrivals}, busy, loose=loose, slow=slow)):
        if check.name == "replan_regret":
            low, _, high = check.evidence.partition(" to ")
            assert 0 <= int(low) <= int(str(check.value)) <= int(high)
            assert int(low) <= exact[check.subject] <= int(high)


@given(ARRIVALS, st.lists(st.just(True), min_size=12, max_size=24))
def test_a_machine_that_never_idles_regrets_nothing(
    arrivals: dict[int, int], busy: list[bool]
) -> None:
    regrets = values(price(work({0: 3, **arrivals}, busy)), "replan_regret")
    assert set(regrets.values()) <= {0}


@pytest.mark.parametrize("altered", [None, "altered at timestep 3"])
def test_an_altered_or_undisturbed_episode_has_no_price(altered: str | None) -> None:
    assert (price(work({0: 2, 3: 2}, [True] * 9, altered=altered)) == []) == bool(altered)
    assert price(work({0: 2}, [True] * 9, altered=altered)) == []


def test_an_open_episode_has_no_price() -> None:
    evidence = work({0: 2, 3: 2}, [True] * 9)
    evidence.trace.header.horizon = None
    assert price(evidence) == []


def test_what_was_never_served_is_said() -> None:
    (check,) = [
        each for each in price(work({0: 9, 3: 2}, [True] * 6)) if each.name == "disruption_recovery"
    ]
    assert (check.value, check.reason) == (None, "not all earlier requests were served")


@pytest.mark.parametrize(("modelled", "said"), [(3, False), (4, True), (6, True), (7, False)])
def test_the_bound_of_the_planners_solver_stands_beside_ours_where_it_can_be_one(
    modelled: int, said: bool
) -> None:
    """The bound is 3, and what was done took 6."""
    search = SearchRecord(status="feasible", bound=3, model_bound=modelled, effort=1)
    plan = PlanRecord(timestep=0, reasoning="", schedule=[], search=search)
    checks = price(work({0: 5, 9: 1}, [False] + [True] * 11, loose=2, slow=2, plans=[plan]))
    (check,) = [
        c for c in checks if (c.name, c.subject) == ("continuation_optimum", "episode at 0")
    ]
    assert (f"in the model of the planner's solver at least {modelled}" in check.evidence) == said


def test_a_proof_is_named() -> None:
    assert Continuation(5, 5).proof.startswith("proven")
    assert Continuation(4, 5).proof.startswith("not proven")
