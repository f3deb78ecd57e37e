"""Scenarios of Robotouille: drawn ones, ones with a domain of their own, and what people read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from cookmas.episodes.world import Command
from cookmas.files.errors import InputError
from cookmas.worlds.robotouille.domain import DOMAIN
from cookmas.worlds.robotouille.rules import domain_file
from cookmas.worlds.robotouille.view import VIEWING
from cookmas.worlds.robotouille.world import RobotouilleWorld
from tests.worlds.robotouille.opened import play, world_of
from tests.worlds.robotouille.test_two_engines import FOLDER


def test_ten_layouts_of_the_bench_come_from_seeds(tmp_path: Path) -> None:
    names = [name for name in DOMAIN.names("bench") if name != "bench/0"]
    assert len(names) == 10
    tasks = [name for name in DOMAIN.names() if "-" not in name.rpartition("/")[2]]
    for name in names:
        seed = int(name.rpartition("-")[2])
        path = tmp_path / "new.yaml"
        DOMAIN.generate(tasks.index("bench/0"), 1 + seed % 4, seed, path)
        shipped = Path(domain_file.__file__).parents[1] / "levels" / f"{name}.yaml"
        assert path.read_text() == shipped.read_text()


@pytest.mark.parametrize("size", [0, 3, 12])
def test_a_generated_layout_moves_and_adds_objects(tmp_path: Path, size: int) -> None:
    for level in range(0, 32, 5):
        path = tmp_path / f"{level}.yaml"
        assert DOMAIN.generate(level, size, 7, path) == (path,)
        scenario: Any = DOMAIN.scenario(str(path), {})
        world = RobotouilleWorld(scenario.file)
        assert not world.goal.is_reached(world.start().true)


@pytest.mark.parametrize(("level", "size"), [(-1, 1), (99, 1), (0, 21)])
def test_a_layout_that_cannot_be_generated_is_refused(
    tmp_path: Path, level: int, size: int
) -> None:
    with pytest.raises(InputError, match="expected a level of 0 to 31, and 0 to 20 objects"):
        DOMAIN.generate(level, size, 1, tmp_path / "new.yaml")


def test_a_domain_file_beside_the_scenario_becomes_a_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text((FOLDER / "bench.yaml").read_text())
    level = yaml.safe_load((FOLDER.parent / "levels/bench/0.yaml").read_text())
    path = tmp_path / "mine-0.yaml"
    path.write_text(yaml.safe_dump({**level, "domain": "mine.yaml"}, sort_keys=False))
    world = DOMAIN.scenario(str(path), {}).world()
    again = RobotouilleWorld.of_setup(world.setup())
    assert again.domain.digest == world_of("bench/0").domain.digest
    (tmp_path / "mine.yaml").write_text("title: nothing else")
    with pytest.raises(InputError, match=r"mine.yaml: about: is missing"):
        DOMAIN.scenario(str(path), {})


def test_people_see_stations_with_stacks_and_timers() -> None:
    world = world_of("asynchronous/0")
    take = ["move(table1, table2)", "pick-up-item(chicken1, table2)", "move(table2, stove1)"]
    state = play(world, world.start(), *take, "place-item(chicken1, stove1)")
    state = play(world, state, "cook(chicken1, stove1)")
    stations, timers = VIEWING.panels(world, state)
    lines = {item.name: item.what for item in stations.items}
    assert lines["table1"] == "bread1, bread2"
    assert lines["stove1"] == "chicken1 (is cooking)"
    assert [(item.name, item.what) for item in timers.items] == [("chicken1", "cook: 1 of 4")]
    assert VIEWING.place_workers(world, state)["robot1"].at == "stove1"
    assert VIEWING.action(world, state, "robot1", "wait") == "waits"
    assert "starts to cook chicken1" in VIEWING.action(
        world, state, "robot1", "cook(chicken1, stove1)"
    )
    (goal,) = VIEWING.goals(world, state)
    assert goal.status == "open"
    assert "Chicken1: cook 1 of 4." in world.narrate(state, None)


def test_a_fail_says_in_words_what_is_missing() -> None:
    world = world_of("synchronous/0")
    for action, kind, why in (
        ("move(table2, table1)", "loc", "robot1 is not at table2"),
        ("cut(bread1, table1)", "isboard", "table1 is no cutting board"),
        ("cut(bread1)", "no_such_action", "cut(ITEM, STATION) takes 1 item and 1 station"),
    ):
        _, outcomes, _ = world.step(world.start(), [Command("robot1", action)])
        assert outcomes["robot1"].fail == kind
        assert why in outcomes["robot1"].why


def test_only_what_was_taken_away_is_told_to_pause() -> None:
    world = world_of("asynchronous/1-42")
    take = ["move(table1, table4)", "pick-up-item(chicken1, table4)", "move(table4, stove1)"]
    state = play(world, world.start(), *take, "place-item(chicken1, stove1)")
    state = play(world, state, "cook(chicken1, stove1)", "wait")
    assert "Chicken1: cook 2 of 4." in world.narrate(state, None)
    away = play(world, state, "pick-up-item(chicken1, stove1)")
    assert "Chicken1: cook 2 of 4, and pauses." in world.narrate(away, None)
    back = play(world, away, "place-item(chicken1, stove1)")
    assert "Chicken1: cook 3 of 4." in world.narrate(back, None)
    world = world_of("asynchronous/4")
    cut = ["move(table1, table2)", "pick-up-item(onion1, table2)", "move(table2, board1)"]
    cut += ["place-item(onion1, board1)", "cut(onion1, board1)", "move(board1, table1)"]
    told = world.narrate(play(world, world.start(), *cut), None)
    assert "Onion1: cut 1 of 3." in told
