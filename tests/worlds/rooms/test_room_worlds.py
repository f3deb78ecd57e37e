"""The worlds of rooms: maps by file and by seed, the greedy players, and the words for people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from cookmas.files.errors import InputError
from cookmas.world_names import domain_of
from cookmas.worlds.base.checking import faults_of
from cookmas.worlds.rooms.rules import MOST_ROOMS, find_way
from tests.worlds.rooms.opened import CAPTURE, ESCAPE, judge, opened, step, value

BOTH = (CAPTURE, ESCAPE)


def fields(name: str) -> dict[str, Any]:
    """Return the fields of the map of the paper."""
    domain = domain_of(name)
    data: dict[str, Any] = yaml.safe_load((domain.folder / "building.yaml").read_text())
    return data


@pytest.mark.parametrize("name", BOTH)
def test_the_checker_of_worlds_finds_nothing(name: str) -> None:
    domain = domain_of(name)
    assert list(faults_of(domain, domain.scenario("building", {}), range(3))) == []


@pytest.mark.parametrize(
    ("name", "changed", "said"),
    [
        (CAPTURE, {"ways": [[2], [1, 3], [2, 4], [5]]}, "ways: there is no room 5, only 1 to 4"),
        (CAPTURE, {"ways": [[2], []]}, "ways: room 2: expected a way that leads out of it"),
        (CAPTURE, {"ways": [[2, 2], [1]]}, "ways: room 1: expected each other room at most once"),
        (CAPTURE, {"ways": [*fields(CAPTURE)["ways"][:8], [5]]}, "expected a way back"),
        (CAPTURE, {"thief": 1}, "thief: expected a room without a player"),
        (
            CAPTURE,
            {"doors": [{"between": [1, 9], "button": 1, "start": "open"}]},
            "doors: there is no way between rooms 1 and 9",
        ),
        (
            CAPTURE,
            {"doors": [{"between": x, "button": 1, "start": "open"} for x in ([1, 2], [2, 1])]},
            "doors: two doors are on the same way",
        ),
        (ESCAPE, {"killer": 2}, "killer: expected a room without a player"),
        (ESCAPE, {"generators": [6, 6]}, "generators: two are in the same room"),
        (ESCAPE, {"exit": 12}, "exit: there is no room 12, only 1 to 10"),
        (ESCAPE, {"players": {"alice": 1}}, "players"),
    ],
)
def test_a_map_that_is_not_sound_is_refused(
    tmp_path: Path, name: str, changed: dict[str, Any], said: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**fields(name), **changed}))
    with pytest.raises(InputError, match=said) as found:
        domain_of(name).scenario(str(path), {})
    assert str(path) in str(found.value)


@pytest.mark.parametrize(("name", "level", "size"), [(CAPTURE, 2, 8), (ESCAPE, 1, 7)])
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


def test_the_check_says_that_a_game_cannot_be_won(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump({**fields(CAPTURE), "horizon": 2}))
    remarks = domain_of(CAPTURE).check(path)
    assert "it cannot be won in 2 turns" in remarks


def test_the_optimum_of_the_paper_s_map_is_shown() -> None:
    shown = domain_of(ESCAPE).show(["building"], {}).data
    assert shown["optimum"] == (
        "optimal play wins in 40 turns with probability 1, after 6.5 on average"
    )


def test_the_greedy_players() -> None:
    assert value(judge(CAPTURE, "greedy"), "turns_to_win") == 3
    lost = [not judge(ESCAPE, "greedy", seed=seed).success for seed in range(3)]
    assert any(lost)


def test_the_next_steps_are_those_of_all_shortest_paths() -> None:
    ways = {1: [2, 3], 2: [4], 3: [4], 4: [1], 5: [5]}
    assert find_way(ways, 1, [4]) == [2, 3]
    assert find_way(ways, 4, [4]) == []
    assert find_way(ways, 1, [5]) == []


@pytest.mark.parametrize(
    ("name", "action", "kind"),
    [(CAPTURE, "move(2)", "no_way"), (CAPTURE, "press", "nothing_here"), (ESCAPE, "fix", None)],
)
def test_an_action_that_is_not_possible_fails(name: str, action: str, kind: str | None) -> None:
    world = opened(name)
    after, outcomes, _ = world.step(world.start(), [(world.workers[0], action)])  # type: ignore[list-item]
    assert outcomes["alice"].fail == kind
    assert outcomes["bob"].fail == "no_action"
    assert after["players"]["alice"] == 1


def test_people_see_the_rooms_with_doors_and_everybody_in_them() -> None:
    world, domain = opened(CAPTURE), domain_of(CAPTURE)
    state = step(world, world.start(), "move(6)", "move(9)")
    state = step(world, state, "stay", "press")
    rooms, doors = domain.viewing.panels(world, state)
    lines = {item.name: (item.what, item.note) for item in rooms.items}
    assert lines["room 6"] == ("to 5, 9, 1", "alice")
    assert lines["room 9"] == ("to 6", "button of the door 1-2; bob")
    assert [(x.name, x.what) for x in doors.items] == [
        ("rooms 1 and 2", "open"),
        ("rooms 3 and 4", "open"),
    ]
    assert domain.viewing.action(world, state, "bob", "press") == "presses the button"
    assert domain.viewing.action(world, state, "bob", "move(6)") == "goes to room 6"
    assert domain.viewing.keys(world, state, "bob") == {"6": "move(6)", " ": "press"}
    assert domain.viewing.place_workers(world, state)["thief"].at == f"room {state['thief']}"
    (goal,) = domain.viewing.goals(world, state)
    assert goal.status == "open"


def test_people_see_the_generators_and_where_the_killer_goes() -> None:
    world, domain = opened(ESCAPE), domain_of(ESCAPE)
    state = step(world, world.start(), "fix", "move(1)")
    rooms, killer = domain.viewing.panels(world, state)
    lines = {item.name: item.note for item in rooms.items}
    assert lines["room 1"] == "generator; alice, bob"
    assert lines["room 7"].startswith("exit")
    assert killer.items[0].what == "nobody"
    goals = {goal.name: goal.note for goal in domain.viewing.goals(world, state)}
    assert goals["generator 1"] == "1 of 2 fixes"


def test_the_situation_is_told_in_words() -> None:
    told = opened(CAPTURE).narrate(opened(CAPTURE).start(), "bob")
    assert told[1] == "You are in room 6, next to rooms 5, 9 and 1."
    assert told[-1] == "The door between rooms 3 and 4 is open."
    world = opened(ESCAPE)
    told = world.narrate(world.start(), "alice")
    assert "The killer is in room 6." in told
    assert "Next it goes at random to one of rooms 5 and 7." in told
    assert "The generator in room 1 needs 2 of 2 fixes." in told
    assert told[-1] == (
        "The exit in room 7 leads out once all generators are repaired; its room can be entered "
        "before."
    )
    beside = {**world.start(), "players": {"alice": 6, "bob": 1}}
    assert "move(7)" in world.legal(beside, "alice")
    repaired = {**world.start(), "fixes": {1: 2, 6: 2}}
    assert world.narrate(repaired, "alice")[-1] == "The exit in room 7 leads out now."


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
