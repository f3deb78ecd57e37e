"""Small things of the command line and the API that a newcomer tries first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.display.terminal import print_json
from cookmas.episodes.base import World
from cookmas.files.errors import InputError
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.restaurant.domain import DOMAIN
from tests.cookmas.commands.calling import cookmas as said

ROOT = Path(__file__).parents[3]


def module(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cookmas", "--version"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_module_is_the_command() -> None:
    done = module()
    assert (done.returncode, done.stdout) == (0, f"cookmas {cookmas.__version__}\n"), done.stderr


def test_a_shell_can_complete_commands() -> None:
    done = module(_COOKMAS_COMPLETE="complete_bash", COMP_WORDS="cookmas resu", COMP_CWORD="1")
    assert done.stdout.split() == ["resume"]


def test_words_in_json_are_the_same_and_move_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "jalapeño \u202e\x9b2J\n\ud800 \U000e0001"
    print_json(words)
    told = capsys.readouterr().out.removesuffix("\n")
    assert (told.isprintable(), "ñ" in told, json.loads(told)) == (True, True, words)


def test_list_shows_the_adversarial_scenarios() -> None:
    assert DOMAIN.names("adversarial")
    for arguments in (["list"], ["list", "adversarial"]):
        listed = said(*arguments).stdout
        assert [name for name in DOMAIN.names("adversarial") if name not in listed] == []


@pytest.mark.parametrize("world", ["restaurant", "cuisineworld", "corridor"])
@pytest.mark.parametrize("size", ["0", "-1", "100"])
def test_a_size_that_cannot_be_is_refused(world: str, size: str, tmp_path: Path) -> None:
    path = tmp_path / "new.yaml"
    done = said("generate", "1", "--size", size, "-o", str(path), "--world", world)
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert not path.exists()


@pytest.mark.parametrize("event", [5, None, "order", [1], {}, {"kind": 7}, {5: 5}])
def test_what_is_no_event_is_not_injected(event: Any) -> None:
    scenario = cookmas.load_scenario("level1/03")
    episode = cookmas.episode_of(scenario, cookmas.load_planner("embedded", scenario))
    with pytest.raises(InputError):
        episode.inject(event)


TRUTH = """\
# What they mean.
scenario: old
notes:
  o1.1:
    dark: [{kind: done, food: bread, level: dark}]
"""


@pytest.mark.parametrize("line", ["scenario: old\n", "", 'scenario : "0000"\n'])
def test_a_truth_is_made_to_name_its_scenario(scenario: str, line: str) -> None:
    path = Path(scenario)
    path.write_text(path.read_text().replace("Buttered Toast}", "Buttered Toast, note: dark}"))
    truth = path.with_suffix(".truth.yaml")
    truth.write_text(TRUTH.replace("scenario: old\n", line))
    assert said("check", scenario).exit_code == 1
    done = said("check", "--fix", scenario)
    assert done.exit_code == 0, done.output
    digest = cookmas.load_scenario(scenario).digest
    assert f"now names the current scenario, {digest}" in done.stdout.replace("\n", "")
    wanted = TRUTH.replace("scenario: old", f'scenario: "{digest}"')
    assert sorted(truth.read_text().splitlines()) == sorted(wanted.splitlines())
    assert said("check", "--fix", scenario).stdout == said("check", scenario).stdout
    assert list(path.parent.glob("*.new")) == []


def test_a_truth_is_left_as_it_is_where_something_else_is_wrong(scenario: str) -> None:
    truth = Path(scenario).with_suffix(".truth.yaml")
    truth.write_text(TRUTH)
    done = said("check", "--fix", scenario)
    assert done.exit_code == 1
    assert "there is no line" in done.stderr or "the scenario has no note" in done.stderr
    assert truth.read_text() == TRUTH
    fixable = "scenario: old\nnotes: {}\n"
    truth.write_text(fixable)
    schedule = Path(scenario).with_suffix(".schedule.yaml")
    schedule.write_text("- {worker_1: wait}\n")
    assert "does not solve" in said("check", "--fix", scenario).stderr
    assert "one of them at a time" in said("check", "--fix", "--solve", scenario).stderr
    assert (truth.read_text(), schedule.read_text()) == (fixable, "- {worker_1: wait}\n")


@pytest.mark.parametrize("settings", [["corridor/two"], ["cuisineworld/level_3", "--seed", "2"]])
def test_no_world_plays_a_schedule_for_another_scenario(
    settings: list[str], tmp_path: Path
) -> None:
    made_for = "corridor/one" if len(settings) == 1 else "level_3"
    schedule = tmp_path / "made.yaml"
    schedule.write_text(f"scenario: {made_for}\nschedule: [[[walker_1, stay]]]\n")
    done = said("run", *settings, "-p", str(schedule), "--runs", str(tmp_path / "runs"))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert f"{schedule}: scenario: is for {made_for.split('/')[-1]} (" in done.stderr
    assert not (tmp_path / "runs").exists()


MENU = """
ingredients: {pantry: [bread], fridge: [butter]}
doneness:
  bread:
    grill: {golden: [3, 4], burnt: 9}
"""


def test_a_scenario_is_as_sound_as_its_menu(tmp_path: Path) -> None:
    recipes = tmp_path / "menu" / "recipes"
    recipes.mkdir(parents=True)
    (recipes / "Toast.txt").write_text("Toast the bread golden; butter beside it.")
    menu, truth = recipes.parent / "menu.yaml", recipes.parent / "truth.yaml"
    menu.write_text(MENU)
    own = tmp_path / "own.yaml"
    order = "{at: 0, kind: new_order, order: o1, lines: [{item: Toast}]}"
    own.write_text(f"title: Own\nlevel: 1\nmenu: menu\nkitchen: small\nevents: [{order}]\n")

    def agree(code: int, expected: str) -> None:
        for file in (menu, own):
            done = said("check", str(file))
            assert (done.exit_code, done.output.count(expected)) == (code, 1), done.output

    agree(0, "no truth: dishes cannot be judged")
    truth.write_text("Toast: [bread > grill golden, butter]\n")
    agree(0, ", sound")
    truth.write_text("Toast: [bread > grill golden > grill 400, butter]\n")
    agree(1, "Toast: ")
    played = said("run", str(own), "--runs", str(tmp_path / "runs"))
    mistake = played.stderr.removeprefix("cookmas: ")
    assert (played.exit_code, said("check", str(own)).stderr) == (2, f"cookmas: {own}: {mistake}")
    (recipes / "Toast.txt").write_text("")
    agree(1, "Toast.txt: the file: is empty")


class Quiet(World):
    """A world of somebody's own, which brings no more than it must."""

    name = "quiet"


class NoGenerator(Domain):
    """Its domain, which generates no scenarios."""

    world_type = Quiet


def test_a_world_that_makes_no_scenarios_says_so(tmp_path: Path) -> None:
    file, spec = tmp_path / "own.yaml", f"{__name__}:NoGenerator"
    done = said("generate", "1", "-o", str(file), "--world", spec)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert "the world quiet generates no scenarios" in done.stderr
