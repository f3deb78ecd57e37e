"""What a model is told of CuisineWorld: MindAgent's parts, each of which can be left out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cookmas
from cookmas.episodes.trace import ModelCall, StepRecord
from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import preset
from cookmas.orchestrator.planners.llm import SchedulingPlanner
from cookmas.studies.previewing import first_request, first_requests
from cookmas.worlds.cuisineworld.domain import DOMAIN
from cookmas.worlds.cuisineworld.rules.book import (
    ORIGINAL_LEVELS,
    build_kitchen,
    read_recipe,
    recipe_text,
)
from cookmas.worlds.cuisineworld.voice import (
    VOICE,
    _demonstrate,
    _demonstration_kitchen,
    level_data,
)
from cookmas.worlds.cuisineworld.world import CuisineWorld
from tests.sampling import examples
from tests.worlds.recording import Prepared

SCRIPT = DOMAIN.script

GOES = {"schedule": [{"agent0": "goto_storage0"}]}
MISSES = {"schedule": [{"agent0": "goto_storage0", "agent1": "get_moon"}]}


def prompt(**asking: Any) -> tuple[str, str]:
    options = AskingOptions(preset="mindagent", **asking)
    system, user = first_request("cuisineworld/level_3", asking=options).messages
    return system.content, user.content


def test_the_preset_asks_as_mindagent_does() -> None:
    system, user = prompt()
    for part in ("# The rules", "# Hints", "### DEMONSTRATION", "porkMeatcake", "# Actions"):
        assert part in system
    blocks = parse_blocks(user)
    assert set(blocks) == {"LEVEL", "STATE", "RECIPES", "CALL"}
    assert (blocks["CALL"]["timestep"], blocks["CALL"]["last"]) == (0, 59)
    assert set(blocks["RECIPES"]) == {"salmonSushi", "tunaSushi"}
    assert blocks["CALL"]["task"] == "step"


@pytest.mark.parametrize(
    ("asking", "gone"),
    [
        ({"hints": False}, "# Hints"),
        ({"demonstration": "none"}, "### DEMONSTRATION"),
        ({"feedback": False}, "`fails`"),
    ],
)
def test_each_part_can_be_left_out(asking: dict[str, Any], gone: str) -> None:
    assert gone in prompt()[0]
    assert gone not in prompt(**asking)[0]


def test_the_demonstration_may_be_two_timesteps_or_of_other_agents() -> None:
    full = parse_blocks(prompt()[0])["DEMONSTRATION"]["timesteps"]
    two = parse_blocks(prompt(demonstration="two_steps")[0])["DEMONSTRATION"]["timesteps"]
    assert two == full[:2]
    assert any(action.startswith("put_servingtable") for action in full[-1]["actions"].values())
    alone = parse_blocks(prompt(demonstration_workers=1)[0])["DEMONSTRATION"]["timesteps"]
    assert list(alone[0]["actions"]) == ["agent0"]
    with pytest.raises(InputError, match="expected 1 to 4"):
        prompt(demonstration_workers=5)


def asking(model: Prepared) -> SchedulingPlanner:
    return SchedulingPlanner(model, preset("mindagent", VOICE.presets), voice=VOICE)


def test_the_last_two_decisions_are_shown_again() -> None:
    def shown(call: Any) -> Any:
        return parse_blocks(call.messages[-1].content).get("MEMORY", [])

    planner = asking(Prepared(MISSES))
    scenario = cookmas.load_scenario("cuisineworld/level_3")
    calls = list(cookmas.play(scenario, planner).trace.of(ModelCall))
    assert len(calls) == 50, "from timestep 50 on nothing can be made any more"
    assert [len(shown(call)) for call in calls[:4]] == [0, 1, 2, 2]
    last = shown(calls[5])[-1]
    assert last["actions"] == [{"agent0": "goto_storage0", "agent1": "get_moon"}]
    assert "names no place" in last["failed"]["agent1"]["why"]


def test_agents_of_a_team_act_in_the_order_that_they_are_told() -> None:
    (system, _), *_ = (
        [each.content for each in request.messages]
        for request in first_requests("cuisineworld/level_3", "llm-team").values()
    )
    assert "in the order in which CALL names the `workers`" in " ".join(system.split())
    assert "in the order of your answer" not in system
    scenario = cookmas.load_scenario("cuisineworld/level_3")
    run = cookmas.play(scenario, "agent1=greedy,agent0=random")
    orders = {tuple(command[0] for command in x.commands) for x in run.trace.of(StepRecord)}
    assert orders == {tuple(scenario.world().workers)}


def test_the_last_timestep_can_be_left_out_too() -> None:
    assert "last" not in parse_blocks(prompt(last_step=False)[1])["CALL"]


def test_an_answer_that_cannot_be_used_costs_its_timestep_and_is_told_at_the_next() -> None:
    planner = asking(Prepared(GOES, "I go there.", GOES))
    run = cookmas.play(cookmas.load_scenario("cuisineworld/level_3"), planner)
    assert run.trace.end
    assert (run.trace.end.termination, run.trace.end.timestep) == ("horizon", 60)
    calls = list(run.trace.of(ModelCall))
    assert [call.unusable for call in calls[:4]] == [None, "unreadable", None, None]
    steps = list(run.trace.of(StepRecord))
    assert {action for _, action in steps[1].commands} == {"noop"}
    told = [parse_blocks(call.messages[-1].content) for call in calls[:4]]
    assert told[2]["CALL"]["problems"] == [
        "The answer at timestep 1 could not be used; everybody idled.",
        "There is no JSON object in it.",
    ]
    assert "problems" not in told[3]["CALL"]
    assert [len(blocks.get("MEMORY", [])) for blocks in told] == [0, 1, 1, 2]


@pytest.mark.parametrize("workers", [1, 2, 3, 4])
def test_the_demonstration_is_of_agents_that_share_the_work(workers: int) -> None:
    world = _demonstration_kitchen(workers)
    state = world.start()
    shown = _demonstrate(workers)
    orders = len(shown[0]["state"]["orders"])
    for _ in range(orders):
        state, _ = world.apply(state, {"kind": "order", "dish": "porkMeatcake"})
    for step in shown:
        assert step["state"] == VOICE.outline(world, state)
        commands = [Command(*each) for each in step["actions"].items()]
        state, outcomes, _ = world.step(state, commands)
        assert all(outcome.done for outcome in outcomes.values())
    assert (len(state.completed), state.failed) == (orders, ())
    for worker in world.workers:
        active = [step["actions"][worker] for step in shown if step["actions"][worker] != "noop"]
        assert len(active) >= 4, worker


def test_the_game_is_said_to_end_with_its_last_timestep() -> None:
    options = AskingOptions(preset="default")
    system = first_request("cuisineworld/level_3", asking=options).messages[0].content
    words = " ".join(system.split())
    assert "from timestep 0 to timestep 59; it does not end earlier" in words
    assert "at most up to timestep 59, the last one of the game" in words
    assert "is done" not in words.partition("# What you answer")[2]


@pytest.mark.parametrize("level", ORIGINAL_LEVELS)
def test_a_recipe_in_words_says_all_of_it(level: str) -> None:
    kitchen = build_kitchen(level, "1.0", 2)
    for dish in kitchen.dishes:
        read = {step.product: step for step in read_recipe(recipe_text(dish, kitchen.recipes))}
        assert dish in read
        assert all(kitchen.recipes[product] == step for product, step in read.items())
        needed = {item for step in read.values() for item in step.inputs}
        assert needed - kitchen.ingredients <= set(read)


@given(st.randoms(use_true_random=False), st.sampled_from(ORIGINAL_LEVELS), st.integers(1, 3))
@settings(max_examples=examples(20, tests=6))
def test_who_decides_for_all_knows_all_from_its_own_places_and_its_memory(
    draw: Random, level: str, agents: int
) -> None:
    world = CuisineWorld(build_kitchen(level, "1.0", agents))
    dish = world.kitchen.dishes[0]
    texts = {name: recipe_text(name, world.kitchen.recipes) for name in world.kitchen.dishes}
    state, _ = world.apply(world.start(), {"kind": "order", "dish": dish})
    memory: list[dict[str, Any]] = []
    for _ in range(8):
        whole = VOICE.tell_state(world, state)
        told = VOICE.select_own(world, whole, world.workers)
        assert set(told["inside"]) == {agent.at for agent in state.agents}
        call = {"timestep": state.timestep, "workers": list(world.workers), "told": "own"}
        blocks = {"LEVEL": level_data(world), "RECIPES": texts, "STATE": told, "CALL": call}
        known = SCRIPT.situation(
            SCRIPT.recall({**blocks, "MEMORY": memory}, {}), {}, "schedule", lambda *each: False
        )
        assert SCRIPT.rebuild(known)[1] == state._replace(
            arrived=0,
            completed=("",) * len(state.completed),
            failed=("",) * len(state.failed),
            failed_count=0,
        )
        actions = []
        for _ in range(draw.randint(1, 4)):
            drawn = {name: draw.choice(world.legal(state, name)) for name in world.workers}
            actions.append(drawn)
            state, _, _ = world.step(state, [Command(*each) for each in drawn.items()])
        memory.append({"timestep": whole["timestep"], "state": told, "actions": actions})


def test_without_a_memory_a_kitchen_that_is_not_seen_is_as_at_the_start() -> None:
    world = CuisineWorld(build_kitchen("level_3", "1.0", 2))
    state = world.start()
    for action in ("goto_storage0", "get_rice_storage0", "goto_pot0", "put_pot0", "goto_storage0"):
        state, _, _ = world.step(state, [Command("agent0", action)])
    whole = VOICE.tell_state(world, state)
    assert whole["inside"] == {"pot0": ["rice"]}
    call = {"timestep": state.timestep, "workers": list(world.workers), "told": "own"}
    for agent, place in (("agent0", "storage0"), ("agent1", "servingtable0")):
        told = VOICE.select_own(world, whole, [agent])
        assert told["inside"] == {place: []}
        assert list(told["agents"]) == [agent]
        blocks = {"LEVEL": level_data(world), "STATE": told, "CALL": call}
        known = SCRIPT.recall(blocks, {})["STATE"]
        assert known["agents"].keys() == {*world.workers}
        assert known["inside"] == {place: []}


@pytest.mark.parametrize("level", ORIGINAL_LEVELS)
def test_the_scripted_model_knows_every_level_from_its_prompt(level: str) -> None:
    world = CuisineWorld(build_kitchen(level, "1.0", 2))
    texts = {name: recipe_text(name, world.kitchen.recipes) for name in world.kitchen.dishes}
    told = VOICE.tell_state(world, world.start())
    blocks = {"LEVEL": level_data(world), "RECIPES": texts, "STATE": told}
    read, state = SCRIPT.rebuild(SCRIPT.situation(blocks, {}, "schedule", lambda *each: False))
    assert state == world.start()
    assert read.kitchen.servable == world.kitchen.servable
    assert read.kitchen.recipes == world.kitchen.recipes
