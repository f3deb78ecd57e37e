"""Mistakes and recovery, on a small episode of the corridor."""

from __future__ import annotations

from cookmas.api import load_scenario, play
from evals.verdict import Verdict
from orchestrator.planners.fixed import FixedPlanner


def played(*actions: str) -> Verdict:
    """What one walker does, timestep by timestep; it begins at the left wall."""
    scenario = load_scenario("corridor/one")
    walker = scenario.world().workers[0]
    run = play(scenario, FixedPlanner([{walker: action} for action in actions]))
    assert run.verdict
    return run.verdict


def test_a_fail_is_a_mistake_and_recovered_from_by_what_is_done_next() -> None:
    verdict = played("left", "stay", "right")
    kinds = {check.subject: check for check in verdict.of("mistake")}
    assert set(kinds) == {"rule violation", "gave up"}
    assert kinds["rule violation"].evidence == "0: walker_1, walker_1 stands at the wall."
    assert kinds["gave up"].evidence.startswith("3: gave_up")
    (recovered,) = verdict.of("recovered")
    (time,) = verdict.of("recovery_time")
    assert recovered.passed
    assert time.value == 2


def test_a_fail_after_which_nothing_is_done_is_not_recovered_from() -> None:
    verdict = played("left", "stay")
    (recovered,) = verdict.of("recovered")
    assert recovered.passed is False
    assert not list(verdict.of("recovery_time"))


def test_an_episode_without_mistakes_has_none() -> None:
    verdict = played("right", "right", "right", "ring(red)")
    assert verdict.success
    assert not list(verdict.of("mistake"))
    assert not list(verdict.of("recovered"))
