"""The planner that searches, and the other domain."""

from __future__ import annotations

from random import Random

import pytest
import yaml

from cookmas.solving.robotouille.search import reaches, search_rules
from tests.worlds.robotouille.opened import play, world_of
from tests.worlds.robotouille.slow_engine import SlowEngine
from tests.worlds.robotouille.test_two_engines import FOLDER, choose


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("synchronous/0", 8),
        ("synchronous/1", 14),
        ("synchronous/2", 24),
        ("synchronous/3", 8),
        ("synchronous/4", 15),
        ("asynchronous/0", 21),
        ("asynchronous/5", 19),
    ],
)
def test_the_search_finds_the_known_optimum_of_small_tasks(name: str, most: int) -> None:
    world = world_of(name)
    found = search_rules(world, world.start(), 2000)
    assert found is not None
    assert len(found) == most
    assert reaches(world, world.start(), found)


@pytest.mark.parametrize("name", ["bench/0", "two-robots/fries"])
def test_the_search_knows_no_burger_and_plans_for_two_robots(name: str) -> None:
    world = world_of(name)
    found = search_rules(world, world.start(), 2000)
    assert found is not None
    assert reaches(world, world.start(), found)
    workers = {worker for entry in found for worker in entry}
    assert workers <= {*world.workers}


def test_the_search_gives_up_after_its_limit() -> None:
    world = world_of("synchronous/4")
    assert search_rules(world, world.start(), 1) is None


def test_the_bench_agrees_with_the_literal_engine() -> None:
    world = world_of("bench/0")
    slow = SlowEngine(
        yaml.safe_load((FOLDER / "bench.yaml").read_text()), world.level.objects, lists_ended=False
    )
    state, draw = world.start(), Random(3)
    for _ in range(60):
        assert {str(each) for each in world.engine.literals(state.true)} == slow.true
        legal = list(world.legal(state, "technician1"))
        assert set(legal) == slow.legal("technician1")
        action = choose(draw, legal)
        state = play(world, state, action)
        slow.step({"technician1": action})
