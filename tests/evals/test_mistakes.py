"""Mistakes and recovery, on a small episode of the corridor."""

from __future__ import annotations

import sys

from cookmas.api import load_scenario, play
from cookmas.episodes.trace import Trace
from cookmas.episodes.world import DONE, Outcome
from cookmas.evals.evidence import Act, Evidence
from cookmas.evals.mistakes import recovery
from cookmas.evals.verdict import Verdict
from cookmas.orchestrator.planners.fixed import FixedPlanner


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


def test_a_wait_of_whatever_length_recovers_from_nothing() -> None:
    scenario = load_scenario("collab-overcooked/level_1/01")
    header = play(scenario, FixedPlanner([])).trace.header
    acts = [
        Act(timestep=0, worker="bob", action="deliver()", outcome=Outcome("empty", "no way.")),
        Act(timestep=1, worker="bob", action="wait(4)", outcome=DONE),
        Act(timestep=5, worker="bob", action="deliver()", outcome=DONE),
    ]
    evidence = Evidence(
        trace=Trace((header,)), truth=None, world=scenario.world(), frames=(), final=None
    )
    evidence.__dict__["acts"] = tuple(acts)
    recovered, time = recovery(evidence)
    assert (recovered.reason, time.value) == ("deliver() at 5", 5)


def stuck(timesteps: int) -> int:
    """Return how many calls it takes to judge the recovery from so many FAILs, all to the end."""
    scenario = load_scenario("corridor/one")
    world = scenario.world()
    failed = [
        Act(timestep=t, worker="walker_1", action="left", outcome=Outcome("wall", "no way."))
        for t in range(timesteps)
    ]
    header = play(scenario, FixedPlanner([])).trace.header
    evidence = Evidence(trace=Trace((header,)), truth=None, world=world, frames=(), final=None)
    evidence.__dict__["acts"] = tuple(failed)
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        found = list(recovery(evidence))
    finally:
        sys.setprofile(None)
    assert [check.passed for check in found] == [False] * timesteps
    return calls


def test_to_judge_a_worker_that_fails_to_the_end_takes_as_long_as_it_fails() -> None:
    assert stuck(80) <= 4.5 * stuck(20)
