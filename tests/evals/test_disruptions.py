"""What a disruption costs: cost and regret by hand, and that they add up."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.episodes.parts import SearchRecord
from cookmas.episodes.trace import PlanRecord
from cookmas.evals.columns import total_entry
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
        work(
            {0: 5, 4: 3},
            [t not in idle for t in range(12)],
            known=(10, Optimum(8, "optimum", "less")),
        )
    )
    assert values(checks, "continuation_optimum") == {"episode at 0": 5, "episode at 4": 5}
    assert values(checks, "disruption_cost") == {"episode at 4": 3}
    assert values(checks, "replan_regret") == {"episode at 0": 1, "episode at 4": 1}
    assert values(checks, "disruption_recovery") == {"episode at 4": 3}
    assert values(checks, "price_of_not_knowing") == {"episode": 1.25}
    assert all("proven" in c.evidence for c in checks if c.name == "continuation_optimum")


def test_the_price_of_not_knowing_needs_an_optimum_that_knows_everything() -> None:
    known = Optimum(8, "optimum", "less", knows="what had come")
    checks = price(work({0: 5, 4: 3}, [True] * 12, known=(8, known)))
    assert checks
    assert not values(checks, "price_of_not_knowing")


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


def test_a_range_is_as_narrow_as_what_is_known_allows() -> None:
    """A search misses 1, and a bound 2. At 0 there are 8 to do, at 6 there came 3 more.

    The machine idles at 1, 3 and 5, so by 6 it did 3 and 5 are left: the search says 6, the bound
    3. At 0 they say 9 and 6. What was done took 6 + 6 = 12, so 9 stands, and the rest needs at
    least 3. From 6 on 8 are to do, without idling: 8, which is less than the 9 of the search.
    """
    busy = [t not in (1, 3, 5) for t in range(20)]
    checks = price(work({0: 8, 6: 3}, busy, loose=2, slow=1))
    told = {
        (check.name, check.subject): (check.value, check.evidence)
        for check in checks
        if check.name in ("continuation_optimum", "replan_regret", "own_yardstick")
    }
    assert told == {
        ("continuation_optimum", "episode at 0"): (
            9,
            "not proven: by a search, against a bound of 6",
        ),
        ("replan_regret", "episode at 0"): (3, "0 to 6"),
        ("own_yardstick", "episode at 0"): (False, ""),
        ("continuation_optimum", "episode at 6"): (
            8,
            "not proven: by what was done, against a bound of 6",
        ),
        ("replan_regret", "episode at 6"): (0, "0 to 2"),
        ("own_yardstick", "episode at 6"): (True, ""),
    }
    (last,) = [c for c in checks if (c.name, c.subject) == ("replan_regret", "episode at 6")]
    assert last.reason == (
        "8 timesteps, and 0 left, against 8 by what was done, so the regret is at least 0"
    )


def test_the_bound_at_the_beginning_bounds_the_rest() -> None:
    """At 0 nothing less than 8 will do; by 3 nothing was done, so 5 are needed at least."""
    checks = price(work({0: 8, 3: 1}, [False] * 3 + [True] * 12, loose=0, slow=1))
    (regret,) = [c for c in checks if (c.name, c.subject) == ("replan_regret", "episode at 0")]
    assert (regret.value, regret.evidence) == (3, "2 to 4")


@pytest.mark.parametrize("name", ["continuation_optimum", "replan_regret"])
def test_a_bound_that_a_schedule_refutes_prices_nothing(name: str) -> None:
    """What was done takes 5, the bound says 7: it is not lowered to 5 and called proven."""
    checks = price(work({0: 5, 6: 1}, [True] * 9, loose=-2, slow=4))
    (found,) = [c for c in checks if (c.name, c.subject) == (name, "episode at 0")]
    assert found.value is None
    assert found.reason == "what was done takes 5 timesteps, which refutes a bound of 7"


def test_what_was_done_is_no_schedule_if_a_request_was_not_met_as_wanted() -> None:
    checks = price(work({0: 3, 5: 2}, [True] * 9, slow=2, missed=["r0"]))
    told = {(c.name, c.subject): c for c in checks}
    assert told["continuation_optimum", "episode at 0"].value == 5
    regret = told["replan_regret", "episode at 0"]
    assert (regret.value, regret.reason) == (None, "closed, but not as wanted: r0")
    assert told["replan_regret", "episode at 5"].value == 0


def test_a_total_of_which_a_part_is_unknown_is_unknown() -> None:
    total = total_entry("replan_regret")
    whole = price(work({0: 3, 2: 2}, [True] * 9))
    assert total.read((), whole) == 0
    missed = price(work({0: 3, 2: 2}, [True] * 9, missed=["r2"]))
    assert [c.value for c in missed if c.name == "replan_regret"] == [0, None]
    assert total.read((), missed) is None
    assert total.read((), ()) is None


def test_nothing_open_has_neither_optimum_nor_regret_but_its_disruption_a_cost() -> None:
    """At 9 a request of 4 comes into an empty kitchen, which is nobody's regret."""
    checks = price(work({0: 3, 9: 4}, [True] * 14))
    assert values(checks, "disruption_cost") == {"episode at 9": 4}
    assert values(checks, "replan_regret") == {"episode at 0": 0, "episode at 9": 0}


def test_of_equal_schedules_that_of_the_search_counts() -> None:
    checks = price(work({0: 3, 5: 2}, [True] * 9, loose=1))
    assert values(checks, "own_yardstick") == {"episode at 0": False, "episode at 5": False}


def test_an_own_schedule_that_a_bound_proves_is_no_yardstick_of_its_own() -> None:
    checks = price(work({0: 3, 5: 2}, [True] * 9, slow=1))
    assert values(checks, "continuation_optimum") == {"episode at 0": 3, "episode at 5": 2}
    assert values(checks, "own_yardstick") == {"episode at 0": False, "episode at 5": False}


def test_a_proof_is_named() -> None:
    assert Continuation(5, 5, "a search").proof.startswith("proven")
    assert Continuation(4, 5, "a search").proof == "not proven: by a search, against a bound of 4"
    lacking = Continuation(4, 5, "a search", "CP-SAT")
    assert lacking.proof.endswith("; CP-SAT was not used")
