"""A world of a new kind is a folder and one line of names: no other file of the package changes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cookmas.new import write_world
from docs.images.rooms import room_of
from tests.folders import CODE
from tests.test_house import LINT, ROOT

LINE = '    "my_lamp": "cookmas.worlds.my_lamp.domain:DOMAIN",\n'


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, with the world that `cookmas new world` writes as one of its own."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copy(ROOT / ".importlinter", copy)
    for folder in CODE:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, copy / folder, symlinks=True, ignore=ignored)
    for path in write_world("my_lamp", copy / "cookmas" / "worlds"):
        text = path.read_text()
        path.write_text(text.replace("my_lamp.", "cookmas.worlds.my_lamp."))
    names = copy / "cookmas" / "worlds" / "shipped.py"
    begin, mapping, rest = names.read_text().partition("MappingProxyType(\n    {\n")
    names.write_text(begin + mapping + LINE + rest)
    return copy


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=copy, capture_output=True, text=True, check=False
    )


SAID: dict[tuple[str, ...], str] = {
    ("list", "--world", "my_lamp"): "one",
    ("run", "my_lamp/one", "--quiet"): "the lamp is lit",
    ("run", "my_lamp/one", "--planner", "random", "--quiet"): "my_lamp-one-random",
    ("check", "my_lamp/one"): "scenario one: sound",
    ("check", "--world", "my_lamp"): "my_lamp: sound",
    ("prompt", "my_lamp/one"): "### WORLD_MY_LAMP",
    ("show", "my_lamp/one"): "title",
    ("list", "--world", "mars"): "my_lamp",
}
"""Commands, and what each says."""

SAY = """
import contextlib, io, json, sys
from cookmas.commands.start import main

for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        with contextlib.suppress(SystemExit):
            main()
    print(json.dumps(said.getvalue()))
"""


@pytest.fixture(scope="module")
def said(copy: Path) -> dict[tuple[str, ...], str]:
    """What the commands say, one after the other in a process."""
    done = run(copy, "-c", SAY, json.dumps([*SAID]))
    assert done.returncode == 0, done.stderr
    return dict(zip(SAID, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("command", SAID)
def test_commands_find_it_by_its_name(
    said: dict[tuple[str, ...], str], command: tuple[str, ...]
) -> None:
    assert SAID[command] in said[command]
    assert "Traceback" not in said[command]


def test_the_contracts_of_the_imports_hold(copy: Path) -> None:
    linted = run(copy, "-c", LINT)
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert room_of("cookmas.worlds.my_lamp.world") == "worlds"


PLANTED = {
    "cookmas/worlds/hanabi/world.py": "cookmas.solving.hanabi.planners",
    "cookmas/solving/hanabi/planners.py": "cookmas.solving.overcooked.planners",
    "cookmas/solving/cuisineworld/planners.py": "cookmas.solving.cuisineworld.bound",
    "cookmas/solving/restaurant/reading/reader.py": "cookmas.scenarios.truth",
    "cookmas/worlds/restaurant/judging/scores.py": "cookmas.solving.restaurant.planners",
    "cookmas/worlds/cuisineworld/judging.py": "cookmas.solving.cuisineworld.planners",
    "cookmas/worlds/my_lamp/world.py": "cookmas.worlds.corridor.world",
    "cookmas/worlds/my_lamp/words.py": "cookmas.kitchen.world",
    "cookmas/worlds/my_lamp/planners.py": "cookmas.worlds.my_lamp.truth",
    "cookmas/worlds/my_lamp/judging.py": "cookmas.worlds.my_lamp.planners",
}
"""Imports that the wall of truth, the rooms of solving and worlds forbid, by the file with them."""

BROKEN = (
    "No world knows another",
    "No world but the restaurant knows the kitchen",
    "No planner, worker, rule",
    "Evaluators see only a trace",
)
"""Contracts that the new world would break."""


def test_each_planted_import_is_refused(copy: Path) -> None:
    before = {name: path.read_text() for name in PLANTED if (path := copy / name).exists()}
    truth = copy / "cookmas/worlds/my_lamp/truth.py"
    truth.write_text('"""The truth."""\n')
    for name, imported in PLANTED.items():
        (copy / name).write_text(f"{before.get(name, '')}\nimport {imported}\n")
    try:
        linted = run(copy, "-c", LINT)
    finally:
        for name in PLANTED:
            (copy / name).write_text(before[name]) if name in before else (copy / name).unlink()
        truth.unlink()
    assert linted.returncode != 0
    broken = " ".join(linted.stdout.partition("Broken contracts")[2].split())
    for name, imported in PLANTED.items():
        module = name.removesuffix(".py").replace("/", ".")
        assert f"{module} -> {imported}" in broken
    assert [contract for contract in BROKEN if contract not in broken] == []
