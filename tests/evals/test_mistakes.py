"""Mistakes and recovery, on a small episode of the corridor."""

from __future__ import annotations

import sys

from cookmas.api import load_scenario, play
from cookmas.episodes.base import NO_ACTION
from cookmas.episodes.scenario import Scenario
from cookmas.episodes.world import DONE, Outcome
from cookmas.evals.evidence import Act, Evidence
from cookmas.evals.mistakes import mistakes, recovery
from cookmas.evals.verdict import Verdict
from cookmas.orchestrator.planners.naming import FixedPlanner


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
    assert {kind: check.value for kind, check in kinds.items()} == {
        "rule violation": 1,
        "gave up": 1,
    }
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


def evidence_of(scenario: Scenario, *acts: Act) -> Evidence:
    """What evaluators see of an episode in which nothing else was done."""
    trace = play(scenario, FixedPlanner([])).trace
    evidence = Evidence(trace=trace, truth=None, world=scenario.world(), frames=(), final=None)
    evidence.__dict__["acts"] = acts
    return evidence


def test_a_wait_of_whatever_length_recovers_from_nothing() -> None:
    evidence = evidence_of(
        load_scenario("collab-overcooked/level_1/01"),
        Act(timestep=0, worker="bob", action="deliver()", outcome=Outcome("empty", "no way.")),
        Act(timestep=1, worker="bob", action="wait(4)", outcome=DONE),
        Act(timestep=5, worker="bob", action="deliver()", outcome=DONE),
    )
    recovered, time = recovery(evidence)
    assert (recovered.reason, time.value) == ("deliver() at 5", 5)


def test_a_worker_that_fell_silent_made_no_mistake_but_has_to_recover() -> None:
    """No action comes from a device that is down, which no planner is to blame for."""
    silent = Outcome(NO_ACTION, "walker_1 gave no action.")
    evidence = evidence_of(
        load_scenario("corridor/one"),
        Act(timestep=0, worker="walker_1", action="right", outcome=silent),
        Act(timestep=1, worker="walker_1", action="right", outcome=silent),
        Act(timestep=3, worker="walker_1", action="right", outcome=DONE),
    )
    assert [check.subject for check in mistakes(evidence)] == ["gave up"]
    times = [check.value for check in recovery(evidence) if check.name == "recovery_time"]
    assert times == [3, 2]


def stuck(timesteps: int) -> int:
    """Return how many calls it takes to judge the recovery from so many FAILs, all to the end."""
    failed = [
        Act(timestep=t, worker="walker_1", action="left", outcome=Outcome("wall", "no way."))
        for t in range(timesteps)
    ]
    evidence = evidence_of(load_scenario("corridor/one"), *failed)
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
