"""A world works without its solving, and imports nothing of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HIDDEN = """
import sys
from importlib.abc import MetaPathFinder

class Hidden(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".solving")[0] == "cookmas" and name.startswith("cookmas.solving"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""

PLAY = """
import cookmas
from cookmas.worlds.shipped import import_world

for place in (
    "level1/01", "cuisineworld/level_1", "collab-overcooked/level_1/01", "overcooked/cramped_room",
    "robotouille/synchronous/0", "collab-capture/building", "collab-escape/building", "hanabi/two",
):
    done = cookmas.play(place, "random")
    unscored = {each.reason for each in done.verdict.checks if not each.scored}
    print(place, done.verdict.success, *sorted(unscored), sep="|")
"""

IMPORT = """
import pkgutil, sys
from importlib import import_module
import cookmas.kitchen, cookmas.scenarios, cookmas.worlds

for room in (cookmas.kitchen, cookmas.scenarios, cookmas.worlds):
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        import_module(module.name)
print([name for name in sys.modules if name.startswith("cookmas.solving")])
"""


def run(code: str, folder: Path) -> str:
    """Run code in a process of its own; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_worlds_are_played_and_judged_without_their_solving(tmp_path: Path) -> None:
    rows = [line.split("|") for line in run(HIDDEN + PLAY, tmp_path).splitlines()]
    assert len(rows) == 8
    reasons = {place: [each for each in why if "is not there" in each] for place, _, *why in rows}
    assert {place for place, why in reasons.items() if why} == {
        "level1/01",
        "collab-overcooked/level_1/01",
        "collab-capture/building",
        "collab-escape/building",
    }


def test_no_world_imports_what_solves_it(tmp_path: Path) -> None:
    assert run(IMPORT, tmp_path) == "[]\n"
