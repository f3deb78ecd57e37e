"""Worlds of a person's own that fail: each ends in one line, whatever it does to the process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cookmas
from cookmas.episodes.scenario import Scenario
from cookmas.files.errors import InputError
from cookmas.orchestrator.episode import episode_of
from cookmas.world_names import domain_of
from cookmas.worlds.base.checking import faults_of
from cookmas.worlds.base.loading import load_domain
from cookmas.worlds.base.planner import RandomPlanner
from tests.warm import COOKMAS, ROOT, Warm

QUICKLY = f"from cookmas.worlds.base import loading\nloading.LONGEST_IMPORT = 0.5\n{COOKMAS}"
MINE = """
import sys
from cookmas.worlds.base import Domain, World
class W(World):
    name = "mine"
class D(Domain):
    world_type = W
    def scenario(self, name, settings):
"""


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("import os; os._exit(0)", "world 'mine:D': its process ended with exit code 0"),
        ("import os; os.kill(os.getpid(), 9)", "world 'mine:D': its process was killed by SIGKILL"),
        ("while True: pass", "world 'mine:D': TimeLimitError: no answer within 0.5 s at mine.py:1"),
        ("import sys; sys.exit(0)", "SystemExit: 0 at mine.py:1"),
        ("class D:\n def __init__(self): raise ValueError('no')", "ValueError: no at mine.py:2"),
        (f"{MINE}        raise KeyError(name)", "KeyError: 'one' at mine.py:9"),
        (f"{MINE}        sys.exit(0)", "SystemExit: 0 at mine.py:9"),
    ],
)
def test_a_world_that_fails_ends_in_one_line(tmp_path: Path, module: str, said: str) -> None:
    (tmp_path / "mine.py").write_text(module)
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = Warm[str](
        (QUICKLY, "run", "one", "--world", "mine:D"),
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    out, errors = done.answered()
    assert done.returncode == 1
    assert errors.startswith(f"cookmas: {said}"), errors
    assert errors.count("\n") == 1
    assert out == ""


BASES = "from cookmas.worlds.base import Domain, World\n"
STRANGER = "class W:\n name = 'w'\n workers = ()\n"


@pytest.mark.parametrize(
    ("module", "said"),
    [
        (
            "class D:\n name = 'd'",
            "D does not inherit from cookmas.worlds.base.Domain; make that its base class",
        ),
        (
            f"{BASES}{STRANGER}class D(Domain):\n world_type = W",
            "W does not inherit from cookmas.worlds.base.World; make that its base class",
        ),
        (f"{BASES}class D(Domain): pass", "has no world_type; expected the class of its world"),
        (f"{BASES}class D(Domain):\n world_type = World", "has no name, or one that is not a text"),
        (
            f"{BASES}class D(Domain):\n world_type = World\n name = 5",
            "has no name, or one that is not a text",
        ),
    ],
)
def test_what_is_no_domain_or_no_world_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, said: str
) -> None:
    (tmp_path / "lacking.py").write_text(f"{module}\nDOMAIN = D()")
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("D", "DOMAIN"):
        with pytest.raises(InputError) as caught:
            load_domain(f"lacking:{name}")
        assert str(caught.value) == f"world 'lacking:{name}': {said}"
    del sys.modules["lacking"]


class Bare:
    """A world that inherits nothing."""

    name = "corridor"


class Strange:
    """A scenario of the corridor that is played in another world."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scenario, name)

    def world(self) -> Any:
        return Bare()


@pytest.mark.parametrize(
    "act",
    [
        lambda scenario: cookmas.play(scenario, "llm"),
        lambda scenario: cookmas.load_planner("random", scenario),
        lambda scenario: episode_of(scenario, RandomPlanner()),
        lambda scenario: list(faults_of(domain_of("corridor"), scenario, [0])),
    ],
)
def test_a_scenario_whose_world_inherits_nothing_is_refused_in_one_line(
    act: Callable[[Any], object],
) -> None:
    with pytest.raises(InputError) as caught:
        act(Strange(cookmas.load_scenario("corridor/one")))
    assert str(caught.value) == (
        "scenario 'one': Bare does not inherit from cookmas.worlds.base.World; "
        "make that its base class"
    )
