"""What a model is told of a kitchen: its rules and its situation in words."""

from __future__ import annotations

from typing import Any

import pytest

import cookmas
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.studies.previewing import first_request, first_requests
from cookmas.worlds.grids.walking import Body
from cookmas.worlds.overcooked.rules.kitchen import GateState, KitchenItem, PotContent
from cookmas.worlds.overcooked.rules.state import OvercookedRules
from cookmas.worlds.overcooked.voice import VOICE
from cookmas.worlds.overcooked.words import describe_rules
from tests.worlds.overcooked.opened import opened, step
from tests.worlds.recording import Recording


def rules(name: str) -> str:
    world, _ = opened(name)
    return describe_rules(world.kitchen, world.workers, world.options)


def test_the_rules_name_the_places_and_who_reaches_them() -> None:
    told = rules("forced_coordination")
    assert "- onion dispenser: o0 (0,1), o1 (0,2)" in told
    assert "over which things can be passed: s0 (2,1), s1 (2,2), s2 (2,3)" in told
    assert "alice reaches only c0, c1, d0, s0, s1, s2, k1, k2." in told
    assert "a soup of 3 onions (20 points, cooks 20)" in told
    assert "gate" not in told
    assert "starts by itself" in told
    assert max(map(len, told.splitlines())) <= 100


def test_the_rules_tell_orders_and_gates() -> None:
    told = rules("current/cramped_room_tomato")
    assert "1 onion and 1 tomato" in told
    assert "3 tomatoes" in told
    assert "with empty hands starts a pot" in " ".join(told.split())
    assert "A closed gate is opened" in rules("no_counter_door")


def test_the_situation_is_told_to_a_cook_from_where_it_stands() -> None:
    world, state = opened("forced_coordination")
    scene = state.scene._replace(
        counters={(2, 2): KitchenItem("onion"), (4, 2): KitchenItem("dish")},
        pots={(3, 0): PotContent(("onion",) * 3, 12), (4, 1): PotContent(("onion",) * 3, 20)},
    )
    told = world.narrate(state._replace(scene=scene), "bob")
    assert told[:2] == ["You hold nothing.", "alice holds nothing."]
    assert told[2].startswith("From where you are: o0 is 2 moves away. o1 is 1 move away.")
    assert "c0 cannot be reached." in told[2]
    assert "k0, the nearest empty counter, is 1 move away." in told[2]
    assert "c0 is in front." in told[3]
    assert "c0 has 3 of 3 ingredients (onion, onion, onion) and cooks for 8 more timesteps." in told
    assert "c1 has 3 of 3 ingredients (onion, onion, onion), and its soup is ready." in told
    assert "s0 is empty." in told
    assert "On s1 lies an onion." in told
    assert "On k1 lies a dish." in told


def test_gates_and_cooks_in_the_way_are_told() -> None:
    world, state = opened("no_counter_door")
    told = "\n".join(world.narrate(state, "alice"))
    assert "o1 is blocked by bob." in told
    assert "d0 is blocked by g0 and g1." in told
    assert "g0 is 1 move away." in told
    gates = {**state.scene.gates, (1, 3): GateState(True, 4)}
    opening = state._replace(scene=state.scene._replace(gates=gates))
    told = "\n".join(world.narrate(opening, "alice"))
    assert "g0 is open for 7 more timesteps." in told
    assert "d0 is 5 moves away." in told


def test_a_gate_is_told_open_for_as_long_as_a_cook_can_walk_in() -> None:
    world, state = opened("no_counter_door")
    for ticks in (1, 9, 10):
        gate = {**state.scene.gates, (1, 3): GateState(True, ticks)}
        (inside, *_) = (cell for cell in ((1, 2), (1, 4)) if cell in world.kitchen.grid.floor)
        facing = (0, 3 - inside[1])
        cook = state.scene.cooks[0]._replace(body=Body(inside, facing))
        scene = state.scene._replace(gates=gate, cooks=(cook, *state.scene.cooks[1:]))
        now = state._replace(scene=scene)
        told = [line for line in world.narrate(now, "alice") if line.startswith("g0 is open")]
        left = 11 - ticks
        assert told == [f"g0 is open for {left} more timestep{'' if left == 1 else 's'}."]
        for _ in range(left - 1):
            now = step(world, now)
        after = step(world, now, "south" if facing == (0, 1) else "north")
        assert after.scene.cooks[0].body.at == (1, 3)
        assert not step(world, now).scene.gates[1, 3].open


