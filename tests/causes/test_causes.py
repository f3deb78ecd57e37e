"""Planted faults are found: what they lost, and which of them, taken back, save a goal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import cookmas
from cookmas.causes.counterfactuals import AS_IT_WAS, ByReference, Counterfactuals, DecisionPoint
from cookmas.causes.finding import Causes, find_causes
from cookmas.causes.losses import Loss, Losses, Value, find_losses
from cookmas.causes.saving import Saving, find_saving
from cookmas.episodes.trace import PlanRecord
from cookmas.files.errors import UnsupportedError
from cookmas.loading import load_vetted
from cookmas.orchestrator.models.options import ModelOptions
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.world_names import domain_of, locate
from tests.causes.planted import Waiting, counterfactuals_of, write_bells
from tests.cookmas.commands.calling import cookmas as run_command
from tests.modelserver.hosting import Hosted
from tests.worlds.every import SCENARIOS

FIRST, THEN = DecisionPoint(0, None, 1), DecisionPoint(4, None, 1)


def losses_of(folder: Path, *at: int, wait: int = 400, horizon: int = 11, most: int = 40) -> Losses:
    return asyncio.run(
        find_losses(counterfactuals_of(folder, Waiting(at, wait), horizon), horizon, most)
    )


def savings_of(folder: Path, *at: int, most: int = 40) -> dict[str, Saving]:
    async def find() -> Sequence[Saving]:
        counterfactuals = counterfactuals_of(folder, Waiting(at))
        losses = await find_losses(counterfactuals, 11, most)
        return await find_saving(counterfactuals, ["red", "blue", "green"], losses, most)

    return {saving.goal: saving for saving in asyncio.run(find())}


def test_a_decision_that_waits_loses_timesteps(tmp_path: Path) -> None:
    """Of three one is made good: the walkers, who stand together, share what is left."""
    found = losses_of(tmp_path, 0, wait=3, horizon=400)
    assert found.best == Value(3, 0, -10)
    assert [(loss.point, loss.describe()) for loss in found.found] == [(FIRST, "2 timesteps")]
    assert found.had == Value(3, 0, -12)


def test_a_loss_is_told_in_the_unit_of_its_world() -> None:
    def tell(*lost: float) -> str:
        had = Value(1, 4, -20)
        before = Value(*(int(a + b) for a, b in zip(had, lost, strict=True)))
        return Loss(point=FIRST, before=before, after=had).describe()

    assert tell(1, 2, 3) == "2 of the score"
    assert tell(1, 0, 3) == "1 goal"
    assert tell(2, 0, -3) == "2 goals"
    assert tell(0, 0, 1) == "1 timestep"


def test_losses_add_up_to_what_was_lost_in_all(tmp_path: Path) -> None:
    found = losses_of(tmp_path, 0, 4)
    assert [(loss.point, loss.describe()) for loss in found.found] == [
        (FIRST, "2 goals"),
        (THEN, "1 goal"),
    ]
    assert sum(loss.weight[0] for loss in found.found) == found.best.reached - found.had.reached


def test_what_no_play_is_left_for_is_undecided(tmp_path: Path) -> None:
    found = losses_of(tmp_path, 0, 4, most=2)
    assert (found.found, found.undecided) == ([], [FIRST, THEN])


def test_each_decision_that_alone_saves_a_goal_is_named_and_else_a_pair(tmp_path: Path) -> None:
    found = savings_of(tmp_path, 0, 4)
    assert found["red"].single == [FIRST, THEN]
    for goal in ("blue", "green"):
        assert (found[goal].single, set(found[goal].pair or ())) == ([], {FIRST, THEN})
    assert all(not each.unsure for each in found.values())


def test_what_no_play_is_left_for_is_unsure(tmp_path: Path) -> None:
    assert savings_of(tmp_path, 0, 4, most=3)["blue"].unsure == [FIRST, THEN]


def test_pairs_that_no_play_is_left_for_are_unsure_too(tmp_path: Path) -> None:
    blue = savings_of(tmp_path, 0, 4, most=5)["blue"]
    assert (blue.single, blue.unsure, blue.pair, blue.pairs_left) == ([], [], None, True)
    assert not savings_of(tmp_path, 0, 4)["blue"].pairs_left


def test_a_turn_in_which_an_agent_only_talks_is_a_decision_without_a_schedule() -> None:
    loaded = load_vetted(RunRequest(scenario="corridor/halves", planner="team"))
    counterfactuals = Counterfactuals(loaded, loaded.domain.truth(loaded.scenario))
    played = asyncio.run(counterfactuals.play())
    assert played.trace
    planned = [(plan.timestep, plan.agent) for plan in played.trace.of(PlanRecord)]
    decided = [(point.timestep, point.agent) for point, done in played.decided.items() if done]
    assert decided == planned
    assert len(played.points) > len(planned)


def test_the_reference_takes_one_decision_and_the_planner_plays_on(tmp_path: Path) -> None:
    counterfactuals = counterfactuals_of(tmp_path, Waiting((0, 4)))

    async def play(change: ByReference) -> list[int]:
        trace = (await counterfactuals.play(change)).trace
        assert trace
        return [len(plan.schedule) for plan in trace.of(PlanRecord)]

    assert asyncio.run(play(AS_IT_WAS)) == [400, 400]
    first, then = asyncio.run(play(ByReference(at=frozenset({FIRST}))))
    assert (first < 20, then) == (True, 400)


@pytest.mark.parametrize("scenario", [name for name in SCENARIOS if "questions" not in name])
def test_a_reference_loses_nothing_in_its_own_play(scenario: str, tmp_path: Path) -> None:
    world, _ = locate(scenario, None)
    cookmas.play(scenario, domain_of(world).reference, tmp_path / "run")
    causes = asyncio.run(find_causes(tmp_path / "run"))
    assert (causes.losses.found, causes.losses.undecided) == ([], [])
    assert causes.losses.best == causes.losses.had


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Causes:
    """The causes in an episode of a model that counts wrong twice, and whose endpoint is gone."""
    server = Hosted("--fault", "off_by_one=1.0")
    folder = tmp_path_factory.mktemp("runs") / "asked"
    model = ModelOptions(model="scripted", base_url=server.url)
    try:
        cookmas.play("corridor/two", "llm", folder, model=model)
    finally:
        server.stop()
    return asyncio.run(find_causes(folder))


def test_a_recorded_answer_after_which_nothing_new_is_asked_is_surely_the_cause(
    asked: Causes,
) -> None:
    blue = next(saving for saving in asked.savings if saving.goal == "blue")
    assert blue.single == [THEN]
    assert "The goal blue was lost by the plan of timestep 4" in asked.sentences[1]


def test_what_a_model_would_have_answered_to_something_else_is_unsure(asked: Causes) -> None:
    red = next(saving for saving in asked.savings if saving.goal == "red")
    assert (red.single, red.unsure) == ([], [FIRST])
    assert asked.sentences[0] == "It is unsure which decision lost the goal red: 1 of 2 are unsure."


def test_a_run_that_cannot_be_played_again_is_refused(tmp_path: Path) -> None:
    run = cookmas.play("corridor/two", folder=tmp_path / "run")
    fork = cookmas.fork(run, 3, folder=tmp_path / "fork")
    assert fork.folder
    with pytest.raises(UnsupportedError, match="it is a fork"):
        asyncio.run(find_causes(fork.folder))


def test_the_command_names_the_cause_first(tmp_path: Path) -> None:
    bells = str(write_bells(tmp_path, 11))
    run = cookmas.play(bells, "tests.causes.planted:WaitsTwice", tmp_path / "run")
    assert run.success is False
    told = run_command("why", str(run.folder))
    assert told.exit_code == 0, told.output
    assert told.output.startswith(
        "The goal red was lost by the plan of timestep 0 (at timestep 0 walker_1: nothing; the "
        "reference: right); taken back, 1 more would save it."
    )
    data = json.loads(run_command("why", str(run.folder), "--json").output)
    assert [each["goal"] for each in data["savings"]] == ["red", "blue", "green"]
    assert data["savings"][1]["pair"] == [FIRST._asdict(), THEN._asdict()]
