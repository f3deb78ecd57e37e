"""A world of a new kind is a folder and one line of names: no other file of the package changes."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("list", "--world", "my_lamp"), "one"),
        (("run", "my_lamp/one", "--quiet"), "the lamp is lit"),
        (("run", "my_lamp/one", "--planner", "random", "--quiet"), "my_lamp-one-random"),
        (("check", "my_lamp/one"), "scenario one: sound"),
        (("check", "--world", "my_lamp"), "my_lamp: sound"),
        (("prompt", "my_lamp/one"), "### WORLD_MY_LAMP"),
        (("show", "my_lamp/one"), "title"),
        (("list", "--world", "mars"), "my_lamp"),
    ],
)
def test_commands_find_it_by_its_name(copy: Path, command: tuple[str, ...], said: str) -> None:
    done = run(copy, "-m", "cookmas", *command)
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_the_contracts_of_the_imports_hold(copy: Path) -> None:
    linted = run(copy, "-c", LINT)
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert room_of("cookmas.worlds.my_lamp.world") == "worlds"


@pytest.mark.parametrize(
    ("module", "imported", "broken"),
    [
        ("world", "cookmas.worlds.corridor.world", "No world knows another"),
        ("world", "cookmas.kitchen.world", "No world but the restaurant knows the kitchen"),
        ("planners", "cookmas.worlds.my_lamp.truth", "No planner, worker, rule"),
        ("judging", "cookmas.worlds.my_lamp.planners", "Evaluators see only a trace"),
    ],
)
def test_a_forbidden_import_of_it_breaks_a_contract(
    copy: Path, module: str, imported: str, broken: str
) -> None:
    folder = copy / "cookmas" / "worlds" / "my_lamp"
    (folder / "truth.py").write_text('"""The truth."""\n')
    path = folder / f"{module}.py"
    before = path.read_text() if path.exists() else None
    path.write_text(f"{before or ''}\nimport {imported}\n")
    try:
        linted = run(copy, "-c", LINT)
    finally:
        path.unlink() if before is None else path.write_text(before)
    assert linted.returncode != 0
    assert f"{broken}" in linted.stdout.partition("Broken contracts")[2]


PLANTED = {
    "cookmas/worlds/hanabi/world.py": "cookmas.solving.hanabi.planners",
    "cookmas/solving/hanabi/planners.py": "cookmas.solving.overcooked.planners",
    "cookmas/solving/cuisineworld/planners.py": "cookmas.solving.cuisineworld.bound",
    "cookmas/solving/restaurant/reading/reader.py": "cookmas.scenarios.truth",
    "cookmas/worlds/restaurant/judging/scores.py": "cookmas.solving.restaurant.planners",
    "cookmas/worlds/cuisineworld/judging.py": "cookmas.solving.cuisineworld.planners",
}
"""Imports that the wall of truth and the rooms of solving forbid, by the file that gets them."""


def test_each_planted_import_through_the_wall_is_refused(copy: Path) -> None:
    before = {name: (copy / name).read_text() for name in PLANTED}
    for name, imported in PLANTED.items():
        (copy / name).write_text(f"{before[name]}\nimport {imported}\n")
    try:
        linted = run(copy, "-c", LINT)
    finally:
        for name, text in before.items():
            (copy / name).write_text(text)
    assert linted.returncode != 0
    broken = " ".join(linted.stdout.partition("Broken contracts")[2].split())
    for name, imported in PLANTED.items():
        module = name.removesuffix(".py").replace("/", ".")
        assert f"{module} -> {imported}" in broken
