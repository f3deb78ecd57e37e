"""What a model is told: names, ends of actions, why it is asked; and a pickup that waits."""

from __future__ import annotations

import json
from typing import Any

import pytest

import cookmas
from cookmas.episodes.trace import StepRecord, TriggerRecord
from cookmas.episodes.world import Command
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.prompting import PRESETS, Told
from cookmas.orchestrator.models.message import Request
from cookmas.orchestrator.planners.llm import SchedulingPlanner, TalkingTeam
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.studies.previewing import first_requests
from cookmas.worlds.collab_overcooked.domain import DOMAIN
from cookmas.worlds.collab_overcooked.judging import read
from cookmas.worlds.collab_overcooked.rules.actions import read_action, read_requests
from cookmas.worlds.collab_overcooked.rules.engine import refusal
from cookmas.worlds.collab_overcooked.rules.kitchen import FoodItem
from cookmas.worlds.collab_overcooked.voice import VOICE
from tests.orchestrator.dialogue.test_plans import Prepared, plan
from tests.worlds.collab_overcooked.test_world import begun, play, with_scene
from tests.worlds.recording import Recording

TASK = "level_6/01"


def requests(task: str = TASK) -> dict[str | None, Request]:
    return first_requests(f"collab-overcooked/{task}", "bob=collab,alice=collab")


def blocks(request: Request) -> dict[str, Any]:
    return dict(parse_blocks(request.messages[-1].content))


def system(request: Request) -> str:
    return " ".join(request.messages[0].content.split())


def both(
    alice: Prepared, bob: Prepared, task: str = "level_2/03", ways: str = "collab"
) -> cookmas.Run:
    workers = ["bob", "alice"]
    models = {"alice": alice, "bob": bob}
    seats = {
        name: seat_of(SchedulingPlanner(models[name], PRESETS[ways], voice=VOICE), name, workers)
        for name in workers
    }
    return cookmas.play(f"collab-overcooked/{task}", team_of_seats(seats))


CORN = "pickup(corn,ingredient_dispenser)"

RESTS = [plan(*["wait(5)"] * 8) for _ in range(3)]


def test_who_reads_the_recipe_is_told_the_names_of_the_order_and_no_others() -> None:
    world = blocks(requests()["bob"])["WORLD_COLLAB_OVERCOOKED"]
    assert world["raw"] == ["carrot", "onion", "potato"]
    assert world["made"] == [
        "boiled_potato_slices",
        "mashed_potato",
        "onion_slices",
        "potato_carrot_and_onion_patty",
        "potato_slices",
    ]
    assert set(world) == {"grid", "cooks", "readers", "raw", "made"}


def test_who_does_not_is_told_what_the_dispenser_gives_and_nothing_of_the_recipe() -> None:
    told = requests()["alice"]
    world = blocks(told)["WORLD_COLLAB_OVERCOOKED"]
    assert set(world) == {"grid", "cooks", "readers", "raw"}
    assert len(world["raw"]) == 25
    for name in ("mashed_potato", "potato_slices", "plated"):
        assert name not in told.messages[0].content + told.messages[1].content


@pytest.mark.parametrize("cook", ["bob", "alice"])
def test_the_names_are_a_small_part_of_a_call(cook: str) -> None:
    request = requests()[cook]
    whole = sum(len(message.content) for message in request.messages)
    world = blocks(request)["WORLD_COLLAB_OVERCOOKED"]
    assert len(json.dumps(world)) < 0.07 * whole


def keys(data: Any) -> set[str]:
    """Return the keys of data at any depth, except for names of cooks and utensils."""
    if isinstance(data, dict):
        return {key for key in data if key.isalpha()}.union(*map(keys, data.values()))
    return set().union(*map(keys, data)) if isinstance(data, list) else set()


@pytest.mark.parametrize(
    ("scenario", "planner", "names"),
    [
        ("collab-overcooked/level_6/01", "bob=collab,alice=collab", {"bob", "alice", "timestep"}),
        ("overcooked/cramped_room", "llm", {"alice", "bob", "timestep"}),
        ("overcooked/no_counter_door", "llm", {"alice", "bob", "timestep"}),
    ],
)
def test_every_field_is_explained(scenario: str, planner: str, names: set[str]) -> None:
    for request in first_requests(scenario, planner).values():
        given = system(request)
        found = blocks(request)
        told = {
            key
            for name, data in found.items()
            if name.startswith(("WORLD_", "STATE"))
            for key in keys(data)
        }
        assert told - names
        unexplained = {key for key in told - names if f"`{key}`" not in given}
        assert unexplained - {"grid", "cooks", "facing", "delivered"} == set()


