"""Mutants of a tiny product: what kills them, what survives, what loops, what nobody executes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from tests.folders import CODE
from tests.mutants.changes import Mutant, mutants_of
from tests.mutants.drawing import Finder, draw, find_beside, find_rooms, folder_beside, is_beside
from tests.mutants.session import EQUIVALENTS, Session, is_equivalent
from tests.mutants.trying import Tried
from tests.warm import ROOT

COUNTING = '''"""Count, at most to 9."""
from functools import cache

LIMIT = 3

def clamp(number):
    """Return at most 3."""
    return min(number, LIMIT) if number > 1 else number

def count_down(number):
    while number:
        number -= 1
    return number

@cache
def is_small(number):
    return number < 2

def unused(number=5):
    return number
'''

TESTS = """
import subprocess
import sys
from cookmas.tiny.counting import clamp, count_down, is_small

def test_clamp():
    assert clamp(4) == 3
    assert clamp(0) == 0

def test_count_down():
    assert count_down(2) == 0
"""

OTHERS = """
import subprocess
import sys

def test_in_a_process():
    script = "from cookmas.tiny.counting import is_small; assert is_small(1) and not is_small(2)"
    subprocess.run([sys.executable, "-c", script], check=True)

def test_that_fails_anyway():
    assert False
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for file, text in {
        "cookmas/__init__.py": "",
        "cookmas/tiny/__init__.py": "",
        "cookmas/tiny/counting.py": COUNTING,
        "tests/tiny/test_counting.py": TESTS,
        "tests/test_others.py": OTHERS,
        "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--import-mode=importlib'\n",
    }.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")
    return root


def session(tree: Path, killers: Mapping[Mutant, str]) -> Session:
    return Session(
        root=tree,
        limit=60,
        processes=1,
        results=tree.parent / f"results-{len(killers)}.jsonl",
        killers=killers,
        tell=lambda *_: None,
    )


def changes(tree: Path) -> Mapping[tuple[str, str], Mutant]:
    found = mutants_of(tree, "cookmas/tiny/counting.py")
    return {(each.old, each.new): each for each in found}


def test_each_mutant_is_killed_or_named(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setattr("tests.mutants.trying.PATIENCE", 1)
    beside = "tests/tiny/test_counting.py"
    expected = {
        ("3", "4"): Tried(outcome="killed", by=f"{beside}::test_clamp", beside=True, tests=1),
        ("number > 1", "(number >= 1)"): Tried(outcome="survived", tests=1, asked_all=True),
        ("number -= 1", "pass"): Tried(
            outcome="killed", by=f"{beside}::test_count_down", beside=True, tests=1
        ),
        ("number < 2", "(number <= 2)"): Tried(
            outcome="killed", by="tests/test_others.py::test_in_a_process", tests=1, asked_all=True
        ),
        ("5", "6"): Tried(outcome="unreached", asked_all=True),
    }
    before = (tree / "cookmas/tiny/counting.py").read_bytes()
    tried = {changes(tree)[each]: outcome for each, outcome in expected.items()}
    assert session(tree, {}).try_all([*tried], suite=True) == tried
    assert (tree / "cookmas/tiny/counting.py").read_bytes() == before
    # What the results know is not tried again, and what has killed before is played alone.
    monkeypatch.setattr("tests.mutants.session.measure", None)
    assert session(tree, {}).try_all([*tried], suite=True) == tried
    first = next(iter(tried))
    again = session(tree, {first: tried[first].by})
    assert again.try_all([first], suite=False) == {first: tried[first]}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(a):\n    return a < 1", {"(a <= 1)", "2", "0"}),
        ("def f(a):\n    return not a", {"(a)"}),
        ("def f(a, b):\n    return a and b", {"(a or b)", "(a)", "(b)"}),
        ("def f(a):\n    g(a, b=a)", {"pass", "(g(a))"}),
        ("def f(a):\n    return max(a)", {"min"}),
        ("def f(a):\n    if a:\n        raise E", {"True", "False", "pass"}),
        ("def f(a, b=True):\n    return [x for x in a if x]", {"False", "True"}),
        ("def f(a, b):\n    return a if b else 0.5", {"(0.5 if b else a)", "1.0"}),
        ("def f(a):\n    a.b = 'x'", {"pass"}),
        ("def f(a):\n    a += 1", {"pass", "a -= 1", "2", "0"}),
        ("def f(a):\n    for b in a:\n        continue", {"break"}),
        # What no test can see.
        ("def f(a: Literal[1] = None) -> 'int | str':\n    'x < 1'", set()),
        ("def f(a):\n    assert a > 1", set()),
        ("def f(a):\n    logger.debug('a', a > 1)", set()),
        ("def f(a):\n    zip(a, strict=True)", {"pass"}),
        ("def f(a):\n    return a / 'x' + f'{a + 1}'", set()),
        ("A = B | C", set()),
        ("if TYPE_CHECKING:\n    A = 1", set()),
        ("class A:\n    def __repr__(self):\n        return self.a > 1", set()),
    ],
)
def test_changes(tmp_path: Path, source: str, expected: set[str]) -> None:
    (tmp_path / "it.py").write_text(f"from pathlib import Path\n{source}\n", encoding="utf-8")
    found = mutants_of(tmp_path, "it.py")
    assert {each.new for each in found} == expected
    for each in found:
        compile(each.apply((tmp_path / "it.py").read_bytes()), "it.py", "exec")


