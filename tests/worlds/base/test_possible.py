"""What is possible now is told, and drawn from, only where the state may be simulated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cookmas.episodes.base import World
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.prompt import Prompt
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.voice import POSSIBLE, STATE, Templates
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.planner import RandomPlanner
from cookmas.worlds.base.voice import VOICE
from tests.worlds.base.dice import DiceWorld, Sides


class OpenDice(DiceWorld):
    """Nothing is hidden, and nothing is drawn."""

    drawn = ""
    view_for = World.view_for


class ClosedDice(DiceWorld):
    """What is legal follows from what is hidden."""

    def legal(self, state: dict[str, Any], worker: str) -> list[str]:
        raise AssertionError("asked what is legal in a state that may not be simulated")


def observed(world: DiceWorld) -> Observation[Any]:
    state = world.observe(world.start(), "ann")
    return Observation(
        timestep=0, triggers=(), world=world, state=state, texts={}, fails={}, agent="ann"
    )


def test_what_is_possible_is_told_where_nothing_is_hidden() -> None:
    blocks = VOICE.blocks(observed(OpenDice(Sides(sides=2))))
    assert blocks[POSSIBLE] == {"ann": ["say(1)", "say(2)"]}


@pytest.mark.parametrize(
    ("ways", "listed"),
    [
        (Prompting(), {POSSIBLE}),
        (Prompting(form="choice", per_step=True, legal_actions=True), {"OPTIONS"}),
        (Prompting(form="choice", per_step=True), set()),
    ],
)
def test_what_is_possible_is_listed_once(ways: Prompting, listed: set[str]) -> None:
    asked = observed(OpenDice(Sides(sides=2)))
    user = Prompt.of(asked, VOICE, ways, Templates(VOICE.prompts)).messages()[1].content
    assert parse_blocks(user).keys() & {POSSIBLE, "LEGAL", "OPTIONS"} == listed


def test_what_is_possible_is_left_out_where_something_is_hidden() -> None:
    assert set(VOICE.blocks(observed(ClosedDice(Sides())))) == {STATE}


async def test_the_random_planner_draws_what_is_legal_where_nothing_is_hidden() -> None:
    for seed in range(20):
        plan = await RandomPlanner(seed).plan(observed(OpenDice(Sides(sides=2))))
        assert plan.schedule in ([{"ann": "say(1)"}], [{"ann": "say(2)"}])


async def test_the_random_planner_draws_from_all_actions_where_something_is_hidden() -> None:
    world = ClosedDice(Sides())
    plans = [await RandomPlanner(seed).plan(observed(world)) for seed in range(60)]
    drawn = {action for plan in plans for action in dict(plan.schedule[0]).values()}
    assert drawn == set(world.every_action() or ())


async def test_the_random_planner_idles_where_actions_cannot_be_counted() -> None:
    class Talking(ClosedDice):
        choices: Mapping[str, Sequence[str]] = {}

    plan = await RandomPlanner().plan(observed(Talking(Sides())))
    assert plan.schedule == [{}]
