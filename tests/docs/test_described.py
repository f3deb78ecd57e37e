"""Docstrings stand where pages print them and at protocols; other methods need none.

The generated pages take the meanings of fields and members from the code, and refuse one without.
A public method needs a docstring of its own if no protocol and no base class describes it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Literal

import pytest

from docs.pages import field_docs
from tests.folders import CODE

ROOT = Path(__file__).parents[2]

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_VALUES = {"property", "cached_property", "setter", "overload"}


def _classes(trees: Iterable[ast.Module]) -> Mapping[str, list[ast.ClassDef]]:
    """Return the classes by name; of each method the docstring alone is kept."""
    classes: dict[str, list[ast.ClassDef]] = {}
    for tree in trees:
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)
                for each in node.body:
                    if isinstance(each, _Function):
                        del each.body[1:]
    return classes


@cache
def _bases(owner: ast.ClassDef) -> set[str]:
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in owner.bases}


@cache
def _methods(owner: ast.ClassDef) -> Sequence[_Function]:
    """Return the public methods; properties are values, which their names and types describe."""
    return [
        node
        for node in owner.body
        if isinstance(node, _Function)
        and not node.name.startswith("_")
        and not {ast.unparse(each).rpartition(".")[2] for each in node.decorator_list} & _VALUES
    ]


def _described(owners: Iterable[ast.ClassDef]) -> set[str]:
    return {each.name for owner in owners for each in _methods(owner) if ast.get_docstring(each)}


def undescribed(trees: Iterable[ast.Module]) -> list[str]:
    """Return the public methods that nothing describes, as `Class.method`."""
    classes = _classes(trees)
    protocols = [each for named in classes.values() for each in named if "Protocol" in _bases(each)]
    of_protocols = _described(protocols)

    @cache
    def inherited(owner: ast.ClassDef) -> set[str]:
        above = [base for name in _bases(owner) for base in classes.get(name, []) if base != owner]
        return _described(above).union(*map(inherited, above))

    return [
        f"{owner.name}.{method.name}"
        for named in classes.values()
        for owner in named
        for method in _methods(owner)
        if not ast.get_docstring(method)
        and not owner.name.startswith("_")
        and (owner in protocols or method.name not in of_protocols | inherited(owner))
    ]


def test_each_method_is_described_at_its_class_or_above_it() -> None:
    files = [file for folder in CODE for file in sorted((ROOT / folder).rglob("*.py"))]
    assert undescribed(ast.parse(file.read_text(encoding="utf-8")) for file in files) == []


SOURCE = '''
class Bell(Protocol):
    def ring(self) -> None:
        """Ring."""
    def rest(self) -> None: ...

class Above:
    def load(self) -> None:
        """Load."""

class Below(Above):
    def load(self) -> None: ...
    def ring(self) -> None: ...
    def swing(self) -> None: ...
    @property
    def weight(self) -> int: ...

class _Hidden:
    def swing(self) -> None: ...
'''


def test_an_undescribed_method_is_found() -> None:
    assert undescribed([ast.parse(SOURCE)]) == ["Bell.rest", "Below.swing"]


@dataclass
class _Row:
    kind: Literal["row"] = "row"
    most: ClassVar[int] = 3
    name: str = ""
    """Its name."""


@dataclass
class _Undescribed(_Row):
    size: int = 0


def test_a_field_that_a_page_prints_is_described() -> None:
    assert field_docs(_Row) == {"name": "Its name."}
    with pytest.raises(ValueError, match=r"_Undescribed\.size"):
        field_docs(_Undescribed)
