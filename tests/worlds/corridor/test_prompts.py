"""What a model is told of the corridor: constant blocks first, and every field explained."""

from __future__ import annotations

from typing import Any

import pytest

import cookmas
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.models.message import Request
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.studies.previewing import first_request
from cookmas.worlds.corridor.domain import DOMAIN
from cookmas.worlds.corridor.voice import VOICE
from tests.worlds.recording import Recording


def _told(request: Request) -> tuple[str, dict[str, Any]]:
    system, user = (message.content for message in request.messages[:2])
    return " ".join(system.split()), parse_blocks(user)


def test_the_set_up_is_a_block_of_its_own_which_comes_first_and_stays() -> None:
    model = Recording()
    assert cookmas.play("corridor/two", SchedulingPlanner(model, voice=VOICE)).success
    first, again = (_told(request)[1] for request in model.requests)
    assert [name for name in first if name != "UNDERWAY"] == ["CORRIDOR", "TEXTS", "STATE", "CALL"]
    assert first["CORRIDOR"] == again["CORRIDOR"] == {"walkers": 2, "length": 9}
    assert first["STATE"]["timestep"] < again["STATE"]["timestep"]


def test_an_agent_is_told_what_each_field_of_a_bell_means() -> None:
    system, blocks = _told(first_request("corridor/halves", "llm-team"))
    bells = blocks["STATE"]["bells"]
    assert {name: bell["hidden"] for name, bell in bells.items()} == {"red": True, "blue": False}
    assert list(blocks["TEXTS"]) == ["blue"]
    for field in bells["red"]:
        assert f"`{field}`" in system
    for name in blocks:
        assert f"- {name}" in system


def test_an_agent_is_told_how_many_turns_it_has_and_what_for() -> None:
    model = Recording()
    team = TalkingTeam([model, model], ["walker_1", "walker_2"], rounds=3, voice=VOICE)
    assert cookmas.play("corridor/halves", team).success
    assert team.most_turns == 6
    system, blocks = _told(model.requests[0])
    assert "At one timestep each of you has at most 3 turns." in system
    assert "The goal of all of you: every bell that is asked for is rung where it hangs" in system
    assert f"You are {blocks['CALL']['agent']}, and it is your turn." in system


def test_all_agents_are_told_the_same_up_to_who_they_are() -> None:
    model = Recording()
    cookmas.play(
        "corridor/halves", TalkingTeam([model, model], ["walker_1", "walker_2"], voice=VOICE)
    )
    first, other = (_told(request)[0] for request in model.requests[:2])
    assert first.partition("You are walker_1")[0] == other.partition("You are walker_2")[0]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("CORRIDOR", {"walkers": 2}),
        ("CORRIDOR", {"walkers": "two", "length": 9}),
        ("STATE", {}),
        ("STATE", {"timestep": 0, "bells": []}),
    ],
)
def test_a_block_that_cannot_be_read_is_named(name: str, data: dict[str, Any]) -> None:
    blocks = _told(first_request("corridor/two", "llm"))[1]
    with pytest.raises(InputError, match=f"block ### {name} is not as expected"):
        DOMAIN.script.situation({**blocks, name: data}, {}, "schedule", lambda *_: False)
