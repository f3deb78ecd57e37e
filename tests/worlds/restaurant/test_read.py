"""`cookmas read` and what `cookmas check` says of a menu."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.scenarios.menu import LONGEST_RECIPE, SHIPPED_MENU
from cookmas.scenarios.truth import SHIPPED_TRUTH

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


@pytest.mark.parametrize(
    ("truth", "code", "said"),
    [("bread > grill golden", 0, "no difference"), ("bread", 1, "should be bread")],
)
def test_a_reading_against_a_truth(tmp_path: Path, truth: str, code: int, said: str) -> None:
    (tmp_path / "toast.txt").write_text("The bread is toasted golden.")
    (tmp_path / "truth.yaml").write_text(f"- {truth}")
    arguments = ["read", str(tmp_path / "toast.txt"), "--against", str(tmp_path / "truth.yaml")]
    result = RUNNER.invoke(app, arguments)
    assert result.exit_code == code
    assert said in result.output.partition("against the truth\n")[2]


def test_a_whole_menu_is_read_as_its_truth_says() -> None:
    result = RUNNER.invoke(app, ["read", str(SHIPPED_MENU), "--against", "truth"])
    assert result.output.count("no doubts") == 38
    assert result.output.count("no difference") == 38
    assert result.exit_code == 0


def test_a_step_stands_below_the_sentence_that_it_was_read_from() -> None:
    text = "This one is my aunt's. Slice a tomato.\nThen toast the bread golden; fry the cod."
    lines = RUNNER.invoke(app, ["read", "-"], input=text).output.splitlines()
    places = [
        next(n for n, line in enumerate(lines) if words in line)
        for words in (
            "| This one is my aunt's.",
            "| Slice a tomato.",
            "tomato > slice 1 [house]",
            "| Then toast the bread golden; fry the cod.",
            "bread > grill golden [told]",
            "? fry cod: no minutes are told",
        )
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("text", ["", "   ", "Nothing to see."])
def test_a_text_that_asks_for_nothing_says_so(text: str) -> None:
    said = RUNNER.invoke(app, ["read", "-"], input=text).output
    assert "none was understood" in said
    assert "? nothing is served" in said


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["Nothing on the Menu"], None),
        (["-"], b"\xff\xfe\x00"),
        (["-", "--against", "truth"], b"Slice a tomato."),
        (["Buttered Toast", "--against", "nowhere.yaml"], None),
        ([str(SHIPPED_MENU.parent)], None),
    ],
)
def test_what_cannot_be_read_gets_one_line(arguments: list[str], given: bytes | None) -> None:
    result = RUNNER.invoke(app, ["read", *arguments], input=given)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "code"),
    [("read -", 2), ("read {}/recipes/Stew.txt", 2), ("check {}/menu.yaml", 1)],
)
def test_a_recipe_has_a_bound_wherever_it_comes_from(
    tmp_path: Path, command: str, code: int
) -> None:
    text = ("," * LONGEST_RECIPE) + "."
    menu = tmp_path / "menu"
    shutil.copytree(SHIPPED_MENU, menu)
    shutil.copy(SHIPPED_TRUTH / "menu.yaml", menu / "truth.yaml")
    (menu / "recipes/Stew.txt").write_text(text)
    result = RUNNER.invoke(app, command.format(menu).split(), input=text)
    assert result.exit_code == code
    assert f"is larger than {LONGEST_RECIPE} bytes" in result.output
    assert result.output.count("\n") == 1


def test_a_note_that_is_read_has_the_bound_of_a_customers() -> None:
    result = RUNNER.invoke(app, ["read", "Buttered Toast", "--note", "no butter, " * 50])
    assert result.exit_code == 2
    assert "--note: has more than 500 characters" in result.stderr


def test_check_reads_every_recipe_of_the_menu() -> None:
    result = RUNNER.invoke(app, ["check", str(SHIPPED_MENU / "menu.yaml")])
    assert "every item was cooked as it says" in result.output
    assert "reads each as its truth, without doubts" in result.output