def test_the_scripted_model_cooks_as_the_greedy_cook() -> None:
    settings = {"horizon": 40}
    model = Recording()
    run: Any = cookmas.play(
        "overcooked/cramped_room", SchedulingPlanner(model, voice=VOICE), settings=settings
    )
    greedy: Any = cookmas.play("overcooked/cramped_room", "greedy", settings=settings)
    assert run.verdict.score == greedy.verdict.score == 20
    assert "a soup of 3 onions" in model.asked[0]
    assert "POSSIBLE" in model.asked[0]


def test_no_model_is_told_of_a_hidden_partner() -> None:
    models = {cook: Recording() for cook in ("alice", "bob")}
    settings = {"horizon": 12, "hide_partner": True}
    team = TalkingTeam([*models.values()], [*models], voice=VOICE)
    cookmas.play("overcooked/forced_coordination", team, settings=settings)
    assert any('"bob": null' in text for text in models["alice"].asked)
    assert not any('"alice": null' in text for text in models["alice"].asked)


@pytest.mark.parametrize("fault", ["illegal", "wrong_item", "forbidden_station"])
def test_a_faulty_model_proposes_what_cannot_be_done(fault: str) -> None:
    faulty = SchedulingPlanner(Recording(**{fault: 0.6}), voice=VOICE)
    run: Any = cookmas.play("overcooked/cramped_room", faulty, settings={"horizon": 12})
    assert run.verdict.summary["fails"] > 0


def told(scenario: str, **settings: str) -> tuple[str, dict[str, Any]]:
    """Return the system message about a kitchen in one line, and the blocks of the first call."""
    request = first_request(f"overcooked/{scenario}", settings=settings)
    system, asked = (message.content for message in request.messages)
    return " ".join(system.split()), dict(parse_blocks(asked))


def test_orders_have_named_fields_and_no_soup_without_points_is_listed() -> None:
    _, blocks = told("cramped_room")
    assert blocks["WORLD_OVERCOOKED"]["orders"] == [
        {"ingredients": ["onion", "onion", "onion"], "points": 20, "cooks": 20}
    ]
    assert "recipes" not in blocks["WORLD_OVERCOOKED"]
    assert "TEXTS" not in blocks


def test_every_option_of_an_episode_is_explained() -> None:
    system, _ = told("cramped_room")
    for option in OvercookedRules.model_fields:
        assert f"`{option}`" in system
    for words in ("`papers`", "`current`", "`step_away` or `wait`", "The episode lasts 400"):
        assert words in system
    assert "The episode lasts 90 timesteps" in told("cramped_room", horizon="90")[0]


def test_the_rules_follow_the_options() -> None:
    stuck, lasting = "comes no nearer to the place", "A medium-level action lasts"
    assert stuck in told("cramped_room")[0]
    assert stuck not in told("cramped_room", stalemate="wait")[0]
    low = told("cramped_room", acts="low")[0]
    assert lasting not in low
    assert stuck not in low


def test_it_is_told_what_the_possible_actions_leave_out() -> None:
    sentence = "`interact` never FAIL, and are not listed"
    system, blocks = told("cramped_room")
    assert sentence in system
    assert "north" not in blocks["POSSIBLE"]["alice"]
    system, blocks = told("cramped_room", acts="low")
    assert sentence not in system
    assert "north" in blocks["POSSIBLE"]["alice"]


def test_the_example_has_actions_that_the_cook_can_reach() -> None:
    request = first_requests("overcooked/forced_coordination", "alice=llm,bob=llm")
    for cook, shown in (("alice", "pick_up(onion,s0)"), ("bob", "pick_up(onion,o0)")):
        example = request[cook].messages[0].content.partition(f'{{"{cook}": [[0, ')[2]
        assert example.startswith(f'"{shown}"')
