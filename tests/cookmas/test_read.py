"""`cookmas read` and what `cookmas check` says of a menu."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cookmas.cli import app
from scenarios.menu import SHIPPED_MENU

RUNNER = CliRunner()


def test_a_dish_is_shown_step_by_step() -> None:
    result = RUNNER.invoke(app, ["read", "Steak Frites", "--note", "steak rare, no garlic"])
    assert result.exit_code == 0
    assert "steak > grill medium rare" in result.output
    assert "unless the ticket says different" in result.output
    assert "without garlic" in result.output
    assert max(map(len, result.output.splitlines())) <= 80


def test_json_gives_each_step_its_words() -> None:
    result = RUNNER.invoke(app, ["read", "Buttered Toast", "--json"])
    data = json.loads(result.output)
    assert data["components"] == ["bread > grill golden", "butter"]
    assert data["doubts"] == []
    assert [step["source"] for step in data["steps"]] == ["told"]


def test_stdin_and_a_doubt() -> None:
    result = RUNNER.invoke(app, ["read", "-"], input="Put the cod on the grill.")
    assert "? grill cod: no minutes are told" in result.output


@pytest.mark.parametrize(("truth", "code"), [("bread > grill golden", 0), ("bread", 1)])
def test_a_reading_against_a_truth(tmp_path: Path, truth: str, code: int) -> None:
    (tmp_path / "toast.txt").write_text("The bread is toasted golden.")
    (tmp_path / "truth.yaml").write_text(f"- {truth}")
    arguments = ["read", str(tmp_path / "toast.txt"), "--against", str(tmp_path / "truth.yaml")]
    assert RUNNER.invoke(app, arguments).exit_code == code


def test_a_whole_menu_can_be_read() -> None:
    result = RUNNER.invoke(app, ["read", str(SHIPPED_MENU)])
    assert result.output.count("no doubts") == 38


def test_what_is_nothing_gets_one_line() -> None:
    result = RUNNER.invoke(app, ["read", "Nothing on the Menu"])
    assert result.exit_code == 2


def test_check_reads_every_recipe_of_the_menu() -> None:
    result = RUNNER.invoke(app, ["check", str(SHIPPED_MENU / "menu.yaml")])
    assert "every item was cooked as it says" in result.output
    assert "reads each as its truth, without doubts" in result.output
