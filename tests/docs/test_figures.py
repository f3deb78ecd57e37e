"""Every figure that is shown is declared, and a test guards it: docs/reference/figures.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from cookmas.studies.report.rendering import CSV_COLUMNS
from cookmas.world_names import WORLDS, domain_of
from docs.figures import FUNCTIONS, ROOT, list_figures, list_statistics, list_status, read_figures

FIGURES = {*list_figures(), *list_statistics(), *(f"status.{name}" for name in list_status())}
WORDS = {
    *("arm", "at", "column", "example", "group", "kind", "of", "one", "other", "planner"),
    *("planner_class", "player", "world", " with "),
}
"""The headings of columns that have no numbers."""
OVER_ALL = ("WORLDS", "SCENARIOS", "FIGURES")
"""What a test goes over that guards the figures of all worlds without their names."""


def test_every_figure_has_one_test_and_no_test_is_of_a_figure_that_is_none() -> None:
    guarded = [name for names in read_figures().guards.values() for name in names]
    assert sorted(guarded) == sorted(FIGURES)
    assert {name for names in read_figures().again.values() for name in names} <= FIGURES


@pytest.mark.parametrize("test", sorted({*read_figures().guards, *read_figures().again}))
def test_a_test_that_is_named_is_there_and_names_its_figures(test: str) -> None:
    path, _, function = test.partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    tests = {node.name: node for node in ast.parse(text).body if hasattr(node, "name")}
    assert function in tests
    source = ast.unparse(tests[function])
    known = read_figures()
    if path != "tests/evals/test_columns.py":
        for name in (*known.guards.get(test, ()), *known.again.get(test, ())):
            names = [
                name.rpartition(".")[2],
                *(f.__name__ for n, f in FUNCTIONS.items() if n == name),
            ]
            found = any(re.search(rf"\b{re.escape(each)}\b", text) for each in names)
            assert found or any(word in source for word in OVER_ALL), name


def test_every_figure_has_a_unit_and_at_most_one_direction() -> None:
    known = read_figures()
    listed = [name for names in known.units.values() for name in names]
    assert sorted(listed) == sorted(FIGURES - {*list_figures()})
    for name, each in list_figures().items():
        assert each.units, name
        assert len(each.better) <= 1, name
    columns = [column for world in WORLDS for column in domain_of(world).judging.columns]
    assert all(list_figures()[column.name].better for column in columns if column.share)


def test_every_heading_of_a_report_is_of_a_figure_or_of_words() -> None:
    """Also those of tables that no report of a test has, and of the columns of CSV."""
    known = read_figures().headings
    assert {*known.values()} <= FIGURES
    found = {*CSV_COLUMNS}
    for path in (ROOT / "cookmas" / "studies" / "report").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Table"), keywords=keywords):
                    for each in (each.value for each in keywords if each.arg == "columns"):
                        found |= {*_list_texts(each)}
    assert found == {*known} | WORDS


def _list_texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts of headings; conditions between them are left out."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from (*_list_texts(body), *_list_texts(orelse))
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _list_texts(child)


def test_every_check_that_an_evaluator_names_is_declared() -> None:
    """Also those that no episode of a test reaches."""
    worlds = ROOT / "cookmas" / "worlds"
    paths = (*worlds.glob("*/judging.py"), *worlds.glob("*/judging/*.py"))
    paths += tuple((ROOT / "evals").glob("*.py"))
    names = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="Check"), keywords=keywords):
                    given = [each.value for each in keywords if each.arg == "name"]
                case ast.Call(func=ast.Name(id="make_check" | "make_unscored" | "row"), args=args):
                    given = args[:1]
                case _:
                    continue
            names |= {n.value for n in given if isinstance(n, ast.Constant)}
    assert len(names) > 50
    assert names <= set(list_figures())
