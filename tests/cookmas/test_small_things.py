"""Small things of the command line and the API that a newcomer tries first."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import cookmas
from cookmas.cli import app
from cookmas.terminal import print_json
from episodes.errors import InputError
from scenarios.scenario import names_in

ROOT = Path(__file__).parents[2]


def said(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


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
    assert names_in("adversarial")
    for arguments in (["list"], ["list", "adversarial"]):
        listed = said(*arguments).stdout
        assert [name for name in names_in("adversarial") if name not in listed] == []


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
    assert f"names the scenario as it is now, {digest}" in done.stdout.replace("\n", "")
    wanted = TRUTH.replace("scenario: old", f'scenario: "{digest}"')
    assert sorted(truth.read_text().splitlines()) == sorted(wanted.splitlines())
    assert said("check", "--fix", scenario).stdout == said("check", scenario).stdout
    assert list(path.parent.glob("*.new")) == []


def test_what_is_wrong_beside_the_digest_is_still_said(scenario: str) -> None:
    truth = Path(scenario).with_suffix(".truth.yaml")
    truth.write_text(TRUTH)
    done = said("check", "--fix", scenario)
    assert done.exit_code == 1
    assert "there is no line" in done.stderr or "nobody says" in done.stderr
