"""Every figure that is shown is declared, and a test guards it: docs/reference/figures.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from docs.figures import ROOT, list_figures, list_statistics, list_status, read_tests

FIGURES = {*list_figures(), *list_statistics(), *(f"status.{name}" for name in list_status())}
OVER_ALL = ("WORLDS", "SCENARIOS", "FIGURES")
"""What a test goes over that guards the figures of all worlds without their names."""


def test_every_figure_has_one_test_and_no_test_is_of_a_figure_that_is_none() -> None:
    guarded = [name for names in read_tests().guards.values() for name in names]
    assert sorted(guarded) == sorted(FIGURES)
    assert {name for names in read_tests().again.values() for name in names} <= FIGURES


@pytest.mark.parametrize("test", sorted({*read_tests().guards, *read_tests().again}))
def test_a_test_that_is_named_is_there_and_names_its_figures(test: str) -> None:
    path, _, function = test.partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    tests = {node.name: node for node in ast.parse(text).body if hasattr(node, "name")}
    assert function in tests
    source = ast.unparse(tests[function])
    known = read_tests()
    if path != "tests/evals/test_columns.py":
        for name in (*known.guards.get(test, ()), *known.again.get(test, ())):
            found = re.search(rf"\b{name.rpartition('.')[2]}\b", text)
            assert found or any(word in source for word in OVER_ALL), name


def test_every_check_that_an_evaluator_names_is_declared() -> None:
    """Also those that no episode of a test reaches."""
    worlds = ROOT / "cookmas" / "worlds"
    paths: list[Path] = [*(ROOT / "evals").glob("*.py"), *worlds.glob("*/evaluators/*.py")]
    paths += [worlds / "rooms" / "regret.py", worlds / "questions" / "judging.py"]
    names = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Check"), keywords=keywords):
                    given = [each.value for each in keywords if each.arg == "name"]
                case ast.Call(func=ast.Name(id="make_check" | "make_unscored"), args=args):
                    given = args[:1]
                case _:
                    continue
            names |= {n.value for n in given if isinstance(n, ast.Constant)}
    assert len(names) > 50
    assert names <= set(list_figures())
