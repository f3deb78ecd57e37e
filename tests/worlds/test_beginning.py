"""`check` says that nothing is to be done in a scenario, and names the file of each mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import cookmas
from cookmas.commands.cli import app
from cookmas.episodes.base import World
from cookmas.episodes.checking_worlds import remarks_on_beginning
from cookmas.episodes.level import Level
from cookmas.episodes.scenario import FileScenario
from cookmas.episodes.world import Ending
from cookmas.files.errors import CookMASError
from cookmas.world_names import domain_of
from cookmas.worlds.robotouille.domain import DOMAIN
from tests.worlds.every import SCENARIOS

SANDWICH = DOMAIN.scenario("synchronous/0", {}).data()


class Lamp(World):
    """A lamp that is on, off or broken from the start."""

    name = "lamp"
    workers: Sequence[str] = ("robot",)
    actions: Mapping[str, str] = {"press": "press the switch."}
    how: Any = None

    def start(self) -> dict[str, Any]:
        return {"timestep": 0}

    def ending(self, state: Any) -> Ending | None:
        return Ending(self.how, f"the lamp is {self.how}") if self.how else None


def lamp(how: str | None) -> FileScenario:
    world_type = type("OneLamp", (Lamp,), {"how": how})
    return FileScenario(name="lamp", path=Path("lamp.yaml"), file=Level(), world_type=world_type)


def write(folder: Path, name: str, **changes: Any) -> str:
    """Write a task of Robotouille with other fields; return its file."""
    path, data = folder / name, {"world": "robotouille", **SANDWICH, **changes}
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    return str(path)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (None, []),
        ("won", ["the goal holds at the start, before anyone acts: the lamp is won"]),
        ("lost", ["the episode ends before anyone acts (lost): the lamp is lost"]),
        ("over", ["the episode ends before anyone acts (over): the lamp is over"]),
    ],
)
def test_an_episode_that_ends_before_anyone_acts_is_told(how: str | None, said: list[str]) -> None:
    assert remarks_on_beginning(lamp(how)) == said


@pytest.mark.parametrize("name", SCENARIOS)
def test_in_a_scenario_of_every_world_there_is_something_to_do(name: str) -> None:
    assert remarks_on_beginning(cookmas.load_scenario(name)) == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_world_says_that_a_goal_holds_at_the_start(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a world whose domain checks scenarios in its own way."""
    scenario, domain = cookmas.load_scenario(name), domain_of(name.partition("/")[0])
    assert "sound" in domain.vet(scenario)[0]
    won = Ending("won", "all of it is done")
    monkeypatch.setattr(type(scenario.world()), "ending", lambda _world, _state: won)
    first, *remarks = domain.vet(scenario)
    assert first.endswith("valid, but:")
    assert "the goal holds at the start, before anyone acts: all of it is done" in remarks


def test_a_goal_that_holds_at_the_start_is_not_called_sound(tmp_path: Path) -> None:
    held = write(tmp_path, "held.yaml", goal="clear(bread_1), item_on(cheese_2, table_3)")
    first, second = DOMAIN.check(Path(held))
    assert first == "scenario held: valid, but:"
    assert second.startswith("the goal holds at the start, before anyone acts")
    assert DOMAIN.check(Path(write(tmp_path, "open.yaml"))) == ["scenario open: sound"]


BROKEN: dict[str, dict[str, Any]] = {
    "goal": {"goal": "clear(brea_1)"},
    "objects.bread1": {"objects": {**SANDWICH["objects"], "bread1": ["bred", "table1"]}},
    "objects": {"objects": {"table1": ["table", "-"]}},
}


@pytest.mark.parametrize("field", BROKEN)
def test_a_mistake_names_its_file_to_every_command(tmp_path: Path, field: str) -> None:
    path = write(tmp_path, "broken.yaml", **BROKEN[field])
    for act in (DOMAIN.check, lambda file: cookmas.play(str(file))):
        with pytest.raises(CookMASError) as error:
            act(Path(path))
        assert str(error.value).startswith(f"{path}: {field}: ")


def test_of_several_files_each_is_checked_and_each_mistake_names_its_file(tmp_path: Path) -> None:
    level = tmp_path / "level.yaml"
    level.write_text("world: cuisineworld\nkitchen: nowhere\n")
    files = [
        write(tmp_path, "one.yaml", goal="clear(brea_1)"),
        write(tmp_path, "two.yaml", goal="clear(brea_1)"),
        str(level),
        str(tmp_path / "none.yaml"),
        write(tmp_path, "held.yaml", goal="clear(bread_1)"),
    ]
    ran = CliRunner().invoke(app, ["check", *files])
    told = [line.removeprefix("cookmas: ") for line in (ran.stdout + ran.stderr).splitlines()]
    assert {line.partition(": ")[0] for line in told} == {*files}
    assert ran.exit_code == 2
    assert CliRunner().invoke(app, ["check", *files[:2], files[-1]]).exit_code == 1
    assert CliRunner().invoke(app, ["check", files[-1]]).exit_code == 0
