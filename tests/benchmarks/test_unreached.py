"""The pages of rules say which rules no recording reaches, as the recordings show."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.page import DOCS
from benchmarks.unreached import MARK, Probes, describe, make_module, read_listed

ROOT = Path(__file__).parents[2]
SOURCE = """
def one(value):
    return "yes" if value else "no"

def two(values):
    if values and not values[0]:
        return [each for each in values if each]
    return []

class Three:
    def four(self, value):
        while value:
            value -= 1
"""


def test_branches_that_are_not_entered_are_found(tmp_path: Path) -> None:
    path, probes = tmp_path / "here.py", Probes()
    path.write_text(SOURCE)
    made = make_module("here", path, probes)
    assert [made.one(1), made.two([0, 3]), made.two([])] == ["yes", [3], []]
    assert {*probes.find_unreached()} == {
        "here.one: value is never false",
        "here.Three.four is never entered",
    }
    made.one(0)
    made.Three().four(1)
    assert not [*probes.find_unreached()]


def test_the_pages_have_the_rules_that_no_recording_reaches() -> None:
    for each in read_listed().values():
        page = (DOCS / each.page).read_text(encoding="utf-8")
        found = page.partition(f"<!-- {MARK} -->\n")[2].partition(f"\n<!-- end of {MARK} -->")[0]
        assert found == describe([*each.rules])


def test_every_module_with_rules_is_there() -> None:
    named = [
        f"cookmas.worlds.{module}" for each in read_listed().values() for module in each.modules
    ]
    assert [name for name in named if find_spec(name) is None] == []


@pytest.mark.conformance
@pytest.mark.parametrize("engines", [("cuisineworld", "overcooked_ai")])
def test_the_recordings_enter_every_other_branch(engines: tuple[str, ...]) -> None:
    """Play the short recordings; `make conformance` plays all."""
    command = [sys.executable, "-m", "benchmarks.unreached", *engines]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    told = [line for line in ran.stdout.splitlines() if "no recording reaches" in line]
    assert len(told) == sum(len(read_listed()[name].rules) for name in engines)