def test_rooms_are_drawn_in_turn_and_found_again(tree: Path) -> None:
    other = tree / "cookmas/loose.py"
    other.write_text("def f(a):\n    return a > 1 or a < -1\n", encoding="utf-8")
    rooms = find_rooms(tree, ["cookmas"])
    assert rooms == {
        "tests/cookmas": ["cookmas/__init__.py", "cookmas/loose.py"],
        "tests/tiny": ["cookmas/tiny/__init__.py", "cookmas/tiny/counting.py"],
    }
    drawn = draw(tree, rooms, 5, seed=3)
    assert drawn == draw(tree, rooms, 5, seed=3)
    assert {folder_beside(tree, each.file) for each in drawn[:2]} == {*rooms}
    assert len({(each.file, each.line) for each in drawn}) == 5
    moved = tree / "cookmas/tiny/moved.py"
    counting = tree / "cookmas/tiny/counting.py"
    moved.write_text("\n" + counting.read_text("utf-8"), encoding="utf-8")
    counting.unlink()
    other.unlink()
    finder = Finder(tree, find_rooms(tree, ["cookmas"]))
    for before in drawn:
        now = finder.find(before)
        if before.file == "cookmas/loose.py":
            assert now is None
        else:
            assert now == replace(
                before,
                file="cookmas/tiny/moved.py",
                line=before.line + 1,
                start=before.start + 1,
                end=before.end + 1,
                reads=before.reads + 1 if isinstance(before.reads, int) else before.reads,
            )


def test_tests_are_beside_a_file_in_the_folder_of_its_room() -> None:
    assert folder_beside(ROOT, "kitchen/simulator.py") == "tests/kitchen"
    assert (
        folder_beside(ROOT, "cookmas/worlds/robotouille/rules/engine.py")
        == "tests/worlds/robotouille"
    )
    assert folder_beside(ROOT, "cookmas/commands/run.py") == "tests/cookmas/commands"
    assert folder_beside(ROOT, "cookmas/api.py") == "tests/cookmas"
    rooms = find_rooms(ROOT, CODE)
    beside = find_beside(ROOT, "tests/cookmas", rooms)
    assert is_beside("tests/cookmas/test_api.py::test", beside)
    assert not is_beside("tests/cookmas/commands/test_run.py::test", beside)
    assert not is_beside("tests/kitchen/test_rules.py::test", beside)
    beside = find_beside(ROOT, "tests/cookmas/people", rooms)
    assert is_beside("tests/cookmas/people/working/test_page.py::test", beside)
    beside = find_beside(ROOT, "tests/kitchen", rooms)
    assert is_beside("tests/kitchen/rules/test_rules.py::test", beside)


def test_every_declared_equivalent_is_a_mutant_of_the_tree() -> None:
    for each in yaml.safe_load(EQUIVALENTS.read_text("utf-8")):
        found = mutants_of(ROOT, each["file"])
        assert [mutant for mutant in found if is_equivalent(ROOT, mutant)], each
        assert each["why"]
