"""Trajectories of the restaurant against its references."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cookmas import judge, play
from cookmas.evals.trajectories import classify_astray
from cookmas.evals.verdict import Verdict
from cookmas.scenarios.scenario import load_scenario as load_restaurant
from cookmas.scenarios.schedule import load_schedule
from cookmas.solving.restaurant.proof import schedule_paths
from cookmas.world_names import domain_of
from tests.worlds.restaurant.judging.house import HOUSE


@pytest.mark.parametrize("name", ["level1/01", "level2/01"])
def test_a_scenarios_own_schedule_completes_its_trajectories(name: str) -> None:
    scenario = load_restaurant(name)
    references = domain_of("restaurant").truth(scenario).references
    steps = [step for reference in references for part in reference.values() for step in part]
    assert steps
    assert not [step for step in steps if "navigate" in step or " at " not in step]
    for path in schedule_paths(scenario):
        run = play(name, str(path))
        assert run.verdict
        assert run.success
        assert [check.value for check in run.verdict.of("progress_completeness")] == [1.0]


def test_references_of_a_scenario_differ() -> None:
    scenario = load_restaurant("level2/03")
    truth = domain_of("restaurant").truth(scenario)
    castings = [sorted(reference.values()) for reference in truth.references]
    assert len(castings) > 1
    assert all(castings.count(each) == 1 for each in castings)
    lengths = [len(load_schedule(path, scenario)) for path in schedule_paths(scenario)]
    assert truth.best_known == min(lengths)


def test_what_a_known_schedule_does_after_its_last_serve_is_no_part_of_its_length() -> None:
    """The schedule of level3/09 has 95 rows; the last dish is served in the 48th. That of its
    certificate takes 47.
    """
    run = play("level3/09", str(schedule_paths(load_restaurant("level3/09"))[0]))
    assert run.verdict
    (rate,) = run.verdict.of("rate_of_best_known")
    assert rate.value == round(47 / 48, 4)


def by_hand(actions: list[str]) -> Verdict:
    """An episode in which one worker does something, against a reference of three steps."""
    reference = {"worker_1": ("pick(bread) at pantry", "place at grill", "start at grill")}
    truth = replace(HOUSE.truth, references=(reference,))
    return judge(HOUSE.ordered(actions, "Buttered Toast"), truth)


def test_progress_and_increments_are_those_of_the_formula() -> None:
    """The reference's worker has 1, the two others, who have no part and do nothing, too."""
    all_of_it = ["navigate(pantry)", "pick(bread)", "navigate(grill_2)", "place", "start"]
    verdict = by_hand(all_of_it)
    (progress,) = verdict.of("progress_completeness")
    assert progress.value == 1.0
    (answer,) = verdict.of("ites")
    assert answer.passed
    assert answer.value == pytest.approx(1 - 2 / 3, abs=1e-4)
    b2 = 0.95**2
    two = by_hand(all_of_it[:4])
    (progress,) = two.of("progress_completeness")
    assert progress.value == pytest.approx((2 + (1 + b2) * 2 / (3 + 2 * b2)) / 3, abs=1e-4)


def test_what_fails_is_in_no_trajectory() -> None:
    verdict = by_hand(["place", "start", "pick(bread)"])
    (progress,) = verdict.of("progress_completeness")
    assert progress.value == pytest.approx(2 / 3, abs=1e-4)
    (answer,) = verdict.of("ites")
    assert not answer.passed
    assert answer.reason == "nothing"


def test_why_an_action_does_not_advance_is_said() -> None:
    reference = {"a": ["chop", "fry", "serve"], "b": ["wash"]}
    done = {"a": ["chop"], "b": []}
    assert classify_astray("serve", done, [reference]) == "premature"
    assert classify_astray("chop", done, [reference]) == "repetitive"
    assert classify_astray("dance", done, [reference]) == "irrelevant"
    assert classify_astray(None, done, [reference]) == "nothing"
