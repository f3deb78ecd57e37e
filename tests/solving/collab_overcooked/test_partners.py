"""Scripted cooks: the team that shares its schedule, and the rate of the one that errs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import PlanRecord, TriggerRecord
from cookmas.evals.verdict import EPISODE
from cookmas.files.errors import InputError
from cookmas.orchestrator.member import Turn
from cookmas.solving.collab_overcooked.planners import (
    SharedAction,
    SharingCook,
    act_by_plan,
    read_shared,
)
from tests.cookmas.commands.calling import cookmas as cookmas_command

BRING = ["pickup(egg,ingredient_dispenser)", "place_obj_on_counter()"]


@pytest.mark.parametrize(("name", "timesteps"), [("level_1/03", 16), ("level_4/02", 32)])
def test_a_team_that_shares_its_schedule_is_perfect(name: str, timesteps: int) -> None:
    verdict = cookmas.play(f"collab-overcooked/{name}", "sharing").verdict
    assert verdict
    assert verdict.why.endswith(f"delivered at timestep {timesteps}")
    for measure in ("progress_completeness", "initiating_capability", "responding_capability"):
        (check,) = [each for each in verdict.of(measure) if each.subject == EPISODE]
        assert check.value == 1
    assert [check.value for check in verdict.of("response_delay")] == [1.0]


@pytest.mark.parametrize("planner", ["sharing", "asking"])
def test_a_cook_is_called_at_each_move_and_hears_of_no_schedule_that_ran_out(planner: str) -> None:
    trace = cookmas.play("collab-overcooked/level_1/03", planner).trace
    assert "exhausted" not in {each.trigger for each in trace.of(TriggerRecord)}


class Telling:
    """A chef that says something at the beginning, and works as the reference cook."""

    def __init__(self, words: str) -> None:
        self.words = words

    async def turn(self, observation: Any) -> Turn:
        first = observation.timestep == 0 and not observation.talk
        return Turn(say=self.words if first else "", actions=[act_by_plan(observation)])


def done_by_alice(words: str) -> list[str]:
    seats: dict[str, Any] = {"bob": Telling(words), "alice": SharingCook()}
    verdict = cookmas.play("collab-overcooked/level_1/03", seats).verdict
    assert verdict
    (check,) = [each for each in verdict.of("tes") if each.subject == "alice"]
    return check.evidence.split("; ") if check.evidence else []


def test_the_partner_knows_only_the_schedule_that_it_is_told() -> None:
    told = "; ".join(f"{3 * n} alice: request('{action}')" for n, action in enumerate(BRING))
    assert done_by_alice(told) == BRING
    assert done_by_alice("hello") == []
    assert done_by_alice(told.replace("alice", "carol")) == []


def test_a_shared_action_waits_for_its_time() -> None:
    assert done_by_alice(f"200 alice: request('{BRING[0]}')") == []


def test_what_cannot_be_read_of_a_schedule_is_left_out() -> None:
    text = "0 bob: request('deliver()'); 1 alice: request('fly()'); x; 2 alice: deliver(); "
    assert list(read_shared(f"{text}3 alice: request('wait( 2 )')", "alice")) == [
        SharedAction(3, "wait(2)")
    ]


def played(planner: str, seed: int | None = None) -> list[tuple[int, Any]]:
    """Return what alice decided at each timestep."""
    run = cookmas.play("collab-overcooked/level_1/03", planner, planner_seed=seed)
    plans = [plan for plan in run.trace.of(PlanRecord) if plan.agent == "alice"]
    return [(plan.timestep, plan.schedule) for plan in plans]


def test_a_cook_errs_at_the_rate_that_its_name_has() -> None:
    right = played("bob=reference,alice=reference")
    assert played("bob=reference,alice=erring@0") == right
    assert played("bob=reference,alice=erring@0.2", 3) == played("bob=reference,alice=erring", 3)
    assert played("bob=reference,alice=erring@1") != right
    assert played("bob=reference,alice=erring@1", 1) != played("bob=reference,alice=erring@1", 2)


@pytest.mark.parametrize(
    "planner", ["erring@2", "erring@", "erring@-1", "erring@half", "erring@nan"]
)
def test_what_is_no_rate_is_said_in_one_line(planner: str) -> None:
    with pytest.raises(InputError, match="expected a number from 0 to 1, as in erring@0"):
        played(planner)


def test_a_planner_without_a_rate_takes_none() -> None:
    with pytest.raises(InputError, match="has no rate: name it 'reference'"):
        played("reference@0.3")


def test_a_user_sets_the_seed_of_a_cook_that_draws(tmp_path: Path) -> None:
    task, pair = "collab-overcooked/level_1/03", "bob=reference,alice=erring@1"
    said = []
    for seed in ("1", "1", "2"):
        options = ("--planner", pair, "--planner-seed", seed, "--runs", str(tmp_path))
        done = cookmas_command("run", task, *options, "--json")
        assert done.exit_code == 1
        said.append(json.loads(done.stdout)["verdict"]["checks"])
    assert said[0] == said[1] != said[2]
