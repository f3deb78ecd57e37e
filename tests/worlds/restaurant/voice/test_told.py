"""What a prompt says of the kitchen is what the kitchen does."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
import yaml

from cookmas.episodes.world import Command
from cookmas.kitchen.components import fits, parse_component
from cookmas.kitchen.customizations import Longer, customise
from cookmas.kitchen.foods import PLATE, Food, make_raw
from cookmas.kitchen.layout import KINDS, Kitchen
from cookmas.kitchen.state import Content, KitchenState, Outage, WorkerState, make_opening_state
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.scenarios.scenario import load_scenario
from cookmas.studies.previewing import first_request
from cookmas.worlds.restaurant.voice import VOICE

WORLD = load_scenario("level1/01").world()
assert isinstance(WORLD, Restaurant)
KITCHEN = WORLD.kitchen


def _told(name: str, kitchen: Kitchen = KITCHEN) -> str:
    return " ".join(
        VOICE.rules_and_actions(Restaurant(kitchen), Templates(VOICE.prompts))[name].split()
    )


def _at(station: str, *contents: Content) -> KitchenState:
    """The first worker at a station that holds something."""
    state = make_opening_state(KITCHEN)
    others = state.workers[1:]
    there = {station: contents} if contents else {}
    return state._replace(workers=(WorkerState(station), *others), contents=there)


def _done(state: KitchenState, *actions: str) -> KitchenState:
    worker = KITCHEN.workers[0]
    for action in actions:
        commands = [Command(name, "wait") for name in KITCHEN.workers[1:]]
        state, outcomes, _ = Restaurant(KITCHEN).step(state, [Command(worker, action), *commands])
        assert outcomes[worker].done, outcomes[worker]
    return state


def test_each_appliance_does_what_the_prompt_says() -> None:
    (said,) = re.findall(r"Appliances cook with nobody there \((.*?)\)", _told("rules"))
    pairs = dict(part.split(": ") for part in said.split("; "))
    kinds = {kind for kind in KINDS if KINDS[kind].role == "appliance" and KITCHEN.of_kind(kind)}
    assert set(pairs) == kinds
    for kind, process in pairs.items():
        food = Content(1, Food("potato"))
        state = _done(_at(KITCHEN.of_kind(kind)[0], food), "start", "wait", "wait", "pick")
        assert str(state.workers[0].holding) == f"potato > {process.strip('`')} 3"


def test_each_tool_does_what_the_prompt_says() -> None:
    (said,) = re.findall(r"Tools are for work by hand \((.*?)\)", _told("rules"))
    for part in said.split("; "):
        kind, processes = part.split(": ")
        for process in (name.strip("`") for name in processes.split(", ")):
            foods = (Content(1, Food("potato")), Content(2, Food("onion")))
            there = foods if process == "assemble" else foods[:1]
            state = _done(_at(KITCHEN.of_kind(kind)[0], *there), process, "pick")
            assert str(state.workers[0].holding).endswith(f"> {process} 1")


def test_what_a_kitchen_has_not_is_not_told() -> None:
    stations = {n: s for n, s in KITCHEN.stations.items() if s.kind.name != "fryer"}
    assert "fryer: `deep-fry`" in _told("rules")
    assert "fryer" not in _told("rules", replace(KITCHEN, stations=stations))


def test_the_examples_of_pick_take_what_they_name() -> None:
    told = _told("library")
    for example in ("pick(onion)", "pick(plate)", "pick(slot 2)", "pick(tortilla, slot 2)"):
        assert example in told
    assert _done(_at("pantry"), "pick(onion)").workers[0].holding == Food("onion")
    assert _done(_at("plates"), "pick(plate)").workers[0].holding == PLATE
    grill = KITCHEN.of_kind("grill")[0]
    both = (Content(1, Food("tortilla"), 0), Content(2, Food("tortilla")))
    for example in ("pick(slot 2)", "pick(tortilla, slot 2)"):
        left = _done(_at(grill, *both), example)
        assert [content.slot for content in left.contents[grill]] == [1]


def test_more_work_than_asked_for_is_wrong_as_the_prompt_says() -> None:
    told = _told("conventions")
    assert "a food that is chopped for 3 minutes is wrong where 2 are asked for" in told
    wanted = parse_component("onion > chop 2", KITCHEN.doneness)
    assert fits(Food("onion").apply("chop", 2), wanted)
    assert not fits(Food("onion").apply("chop", 3), wanted)


LEVEL = "a level of 7 to 8 minutes, one longer, becomes 8 to 9"


@pytest.mark.parametrize(
    ("said", "before", "more", "after"),
    [
        ("10 to 12 minutes, two longer, becomes 12 to 14", "potato > boil 10-12", 2, "boil 12-14"),
        (LEVEL, "beef patty > grill medium", 1, "grill 8-9"),
    ],
)
def test_longer_moves_the_minutes_as_the_prompt_says(
    said: str, before: str, more: int, after: str
) -> None:
    assert said in _told("conventions")
    component = parse_component(before, KITCHEN.doneness)
    step = component.steps[0]
    wish: Any = Longer(food=component.name, process=step.process, minutes=more)
    (changed,) = customise([component], [wish], KITCHEN.doneness)
    assert str(changed.in_minutes()).endswith(after)


def test_a_return_to_service_calls_nobody_as_the_prompt_says() -> None:
    assert "You are not called when it is back" in _told("rules")
    world = Restaurant(KITCHEN)
    for target in (KITCHEN.of_kind("grill")[0], KITCHEN.workers[0]):
        field = "worker" if target in KITCHEN.workers else "station"
        fault = {"kind": "fault", field: target, "timesteps": 3}
        state, ruling = world.apply(make_opening_state(KITCHEN), fault)
        assert ruling.trigger
        back = []
        for _ in range(5):
            state, _, triggers = world.step(state, [Command(w, "wait") for w in KITCHEN.workers])
            assert not triggers
            back.append(target not in state.out)
        assert back == [False, False, True, True, True]


def test_a_model_is_told_how_far_to_plan_and_that_more_may_come() -> None:
    request = first_request("level3/15")
    told = " ".join(request.messages[0].content.split())
    assert "for at least the next 40 timesteps, or until every open order line is served" in told
    assert "orders may still come, change or be cancelled at any timestep" in told


def test_the_examples_of_a_reading_give_no_dish_of_the_menu_away() -> None:
    larder = {*KITCHEN.larder}
    assert {"bread", "cheddar", "lettuce"} <= larder
    system = first_request("level3/07", planner="hybrid").messages[0].content
    notation = system.partition("# The notation")[2].partition("# What you are given")[0]
    answer = system.partition("# What you answer")[2]
    shown = [text for text in re.findall(r"`([^`]+)`", notation) if text != "10-12"]
    shown += re.findall(r"\"([a-z][^\"]*>[^\"]*)\"", answer)
    assert len(shown) > 6
    for text in shown:
        spoken = re.sub(r" (medium|rare)+", " 5", text)
        foods = {*parse_component(spoken, KITCHEN.doneness).ingredients()}
        assert foods
        assert not foods & larder, text


def test_every_limit_of_a_text_stands_in_the_prompt() -> None:
    for scenario, planner, asking in (
        ("level3/07", "llm", AskingOptions(lessons=True)),
        ("level3/07", "llm", AskingOptions(lessons=True, form="rows")),
        ("level3/07", "llm", AskingOptions(preset="react")),
        ("level3/07", "hybrid", None),
        ("corridor/halves", "llm-team", AskingOptions(lessons=True)),
    ):
        request = first_request(scenario, planner, asking)
        assert request.schema
        schema = json.dumps(request.schema.schema)
        limits = re.findall(r"\"(\w+)\": {\"type\": \"string\", \"maxLength\": (\d+)}", schema)
        assert ("reasoning", "1500") in limits
        assert len(limits) == schema.count("maxLength")
        told = " ".join(request.messages[0].content.split())
        (sentence,) = re.findall(r"Texts have at most so many characters: (.*?)\.", told)
        assert sentence.split(", ") == [f"`{name}` {most}" for name, most in limits]


def test_the_verbs_that_a_prompt_explains_are_read_as_it_says() -> None:
    folder = files("cookmas.solving.restaurant.reading") / "words"
    read = yaml.safe_load((folder / "verbs.yaml").read_text(encoding="utf-8"))["process"]
    told: dict[str, list[str]] = {}
    for verbs, process in re.findall(r"To ([a-z ,-]+?),? is `([a-z-]+)`", _told("conventions")):
        words = [word.removeprefix("to ") for word in re.split(r",? or |, ", verbs)]
        told[process] = [word for word in words if not re.search(r"^cut| in | on ", word)]
    assert "work together" in told["mix"]
    assert "blitz" in told["blend"]
    wrong = {
        process: set(words) - {*read[process], "rounds", "strips", "wedges"}
        for process, words in told.items()
    }
    assert not any(wrong.values()), wrong


def test_a_bare_pick_at_the_plates_takes_a_plate() -> None:
    assert "at the plates a plate" in _told("rules")
    assert _done(_at("plates"), "pick").workers[0].holding == PLATE


def test_a_station_takes_as_many_workers_as_its_file_says() -> None:
    """The sentence of the prompt holds for a tool with room for two."""
    assert "as many workers at a time as KITCHEN says" in _told("rules")
    for room, fail in ((1, "occupied"), (2, None)):
        board = replace(KITCHEN.stations["board_1"], room=room)
        world = Restaurant(replace(KITCHEN, stations={**KITCHEN.stations, "board_1": board}))
        go = [Command(name, "navigate(board_1)") for name in KITCHEN.workers[:2]]
        waits = [Command(name, "wait") for name in KITCHEN.workers[2:]]
        _, outcomes, _ = world.step(world.start(), [*go, *waits])
        assert outcomes[KITCHEN.workers[1]].fail == fail


def test_workers_enter_and_leave_a_station_out_of_service() -> None:
    assert "workers enter and leave. Nothing else can be done there." in _told("rules")
    state = _at("board_1", Content(1, make_raw("onion")))
    out = state._replace(out={"board_1": Outage(0, 99)})
    assert (
        _done(out, "wait", "navigate(aisle)", "navigate(board_1)").workers[0].station == "board_1"
    )
    commands = [Command(KITCHEN.workers[0], "chop")]
    commands += [Command(name, "wait") for name in KITCHEN.workers[1:]]
    _, outcomes, _ = Restaurant(KITCHEN).step(out, commands)
    assert outcomes[KITCHEN.workers[0]].fail == "out_of_service"
