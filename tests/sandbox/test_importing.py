"""What is named as `package.module:Class` under a former name of CookMAS is told the new name."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cookmas.episodes.failure import FailedError
from cookmas.files.errors import InputError
from cookmas.sandbox.importing import FORMER_ROOTS, import_named


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the user, whose modules are forgotten after the test."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if not name.startswith("cookmas."):
            del sys.modules[name]


@pytest.mark.parametrize(
    "former",
    [
        "worlds.corridor.domain:DOMAIN",
        "orchestrator.planners.naming:FixedPlanner",
        "kitchen:anything",
    ],
)
def test_a_former_name_is_told_the_new_one(former: str) -> None:
    with pytest.raises(InputError, match=rf"^planner: is now cookmas\.{former}$"):
        import_named(former, "planner")


@pytest.mark.parametrize("name", ["worlds.nowhere:DOMAIN", "workers_of_mine:Robot"])
def test_any_other_name_is_not(name: str) -> None:
    with pytest.raises(InputError, match=r"cannot be imported \(No module named '\w+'\)$"):
        import_named(name, "planner")


@pytest.mark.parametrize("root", ["worlds", "kitchen"])
def test_a_module_of_the_user_with_the_same_name_is_meant(root: str, home: Path) -> None:
    (home / f"{root}.py").write_text("class Mine: ...")
    assert import_named(f"{root}:Mine", "planner").__name__ == "Mine"
    with pytest.raises(InputError, match="cannot be imported"):
        import_named(f"{root}.corridor.domain:DOMAIN", "planner")
    with pytest.raises(InputError, match=f"module {root} has no Other"):
        import_named(f"{root}:Other", "planner")


@pytest.mark.parametrize("root", ["worlds", "kitchen"])
def test_an_import_of_a_former_name_is_told_the_new_one(root: str, home: Path) -> None:
    (home / "old_planner.py").write_text(f"from {root}.somewhere import Something\n")
    with pytest.raises(FailedError, match=rf" at .*\.py:\d+; {root} is now cookmas\.{root}$"):
        import_named("old_planner:Planner", "planner")


@pytest.mark.parametrize("root", sorted(FORMER_ROOTS))
def test_each_former_root_is_a_package(root: str) -> None:
    assert importlib.import_module(f"cookmas.{root}").__path__
