"""Each world in numbers: actions, arrays, and nothing of what a worker cannot see."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from pettingzoo.test import api_test

import cookmas
from cookmas.bridges.pettingzoo import aec_env
from cookmas.world_names import domain_of, locate
from cookmas.worlds.base.training import Training
from tests.worlds.every import SCENARIOS
from tests.worlds.hands.states import visited

EVERY = [*SCENARIOS, "collab-overcooked/level_4/01", "collab-overcooked/turned/01"]
RENAMED = ("restaurant/", "overcooked/")
"""Worlds in which the numbers stand for other names of the actions, or for acts alone."""

SOME = 8
"""Number of states of each world."""


@cache
def views(name: str) -> list[tuple[Any, Any, str, Training]]:
    """Return the world, a state, and each worker with the numbers of its actions, several times."""
    scenario = cookmas.load_scenario(name)
    world: Any = scenario.world()
    training = domain_of(locate(name)[0]).training(world)
    states, workers = visited(scenario, 0)[:SOME], world.workers
    return [(world, state, name, training.of(name)) for state in states for name in workers]


@pytest.mark.parametrize("name", [each for each in EVERY if not each.startswith(RENAMED)])
def test_the_numbers_of_the_legal_actions_stand_for_them(name: str) -> None:
    for world, state, worker, training in views(name):
        seen = world.observe(state, worker)
        told = [training.text(seen, number) for number in training.legal(seen, worker)]
        assert told == list(world.legal(state, worker))


@pytest.mark.parametrize("name", EVERY)
def test_each_array_has_the_shape_that_was_told(name: str) -> None:
    for world, state, worker, training in views(name):
        found = training.encode(world.observe(state, worker))
        for array, shape in training.list_arrays().items():
            assert len(found[array]) <= shape.rows
            assert {len(row) for row in found[array]} <= {len(shape.columns)}


@pytest.mark.parametrize("name", EVERY)
def test_no_worker_reads_in_numbers_what_it_cannot_see(name: str) -> None:
    for world, state, worker, training in views(name):
        other = world.draw_alike(state, worker, 1)
        seen, alike = (training.encode(world.observe(each, worker)) for each in (state, other))
        assert seen == alike


@pytest.mark.conformance
@pytest.mark.filterwarnings("ignore:We recommend agents:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
@pytest.mark.parametrize("name", EVERY)
def test_the_tests_of_pettingzoo_pass_where_agents_act_one_after_the_other(name: str) -> None:
    """The tests of the bridge try one world so, and all worlds with agents that act together."""
    api_test(aec_env(name, horizon=20), num_cycles=60)
