"""A file that exists and is no scenario is named as what it is, by every command and world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cookmas.commands.cli import app
from cookmas.world_names import WORLDS

STATION = {"name": "sink", "x": 1, "y": 0}
OF_ROBOTOUILLE = json.dumps({"width": 2, "height": 2, "stations": [STATION], "players": []})
OF_JAXMARL = "WWXWW\nOA AO\nW   B\nWWPWW\n"
IN_PYTHON = f'rooms = {{"small": """\n{OF_JAXMARL}"""}}\n'


def said_of(path: Path, *arguments: str) -> str:
    """Return the one line that a command says."""
    done = CliRunner().invoke(app, [arguments[0], str(path), *arguments[1:]])
    assert done.exit_code
    text = str(done.exception) if not done.stderr else done.stderr
    assert "\n" not in text.strip()
    return text


@pytest.mark.parametrize("world", sorted(WORLDS))
@pytest.mark.parametrize("command", ["run", "check"])
def test_a_file_is_told_by_its_content(tmp_path: Path, world: str, command: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps(dict.fromkeys("abcdefgh", 1)))
    said = said_of(path, command, "--world", world)
    assert f"{path}: is " in said
    assert "JSON with the fields a, b, c, d, e, f, ...; expected a" in said
    path.unlink()
    assert "JSON" not in said_of(path, command, "--world", world)


@pytest.mark.parametrize(
    ("world", "name", "text", "what"),
    [
        ("robotouille", "a.json", OF_ROBOTOUILLE, "a layout of the original Robotouille"),
        ("overcooked", "a.txt", OF_JAXMARL, "a layout in the letters of JaxMARL"),
        ("overcooked", "a", OF_JAXMARL, "a layout in the letters of JaxMARL"),
        ("overcooked", "a.layout", OF_JAXMARL, "a layout in the letters of JaxMARL"),
        ("overcooked", "a.py", IN_PYTHON, "a layout in the letters of JaxMARL"),
        ("overcooked", "a.layout", "XXPXX\nX1 2X\n", "no layout"),
        ("overcooked", "a.json", OF_ROBOTOUILLE, "JSON with the fields width, height, stations"),
        ("hanabi", "a.txt", "\nA deck\n", "text that begins with 'A deck'"),
        ("hanabi", "a.json", "[1]", "JSON, but no mapping"),
        ("hanabi", "a.json", "[" * 100_000, "text that begins with '[[["),
    ],
)
def test_the_files_of_an_original_are_named(
    tmp_path: Path, world: str, name: str, text: str, what: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    for command in ("run", "check"):
        assert f": is {what}" in said_of(path, command, "--world", world).replace(", line 1", "")


def test_a_picture_is_no_text_and_a_scenario_is_found_beside_a_file_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two").touch()
    done = CliRunner().invoke(app, ["show", "two", "--world", "corridor"])
    assert done.exit_code == 0, done.output
    Path("picture").write_bytes(b"\x89PNG")
    assert "cannot be read as text" in said_of(Path("picture"), "run", "--world", "hanabi")
