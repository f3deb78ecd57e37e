"""The engine does what a second one does, which reads the domain file literally."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from cookmas.episodes.world import Command
from cookmas.worlds.robotouille.domain import DOMAIN
from cookmas.worlds.robotouille.rules import domain_file
from cookmas.worlds.robotouille.rules.engine import FactState
from cookmas.worlds.robotouille.world import RobotouilleWorld
from tests.sampling import CONFORMANCE
from tests.worlds.robotouille.opened import level_of, play, world_of
from tests.worlds.robotouille.slow_engine import SlowEngine

FOLDER = Path(domain_file.__file__).parents[1] / "domains"
BASE = [name for name in DOMAIN.names() if "-" not in name.rpartition("/")[2]]


def timers(world: RobotouilleWorld, state: FactState) -> list[tuple[str, int, bool]]:
    return [(world.engine.timer(x.key).about, x.counted, x.held) for x in state.timers]


def choose(draw: Random, legal: list[str]) -> str:
    """Return a legal action that is seldom a move, so that much happens."""
    others = [action for action in legal if not action.startswith(("move", "wait"))]
    return draw.choice(others if others and draw.random() < 0.7 else legal)


SMALL = (
    *("synchronous/2", "synchronous/3", "asynchronous/0", "asynchronous/5"),
    *("bench/0", "two-robots/3"),
)
"""The smallest scenarios that have all kinds of objects together."""


def kinds_in(name: str) -> set[str]:
    """Return the kinds of objects in a scenario, and how many robots there are."""
    kinds = Counter(kind for kind, *_ in level_of(name).objects.values())
    return {*kinds, f"{kinds['robot']} robots"}


def test_the_scenarios_that_are_played_have_all_kinds_of_objects() -> None:
    assert set().union(*map(kinds_in, SMALL)) == set().union(*map(kinds_in, BASE))


@pytest.mark.parametrize("mode", ["every", "original"])
@pytest.mark.parametrize("name", BASE if CONFORMANCE else SMALL)
def test_random_play_agrees(name: str, mode: Any) -> None:
    file = level_of(name, timers=mode)
    world = RobotouilleWorld(file)
    domain = yaml.safe_load((FOLDER / f"{file.domain}.yaml").read_text())
    slow = SlowEngine(domain, file.objects, lists_ended=mode == "original")
    state, draw = world.start(), Random(name)
    every = [*(world.every_action() or ())]
    for _ in range(30):
        assert {str(each) for each in world.engine.literals(state.true)} == slow.true
        commands = {}
        for worker in world.workers:
            legal = list(world.legal(state, worker))
            assert set(legal) == slow.legal(worker)
            commands[worker] = choose(draw, legal if draw.random() < 0.8 else every)
        state, outcomes, _ = world.step(state, [Command(*each) for each in commands.items()])
        lacked = slow.step(commands)
        assert lacked == {worker: outcome.fail for worker, outcome in outcomes.items()}
        assert timers(world, state) == [
            (x["values"][x["rule"]["about"]], x["count"], x["held"]) for x in slow.timers
        ]


def test_both_engines_number_water_that_is_made_where_there_is_some() -> None:
    world = world_of("asynchronous/5")
    domain = yaml.safe_load((FOLDER / "kitchen.yaml").read_text())
    slow = SlowEngine(domain, world.level.objects, lists_ended=False)
    state, places = world.start(), world.engine.find_places(world.start().true)
    at, sink, pot, bowl = places["robot1"], "sink1", places["pot1"], places["bowl1"]
    assert len({at, sink, pot, bowl}) == 4
    fill = ["fill-pot(pot1, sink1)", "wait", "wait", "wait"]
    actions = [
        *(f"move({at}, {pot})", f"pick-up-container(pot1, {pot})", f"move({pot}, sink1)"),
        *("place-container(pot1, sink1)", *fill, "pick-up-container(pot1, sink1)"),
        *(f"move(sink1, {bowl})", f"fill-bowl(bowl1, pot1, water1, {bowl})"),
        *(f"move({bowl}, sink1)", "place-container(pot1, sink1)", *fill),
    ]
    for action in actions:
        state, outcomes, _ = world.step(state, [Command("robot1", action)])
        assert slow.step({"robot1": action}) == {"robot1": outcomes["robot1"].fail}
        assert outcomes["robot1"].done, action
        assert {str(each) for each in world.engine.literals(state.true)} == slow.true
    assert is_true(world, state, "in(water1, bowl1)")
    assert is_true(world, state, "in(water2, pot1)")


def cut_onion(mode: Any) -> tuple[RobotouilleWorld, FactState]:
    """Return the state after an onion that can be fried once it is cut was cut three times."""
    world = world_of("asynchronous/4", timers=mode)
    actions = ["move(table1, table2)", "pick-up-item(onion1, table2)", "move(table2, board1)"]
    actions += ["place-item(onion1, board1)", *["cut(onion1, board1)"] * 3]
    return world, play(world, world.start(), *actions)


def is_true(world: RobotouilleWorld, state: FactState, atom: str) -> bool:
    return atom in {str(each) for each in world.engine.literals(state.true)}


@pytest.mark.parametrize("mode", ["every", "original"])
def test_what_follows_from_a_condition_holds_in_the_timestep_of_the_condition(mode: Any) -> None:
    world, state = cut_onion(mode)
    assert is_true(world, state, "iscut(onion1)")
    assert is_true(world, state, "isfryable(onion1)")


def test_only_in_the_original_a_timer_that_ends_after_another_is_listed_once_more() -> None:
    world, state = cut_onion("every")
    assert timers(world, state) == []
    world, state = cut_onion("original")
    assert timers(world, state) == [("onion1", 1, True)]
    waits = Command("robot1", "wait")
    assert world.step(state, [waits])[0].timers == ()
    again = world.step(state, [Command("robot1", "cut(onion1, board1)")])[0]
    assert [(each.key, each.counted) for each in again.timers] == [("cut.0(onion1)", 1)]


def test_a_timer_pauses_elsewhere_and_another_station_starts_a_fresh_one() -> None:
    world = world_of("asynchronous/1-42")
    take = ["move(table1, table4)", "pick-up-item(chicken1, table4)", "move(table4, stove1)"]
    cook = ["place-item(chicken1, stove1)", "cook(chicken1, stove1)", "wait"]
    state = play(world, world.start(), *take, *cook)
    assert timers(world, state) == [("chicken1", 2, True)]
    assert is_true(world, state, "iscooking(chicken1)")
    state = play(world, state, "pick-up-item(chicken1, stove1)", "wait")
    assert timers(world, state) == [("chicken1", 2, False)]
    assert not is_true(world, state, "iscooking(chicken1)")
    state = play(world, state, "place-item(chicken1, stove1)")
    assert timers(world, state) == [("chicken1", 3, True)]
    free = ["pick-up-item(bread2, stove2)", "move(stove2, table2)", "place-item(bread2, table2)"]
    back = ["pick-up-item(chicken1, stove1)", "move(stove1, stove2)"]
    state = play(world, world.start(), "move(table1, stove2)", *free, "move(table2, table4)")
    state = play(world, state, *take[1:], *cook, *back)
    state = play(world, state, "place-item(chicken1, stove2)", "cook(chicken1, stove2)")
    assert timers(world, state) == [("chicken1", 2, False), ("chicken1", 1, True)]


def test_states_pass_between_worlds_as_plain_data() -> None:
    world, state = cut_onion("original")
    again = RobotouilleWorld.of_setup(world.setup())
    assert again.load(world.dump(state)) == state
    commands = [Command("robot1", "pick-up-item(onion1, board1)")]
    assert again.step(state, commands) == world.step(state, commands)
