"""Counts and the collaboration score."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.cuisineworld.published import load_published
from benchmarks.cuisineworld.tables import run
from cookmas.solving.cuisineworld.planners import noop
from cookmas.worlds.cuisineworld.judging import (
    OrderTally,
    collaboration_score,
    pool,
    tally_of,
)
from cookmas.worlds.cuisineworld.rules.kitchen import TAUS
from cookmas.worlds.cuisineworld.scenario import build_task


def tally(completed: int, failures: int) -> OrderTally:
    return OrderTally(
        completed=Counter(dish=completed),
        failed=Counter(dish=failures),
        failures=failures,
        came=completed + failures,
    )


def test_the_example_worked_by_hand() -> None:
    counts = [(6, 18), (5, 15), (6, 6), (9, 3), (8, 0)]
    by_tau = {tau: tally(*count) for tau, count in zip(TAUS, counts, strict=True)}
    assert collaboration_score(by_tau) == pytest.approx(0.55)


def test_episodes_are_pooled_before_the_rate_is_taken() -> None:
    one, two = tally(1, 0), tally(1, 3)
    assert pool([one, two]).rate == pytest.approx(2 / 5)
    assert (one.rate, two.rate) == (1.0, 0.25)


def test_what_has_no_closed_order_is_unscored_and_not_zero() -> None:
    by_tau = {tau: tally(1, 1) for tau in TAUS}
    assert collaboration_score(by_tau) == pytest.approx(0.5)
    assert collaboration_score({**by_tau, "2.0": OrderTally()}) is None
    assert collaboration_score({tau: by_tau[tau] for tau in TAUS[1:]}) is None


@pytest.mark.parametrize("agents", [1, 2, 4])
def test_noops_close_the_orders_of_level_3_that_the_paper_prints(agents: int) -> None:
    pools = [
        pool(
            tally_of(run(build_task("level_3", tau, agents, episode=episode), noop))
            for episode in (1, 2, 3)
        )
        for tau in TAUS
    ]
    assert [pool.failures for pool in pools] == [24, 15, 12, 9, 6]
    assert [pool.successes for pool in pools] == [0] * 5
    assert collaboration_score(dict(zip(TAUS, pools, strict=True))) == 0
    chat = next(row for row in load_published() if (row.model, row.agents) == ("ChatGPT", 2))
    assert chat.counts == [f"0/{pool.failures}" for pool in pools]


def test_orders_that_fail_together_are_one_failure_as_in_the_original() -> None:
    state = run(build_task("level_4", "1.0", 1), noop)
    assert len(state.failed) > state.failed_count
    assert tally_of(state).failed.total() == len(state.failed)


def test_the_printed_scores_follow_from_the_printed_counts() -> None:
    rows = load_published()
    assert {row.table for row in rows} == {6, 7, 8, 9, 10, 11}
    for row in rows:
        if row.reckoned is not None:
            assert row.cos == pytest.approx(row.reckoned, abs=0.002)
