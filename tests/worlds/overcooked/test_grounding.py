"""Walking: ways around others, steps away, and stalemates."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import cookmas
from cookmas.episodes.world import Command
from cookmas.worlds.overcooked.rules.actions import AWAY
from cookmas.worlds.overcooked.rules.grounding import PATIENCE, next_act
from cookmas.worlds.overcooked.rules.kitchen import KitchenItem
from cookmas.worlds.overcooked.rules.places import OvercookedSight, places_of
from tests.worlds.overcooked.opened import (
    corridor,
    opened,
    step,
)


def meet(world: Any, state: Any, timesteps: int) -> tuple[list[Any], list[str]]:
    """Let alice and bob want past each other; return the states and the kinds of triggers."""
    wanted = {"alice": "pick_up(dish,p0)", "bob": "deliver(soup,d0)"}
    alice, bob = state.scene.cooks
    alice = alice._replace(body=alice.body._replace(at=(2, 1)))
    bob = bob._replace(body=bob.body._replace(at=(3, 1)), held=KitchenItem("soup", ("onion",) * 2))
    state = state._replace(scene=state.scene._replace(cooks=(alice, bob)))
    found, kinds = [], []
    for _ in range(timesteps):
        commands = [Command(name, wanted[name]) for name in world.movers(state)]
        state, _, triggers = world.step(state, commands)
        found.append(state)
        kinds += [trigger.kind for trigger in triggers]
    return found, kinds


def test_cooks_who_come_no_nearer_are_asked_again_and_then_one_steps_away(tmp_path: Path) -> None:
    world, state = corridor(tmp_path, horizon=100)
    states, kinds = meet(world, state, 2 * PATIENCE + 1)
    assert world.movers(states[PATIENCE - 1]) == ["alice", "bob"]
    assert kinds == ["stalemate", "stalemate"]
    assert states[-1].acts[0] == "west"
    assert states[-1].approaches[0].stuck == 2 * PATIENCE - 1
    assert states[-1].scene.cooks[0].body.at == (1, 1)
    assert states[-2].scene.cooks[0].body.at == (2, 1)


def test_a_cook_that_walks_from_the_first_timestep_comes_nearer() -> None:
    world, state = opened()
    walking = step(world, state, alice="pick_up(onion,o1)")
    assert [each.stuck for each in walking.approaches] == [0, 0]
    way = world.sight(state, 0).way_to(places_of(world.kitchen)["o1"])
    assert walking.approaches[0].left < len(way or ())


def test_three_cooks_who_contend_for_one_cell_go_on() -> None:
    run: Any = cookmas.play("overcooked/more/three_cooks", "greedy", settings={"horizon": 150})
    assert run.verdict.score >= 80


def test_cooks_who_wait_are_never_asked_again(tmp_path: Path) -> None:
    world, state = corridor(tmp_path, stalemate="wait")
    states, kinds = meet(world, state, 20)
    assert kinds == []
    assert world.movers(states[-1]) == []
    assert [cook.body.at for cook in states[-1].scene.cooks] == [(2, 1), (3, 1)]


@pytest.mark.parametrize(
    ("name", "cells", "target", "moves"),
    [
        ("coordination_ring", ((1, 1), (2, 1)), "c1", "EE"),
        ("coordination_ring", ((1, 1), (3, 3)), "c1", "EE"),
        ("cramped_room", ((1, 2), (2, 2)), "d0", "NEES"),
        ("cramped_room", ((1, 2), (3, 2)), "d0", "EES"),
    ],
)
def test_a_way_leads_around_others_unless_that_is_far(
    name: str, cells: tuple[Any, Any], target: str, moves: str
) -> None:
    world, state = opened(name)
    cooks = tuple(
        cook._replace(body=cook.body._replace(at=at))
        for cook, at in zip(state.scene.cooks, cells, strict=True)
    )
    scene = state.scene._replace(cooks=cooks)
    found = OvercookedSight(world.kitchen, scene, 0).way_to(places_of(world.kitchen)[target])
    assert "".join(found or ()) == moves


def test_a_step_away_never_leads_nearer_to_the_others() -> None:
    world, state = opened("asymmetric_advantages")
    assert step(world, state, bob="move_away").acts[1] == "stay"
    nearer = step(world, state, bob="north")
    away = step(world, nearer, bob="move_away")
    assert away.scene.cooks[1].body.at == (1, 1)
    assert world.movers(away) == ["alice", "bob"]


@pytest.mark.parametrize("layout", ["forced_coordination", "cramped_room", "more/three_cooks"])
def test_a_step_away_is_offered_only_where_there_is_one(layout: str) -> None:
    world: Any = cookmas.load_scenario(f"overcooked/{layout}").world()
    state, draw, offered = world.start(), Random(1), set()
    for _ in range(150):
        commands = []
        for name in world.movers(state):
            number = list(world.workers).index(name)
            legal = world.legal(state, name)
            led = next_act(world.sight(state, number), AWAY)
            assert ("move_away" in legal) == (led != "stay")
            offered.add("move_away" in legal)
            commands.append(Command(name, draw.choice(legal)))
        state = world.step(state, commands)[0]
    assert offered == {True, False}
