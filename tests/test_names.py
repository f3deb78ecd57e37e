"""A thing has one name: the glossary's word and no synonym, and no class in two files."""

from __future__ import annotations

import ast
import functools
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.docs.test_glossary import ENTRIES
from tests.folders import CODE

ROOT = Path(__file__).parents[1]

SYNONYMS = [
    (synonym.replace(" ", "_"), word, folder)
    for word, meaning, module in ENTRIES
    for synonym in re.findall(r"\((?:in \w+: )?([a-z -]+)\)$", meaning)
    for folder in [ROOT / module if (ROOT / module).is_dir() else (ROOT / module).parent]
]
"""The other names in brackets of the glossary, each with the word and the folder it lives in."""

CLASSES = {
    "DispatchingPlanner": "two worlds share the dispatching rules, each with a planner of its own",
    "OptimalPlanner": "rooms have optimal play, the restaurant asks the solver",
    "EmbeddedPlanner": "each world has its own planner that needs no model",
    "Happened": "each kitchen on a grid has its own timesteps",
    "RandomPlanner": "CuisineWorld draws as its authors do",
    "Scene": "each kitchen on a grid has its own scene",
    "ScenarioFile": "each world has its own content of a scenario's file",
}
"""Public class names that stand in several files, with the reason."""


class Names(NamedTuple):
    """The names of a module, its classes, functions and fields, and those of public classes."""

    all: frozenset[str]
    public_classes: frozenset[str]


@functools.cache
def _names(module: Path) -> Names:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    names = {module.stem}
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                names.add(name)
            case ast.AsyncFunctionDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    return Names(frozenset(names), frozenset(x for x in classes if not x.startswith("_")))


def _modules(folder: Path) -> Iterator[tuple[str, Names]]:
    for path in sorted(folder.rglob("*.py")):
        yield str(path.relative_to(ROOT)), _names(path)


def _has(name: str, synonym: str) -> bool:
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return re.search(rf"(?:^|_){synonym}s?(?:_|$)", plain) is not None


@pytest.mark.parametrize(("synonym", "word", "folder"), SYNONYMS)
def test_a_thing_is_named_as_in_the_glossary(synonym: str, word: str, folder: Path) -> None:
    named = [
        f"{path}: {name}"
        for path, names in _modules(folder)
        for name in names.all
        if _has(name, synonym)
    ]
    assert named == [], f"the glossary's word is {word}"


@pytest.mark.parametrize(
    ("name", "found"),
    [("HintToken", True), ("_read_hints", True), ("hinterland", False), ("Hint", True)],
)
def test_a_synonym_is_found_in_a_name(name: str, found: bool) -> None:
    assert _has(name, "hint") is found


def test_the_glossary_names_synonyms() -> None:
    assert {"hint", "time_pressure", "hash_chain"} <= {synonym for synonym, _, _ in SYNONYMS}


def test_a_public_class_name_stands_in_one_file() -> None:
    files: dict[str, set[str]] = defaultdict(set)
    for folder in (*CODE, "benchmarks", "docs"):
        for path, names in _modules(ROOT / folder):
            for name in names.public_classes:
                files[name].add(path)
    several = {name: sorted(paths) for name, paths in files.items() if len(paths) > 1}
    assert several.keys() == CLASSES.keys(), f"rename the less public one: {several}"
