"""What both worlds of rooms have: maps by file and by seed, moves, and the keys of people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.world_names import domain_of
from cookmas.worlds.base.checking import faults_of
from cookmas.worlds.rooms.rules import MOST_ROOMS, find_way
from tests.worlds.rooms.opened import CAPTURE, ESCAPE, opened

BOTH = (CAPTURE, ESCAPE)


@pytest.mark.parametrize("name", BOTH)
def test_the_checker_of_worlds_finds_nothing(name: str) -> None:
    domain = domain_of(name)
    assert list(faults_of(domain, domain.scenario("building", {}), range(3))) == []


@pytest.mark.parametrize(
    ("name", "level", "size"),
    [
        (CAPTURE, 1, 6),
        (ESCAPE, 1, 6),
        pytest.param(CAPTURE, 2, 8, marks=pytest.mark.conformance),
    ],
)
def test_a_random_map_comes_from_its_seed_with_its_optimum(
    tmp_path: Path, name: str, level: int, size: int
) -> None:
    domain = domain_of(name)
    one, same, other = (tmp_path / f"{x}.yaml" for x in "abc")
    for path, seed in ((one, 1), (same, 1), (other, 2)):
        assert domain.generate(level, size, seed, path) == (path,)
    assert one.read_text() == same.read_text() != other.read_text()
    scenario: Any = domain.scenario(str(one), {})
    assert len(scenario.file.ways) == size
    optimum = domain.show([str(one)], {}).data["optimum"]
    assert optimum.startswith("optimal play wins in 40 turns with probability ")
    assert optimum in scenario.file.title
    assert domain.check(one) == ["scenario a: sound"]


@pytest.mark.parametrize(("name", "level"), [(CAPTURE, 4), (ESCAPE, 0)])
def test_a_map_that_cannot_be_drawn_is_refused(tmp_path: Path, name: str, level: int) -> None:
    for wrong, size in ((level, 9), (1, 4), (1, MOST_ROOMS + 1)):
        with pytest.raises(InputError, match="level, size"):
            domain_of(name).generate(wrong, size, 1, tmp_path / "new.yaml")


def test_the_next_steps_are_those_of_all_shortest_paths() -> None:
    ways = {1: [2, 3], 2: [4], 3: [4], 4: [1], 5: [5]}
    assert find_way(ways, 1, [4]) == [2, 3]
    assert find_way(ways, 4, [4]) == []
    assert find_way(ways, 1, [5]) == []


def test_an_action_that_is_not_possible_fails() -> None:
    world = opened(CAPTURE)
    after, outcomes, _ = world.step(world.start(), [Command("alice", "move(2)")])
    assert outcomes["alice"].fail == "no_way"
    assert outcomes["bob"].fail == "no_action"
    assert after["players"]["alice"] == 1


@pytest.mark.parametrize("name", BOTH)
def test_each_room_with_one_digit_has_its_key(name: str) -> None:
    world = opened(name)
    viewing, state = domain_of(name).viewing, world.start()
    alice, _ = world.workers
    for room, ways in world.ways.items():
        there = {**state, "players": {**state["players"], alice: room}}
        keys = viewing.keys(world, there, alice)
        moves = {key: action for key, action in keys.items() if action.startswith("move")}
        legal = world.legal(there, alice)
        reached = [each for each in ways if each < 10 and f"move({each})" in legal]
        assert moves == {str(each): f"move({each})" for each in reached}
    assert any(9 in ways for ways in world.ways.values())


@pytest.mark.parametrize("name", [CAPTURE, ESCAPE])
def test_what_is_counted_in_turns_says_so(name: str) -> None:
    """The unit stands in the titles of plots and in the report's pages."""
    units = {measure.name: measure.unit for measure in domain_of(name).judging.measures}
    assert {each for each, unit in units.items() if unit == "turns"} == {
        each for each in units if "turns" in each
    }