def test_it_is_told_when_the_action_of_a_cook_will_be_done() -> None:
    run = cookmas.play("collab-overcooked/level_4/02", "reference")
    world, state = begun("level_4/02")
    promised: dict[str, int] = {}
    compared = 0
    for step in run.trace.of(StepRecord):
        for name in world.movers(state):
            if name in promised:
                assert promised.pop(name) == state.timestep
                compared += 1
        state, _, _ = world.step(state, [Command(*each) for each in step.commands])
        if world.ending(state) is None:
            for name, cook in VOICE.tell_state(world, state)["cooks"].items():
                if cook["until"] is not None:
                    assert promised.setdefault(name, cook["until"]) == cook["until"]
    assert compared > 10


def test_it_is_told_from_when_on_food_can_be_taken_out() -> None:
    world, state = begun("level_2/03")
    for action in (
        "pickup(corn,ingredient_dispenser)",
        "put_obj_in_utensil(chopping_board0)",
        "cut(chopping_board0)",
    ):
        state = play(world, state, {"alice": action})
        if action.startswith("put"):
            assert VOICE.tell_state(world, state)["utensils"] == {
                "chopping_board0": {"has": ["corn"]}
            }
    told = VOICE.tell_state(world, state)["utensils"]["chopping_board0"]
    assert told["makes"] == "corn_slices"
    take = read_action("pickup(corn_slices,chopping_board0)")
    while refusal(world.sight(state, 1), take):
        assert state.timestep < told["ready"]
        state, _, _ = world.step(state, [])
    assert state.timestep == told["ready"]


# Why a cook is asked


def test_it_is_told_why_it_is_asked() -> None:
    alice = Prepared(plan("wait(2)"), *RESTS)
    bob = Prepared(plan("wait(1)", "deliver()"), *RESTS)
    both(alice, bob)
    kinds = [alice.blocks(number)["CALL"]["triggers"][0]["kind"] for number in range(2)]
    assert kinds == ["new_order", "exhausted"]
    assert alice.blocks(1)["CALL"]["triggers"][0]["cause"] == "your plan is worked off"
    call = bob.blocks(1)["CALL"]
    refused = {"kind": "refused", "cause": "the next action of your plan is refused"}
    assert call["triggers"] == [refused]
    assert call["problems"] == [
        "Your next action, deliver(), would FAIL: bob cannot deliver(): the hand is empty."
    ]


@pytest.mark.parametrize(("preset", "kind"), [("cac", "move"), ("collab", "exhausted")])
def test_no_agent_is_asked_because_a_timestep_begins(preset: str, kind: str) -> None:
    model = Recording()
    workers = ["bob", "alice"]
    team = TalkingTeam([model] * 2, workers, PRESETS[preset], voice=VOICE)
    cookmas.play("collab-overcooked/level_1/01", team, settings={"gamma": 0.6})
    calls = [blocks(request)["CALL"] for request in model.requests]
    kinds = {trigger["kind"] for call in calls for trigger in call.get("triggers", ())}
    assert kind in kinds
    assert "timestep" not in kinds


def test_refusals_fails_and_the_end_of_a_talk_are_explained() -> None:
    told = system(requests()["alice"])
    for sentence in (
        "Before you begin an action it is tried out. If it would FAIL, it is refused: that costs "
        "no timestep, and you are asked again at once.",
        "If what you write then would FAIL too, you do nothing for a timestep.",
        "Nobody is asked because something lies on a counter now or a utensil has finished.",
        "If another one has ended the talk, what you say is told to nobody.",
        "To speak later, write a plan that is worked off when you want to speak",
        "the actions that each of you began at the last timestep",
        "the actions that others have decided on before you and have not begun yet",
    ):
        assert sentence in told


def test_a_refused_action_costs_a_timestep_only_if_the_next_one_is_refused_too() -> None:
    good = Prepared(plan("wait(1)", "stir(blender0)"), plan("wait(2)"), *RESTS)
    both(good, Prepared(*RESTS))
    assert good.times[:2] == [0, 1]
    assert good.times[2] == 3
    bad = Prepared(plan("wait(1)", "stir(blender0)"), plan("stir(blender0)"), *RESTS)
    both(bad, Prepared(*RESTS))
    assert bad.times[:3] == [0, 1, 2]


def test_what_is_said_after_the_end_of_a_talk_is_told_to_nobody() -> None:
    bob = Prepared(plan("wait(5)", say="Go on. [END]"), *RESTS)
    alice = Prepared(plan("wait(2)", say="Never heard."), plan("wait(5)", say="Later."), *RESTS)
    run = both(alice, bob)
    said = [record for record in run.trace.records if record.kind == "message"]
    assert [(each.timestep, each.agent) for each in said][:2] == [(0, "bob"), (2, "alice")]


def test_our_variant_of_cac_is_asked_on_triggers_only() -> None:
    """The published agent is asked for each action, and its answer is verified each time."""
    actions = [CORN, "put_obj_in_utensil(chopping_board0)", "cut(chopping_board0)", "wait(3)"]
    alice = Prepared(plan(*actions), *RESTS)
    run = both(alice, Prepared(*RESTS), ways="cac-triggers")
    begun = [
        (step.timestep, action)
        for step in run.trace.of(StepRecord)
        for name, action in step.commands
        if name == "alice"
    ]
    assert [action for _, action in begun][:4] == actions
    assert alice.times[0] == 0
    assert alice.times[1] == begun[3][0] + 3
    assert alice.blocks(1)["CALL"]["triggers"][0]["cause"] == "your plan is worked off"
    assert PRESETS["cac-triggers"].verify == 0 < PRESETS["cac"].verify


