"""The measures of Collab-Overcooked: perfect runs, runs by hand, and a model with faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import PlannerClass
from cookmas.evals.verdict import Verdict
from cookmas.modelserver.answers import ScriptedModel
from cookmas.modelserver.faults import Faults
from cookmas.orchestrator.dialogue.prompting import PRESETS
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.planner import Observation
from cookmas.orchestrator.planners.llm import TalkingTeam
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.world_names import WORLDS
from cookmas.worlds.collab_overcooked import judging
from cookmas.worlds.collab_overcooked.judging import JUDGING, TALKS
from cookmas.worlds.collab_overcooked.voice import VOICE

REQUIRED = {1: 2, 2: 5, 3: 7, 4: 9, 5: 14, 6: 19}
"""Collaborative actions by level: Table 3 of the paper."""


class Listed:
    """A cook with a list of turns: an action, or what it says before one."""

    name = "listed"
    planner_class: PlannerClass = "fixed"
    stepwise = True

    def __init__(self, *turns: str) -> None:
        self._turns = list(turns)

    async def turn(self, observation: Observation[Any]) -> Turn:
        if observation.agent not in observation.movers:
            return Turn()
        say = ""
        if self._turns and not self._turns[0].partition("(")[0].isidentifier():
            say = self._turns.pop(0).removeprefix("> ")
        return Turn(say=say, actions=[self._turns.pop(0) if self._turns else "wait(1)"])


def verdict(scenario: str, **cooks: Any) -> Verdict:
    loaded = cookmas.load_scenario(f"collab-overcooked/{scenario}")
    workers = list(loaded.world().workers)
    team = team_of_seats({name: seat_of(cooks[name], name, workers) for name in workers})
    found = cookmas.play(loaded, team).verdict
    assert found
    return found


def values(found: Verdict, name: str) -> dict[str, Any]:
    return {check.subject: check.value for check in found.of(name)}


def modelled(scenario: str, rates: Mapping[str, float]) -> Verdict:
    loaded = cookmas.load_scenario(f"collab-overcooked/{scenario}")
    model = ScriptedModel(WORLDS, Faults(rates=rates, seed=1))
    workers = list(loaded.world().workers)
    found = cookmas.play(
        loaded, TalkingTeam([model] * 2, workers, PRESETS["collab"], voice=VOICE)
    ).verdict
    assert found
    return found


@pytest.mark.parametrize("level", [1, pytest.param(4, marks=pytest.mark.conformance)])
def test_a_perfect_run_has_one_everywhere(level: int) -> None:
    found = modelled(f"level_{level}/02", {})
    assert found.success
    assert found.group == f"level_{level}"
    assert values(found, "progress_completeness") == {"episode": 1.0}
    assert set(values(found, "tes").values()) == {1.0}
    assert values(found, "initiating_capability") == {"episode": 1.0}
    assert values(found, "responding_capability") == {"episode": 1.0}
    assert [check.evidence for check in found.of("initiating_capability")] == [
        f"{REQUIRED[level]} of {REQUIRED[level]}"
    ]
    for name in ("initiated", "responded", "fulfilled"):
        assert all(check.passed for check in found.of(name)), name
    assert set(values(found, "response_delay").values()) == {1.0}
    assert values(found, "redundancy") == {"episode": 0.0}
    assert values(found, "verifier_dependence") == {"episode": 0.0}
    assert not list(found.of("failed_initiation"))


def test_a_model_with_faults_is_told_from_one_without() -> None:
    found = modelled("level_3/02", {"illegal": 0.5, "wrong_item": 0.5})
    assert not all(check.passed for check in found.of("initiated"))
    assert list(found.of("failed_initiation"))
    assert 0 < values(found, "verifier_dependence")["episode"] < 1


def test_a_report_has_the_kinds_of_talks_and_of_failed_initiations() -> None:
    board = "chopping_board0"
    requests = [
        "pickup(carrot,ingredient_dispenser)",
        f"cut({board})",
        "fly()",
    ]
    turns = [turn for each in requests for turn in (f"> request('{each}') [END]", "wait(5)")]
    chef = Listed(*turns, "> now what? [END]", "wait(5)")
    found = verdict("level_3/02", bob=chef, alice=Listed(requests[0]))
    shares = {column.name: column.values(found) for column in TALKS}
    assert shares == {
        "both": [100, 0, 0, 0],
        "asked_only": [0, 0, 0, 0],
        "answered_only": [0, 0, 0, 0],
        "neither": [0, 100, 100, 100],
        "premature": [0, 100, 0, 0],
        "repetitive": [0, 0, 0, 0],
        "irrelevant": [0, 0, 100, 0],
        "nothing": [0, 0, 0, 100],
    }
    assert set(TALKS) <= set(JUDGING.columns)


BOIL = ["pickup(egg,counter)", "put_obj_in_utensil(pot0)", "cook(pot0)", "wait(2)"]
SERVE = ["pickup(boiled_egg,pot0)", "deliver()"]
BRING = ["pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"]


def boiling(asked: Sequence[str], waited: int, *brought: str) -> Verdict:
    bob = Listed(*asked, *["wait(1)"] * waited, *BOIL, *SERVE)
    return verdict("level_1/03", bob=bob, alice=Listed(*brought))


def test_what_the_food_did_not_need_is_redundant() -> None:
    back = ["pickup(egg,counter)", "place_obj_on_counter()"]
    found = boiling([], 10, *BRING, *back, "pickup(corn,ingredient_dispenser)")
    assert found.success
    [check] = found.of("redundancy")
    assert (check.value, check.evidence) == (0.3, "3 of 10 actions")


def test_requests_are_judged_by_what_the_partner_does() -> None:
    asked = "> request('pickup(egg, ingredient_dispenser)'); request('cut(chopping_board0)')"
    found = boiling([asked, "wait(1)"], 7, "wait(2)", *BRING)
    assert values(found, "initiated") == {"bob at 0": True}
    assert values(found, "responded") == {"bob at 0": True}
    assert values(found, "initiating_capability") == {"episode": 0.5}
    assert values(found, "responding_capability") == {"episode": 1.0}
    assert [check.passed for check in found.of("fulfilled")] == [True, False]
    assert values(found, "response_time") == {"bob at 0": 5}
    assert values(found, "response_delay") == {"bob at 0": pytest.approx(5 / 3, abs=1e-3)}


def test_a_request_that_is_not_possible_yet_has_no_delay() -> None:
    found = boiling(["> request('place_obj_on_counter()')", "wait(1)"], 6, *BRING)
    [check] = found.of("initiated")
    assert (check.passed, check.reason) == (False, "premature")
    assert values(found, "response_time") == {"bob at 0": 5}
    assert not list(found.of("response_delay"))


def test_an_order_that_is_not_served_has_no_redundancy_but_progress() -> None:
    found = verdict("level_1/03", bob=Listed(), alice=Listed(*BRING))
    assert found.success is False
    assert found.why.startswith("the episode ended with horizon")
    assert not list(found.of("redundancy"))
    assert values(found, "progress_completeness") == {"episode": 0.5}
    assert [goal.status for goal in found.goals] == ["open"]


def optimality_of(task: str) -> dict[str, Any]:
    found = cookmas.play(f"collab-overcooked/{task}", "reference").verdict
    assert found
    assert found.success
    return values(found, "optimality_rate")


def test_optimality_is_measured_against_the_exact_search_as_far_as_it_is_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert optimality_of("level_1/01") == {"episode": 1.0}
    monkeypatch.setattr(judging, "JUDGED_SITUATIONS", 10)
    assert optimality_of("level_1/01") == {}


@pytest.mark.conformance
def test_the_dishes_of_level_6_have_no_optimality() -> None:
    assert optimality_of("level_6/01") == {}


def test_an_order_that_is_not_served_has_no_optimality() -> None:
    found = verdict("level_1/03", bob=Listed(), alice=Listed(*BRING))
    assert values(found, "optimality_rate") == {}