# A pickup that waits


def test_a_cook_waits_until_something_lies_on_the_counter() -> None:
    world, state = begun("level_2/03")
    alice = [CORN, "place_obj_on_counter()"]
    state, outcomes, _ = world.step(
        state, [Command("bob", "pickup(corn,counter,20)"), Command("alice", alice.pop(0))]
    )
    assert all(each.done for each in outcomes.values())
    laid = None
    while state.doing[0] is not None:
        if "alice" in world.movers(state) and alice:
            state, _, _ = world.step(state, [Command("alice", alice.pop(0))])
        else:
            state, _, _ = world.step(state, [])
        laid = laid or (state.timestep if state.scene.counters else None)
        assert state.timestep < 30
    assert state.scene.cooks[0].held == FoodItem("corn", "ingredient")
    assert laid is not None


def test_a_cook_that_has_waited_enough_gives_up_and_is_asked() -> None:
    bob = Prepared(plan("pickup(corn_slices,counter,3)"), *RESTS)
    run = both(Prepared(*RESTS), bob)
    assert bob.times[1] == 4
    (told,) = [t for t in run.trace.of(TriggerRecord) if t.trigger == "given_up"]
    assert told.cause.endswith("it has not come in time")


def test_a_cook_waits_beside_a_utensil_and_loses_no_time() -> None:
    world, state = begun("level_2/03")
    for action in (CORN, "put_obj_in_utensil(chopping_board0)", "cut(chopping_board0)"):
        state = play(world, state, {"alice": action})
    take = "pickup(corn_slices,chopping_board0"
    by_wait = play(world, play(world, state, {"alice": "wait(2)"}), {"alice": f"{take})"})
    patient = play(world, state, {"alice": f"{take},9)"})
    assert patient.timestep == by_wait.timestep
    assert patient.done == by_wait.done


def test_a_pickup_that_waits_takes_at_once_what_is_there() -> None:
    world, state = begun("level_2/03")
    (cell, *_) = sorted(world.kitchen.shared)
    there = with_scene(state, counters={cell: FoodItem("corn_slices", "ingredient")})
    at_once = play(world, there, {"bob": "pickup(corn_slices,counter)"})
    assert play(world, there, {"bob": "pickup(corn_slices,counter,9)"}) == at_once


def test_the_original_has_no_pickup_that_waits() -> None:
    world, state = begun("level_2/03", mode="original")
    action = read_action("pickup(corn,ingredient_dispenser,3)")
    assert refusal(world.sight(state, 1), action) == "words"
    assert "pickup(FOOD,PLACE,N)" not in world.actions


def test_how_long_a_cook_waits_is_no_part_of_a_request_or_a_history() -> None:
    (asked,) = read_requests("request('pickup(corn_slices,counter,9)')")
    assert str(asked) == "pickup(corn_slices,counter)" == read("pickup(corn_slices,counter,9)")
    assert str(read_action("pickup(corn_slices,counter,9)")) == "pickup(corn_slices,counter,9)"


def test_a_cook_is_told_of_its_own_room_alone() -> None:
    ways = AskingOptions(told="own")
    told = first_requests("collab-overcooked/level_6/01", "bob=llm,alice=llm", asking=ways)
    state = {name: blocks(request)["STATE"] for name, request in told.items() if name}
    assert {name: [*each["cooks"]] for name, each in state.items()} == {
        "bob": ["bob"],
        "alice": ["alice"],
    }
    assert not state["bob"]["utensils"].keys() & state["alice"]["utensils"].keys()
    assert {each["order"] for each in state.values()} == {state["bob"]["order"]}
    for request in told.values():
        assert "You are not told what is out of their reach" in system(request)


@pytest.mark.parametrize("told", ["own", "news"])
def test_what_a_cook_was_never_told_is_as_at_the_start(told: Told) -> None:
    script, setup = DOMAIN.script, blocks(requests()["alice"])
    at = {"timestep": 3, "told": told, "workers": ["bob", "alice"], "agent": "alice"}
    state = {
        "timestep": 3,
        "order": setup["STATE"]["order"],
        "utensils": {"pot0": {"has": ["egg"]}},
    }
    known = script.recall({**setup, "STATE": state, "CALL": at}, {})
    assert known["STATE"]["cooks"] == setup["STATE"]["cooks"]
    situation = script.situation(known, {}, "turn", lambda *each: False)
    world, rebuilt = script.rebuild(situation)
    assert [content.items for content in rebuilt.scene.utensils.values()] == [("egg",)]
    assert rebuilt.scene.cooks == world.start().scene.cooks
