"""Find the branches of the reader (`cookmas/worlds/restaurant/reading`) that no text depends on.

    python -m benchmarks.branches [MODULE...]

The texts are the recipes of the menu, their rewrites, the corpus with its notes, and the sentences
and notes of the tests. A branch is an `if` in a function of `cookmas/worlds/restaurant/reading`.
For each branch the command replaces the condition by False and reads all texts again. The branch is
pinned if any reading changes or fails. The command prints the branches that are not pinned, and
their share.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import unwrap
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import yaml

from cookmas.kitchen.components import Component, parse_component
from cookmas.scenarios.menu import load_menu
from cookmas.worlds.restaurant.reading import Larder, read_note, read_recipe

ROOT = Path(__file__).parent.parent
READING = ROOT / "cookmas/worlds/restaurant/reading"
TESTS = ROOT / "tests/worlds/restaurant/reading"
Probe = Callable[[], str]


def probes() -> list[Probe]:
    """Return a function for each text; the function returns the reading of the text."""
    menu = load_menu()
    larder = Larder(ingredients=frozenset(menu.larder), doneness=menu.doneness)
    found: list[Probe] = []
    recipes = [*menu.folder.glob("recipes/*.txt"), *TESTS.rglob("*.txt")]
    for path in sorted(recipes):
        found.append(partial(_recipe, path.read_text(), larder))
    for path in sorted(TESTS.rglob("wishes.yaml")):
        truth = yaml.safe_load((path.parent / "truth.yaml").read_text())
        for entry in yaml.safe_load(path.read_text()):
            dish = [parse_component(text, menu.doneness) for text in truth[entry["item"]]]
            found.append(partial(_note, entry["note"], dish, larder))
    for text, *_ in literals(TESTS / "test_recipe.py"):
        found.append(partial(_recipe, text, larder))
    for item, note, *_ in literals(TESTS / "test_notes.py"):
        if item in menu.items:
            components = read_recipe(menu.recipe_file(item).read_text(), larder).components
            found.append(partial(_note, note, components, larder))
    return found


def _recipe(text: str, larder: Larder) -> str:
    return str(read_recipe(text, larder))


def _note(note: str, dish: Sequence[Component], larder: Larder) -> str:
    return str(read_note(note, dish, larder))


def literals(path: Path) -> Iterator[list[str]]:
    """Yield the strings of each tuple in the test file `path` that has only strings as literals.

    These strings are the text of a recipe, or a menu item and a note on it. An empty string is
    added at the end.
    """
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Tuple):
            values = [each.value for each in node.elts if isinstance(each, ast.Constant)]
            if values and all(isinstance(value, str) for value in values):
                yield [str(value) for value in values] + [""]


def functions(module: ModuleType) -> dict[str, FunctionType]:
    """Return the functions and methods of a module, by their qualified names."""
    found: dict[str, FunctionType] = {}
    for value in vars(module).values():
        inner: Sequence[Any] = list(vars(value).values()) if isinstance(value, type) else [value]
        for each in inner:
            called: Any = each.fget if isinstance(each, property) else each
            function = unwrap(called)
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                found[function.__qualname__] = function
    return found


def codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    """Yield the qualified name and the code of all functions in a code object, at any depth."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant.co_qualname, constant
            yield from codes(constant)


def find_unpinned(
    module: ModuleType, texts: Sequence[Probe], expected: Sequence[str]
) -> tuple[int, list[int]]:
    """Return the number of branches in a module, and the lines of the branches that no text pins.

    `expected` are the readings of the texts by the unchanged reader.
    """
    assert module.__file__ is not None
    source = Path(module.__file__).read_text()
    known = functions(module)
    caches = [value for value in vars(module).values() if hasattr(value, "cache_clear")]
    count = sum(isinstance(node, ast.If) for node in ast.walk(ast.parse(source)))
    loose: list[int] = []
    for index in range(count):
        tree = ast.parse(source)
        branch = [node for node in ast.walk(tree) if isinstance(node, ast.If)][index]
        branch.test = ast.copy_location(ast.Constant(value=False), branch.test)
        before = {name: function.__code__ for name, function in known.items()}
        for name, code in codes(compile(tree, module.__file__, "exec")):
            if name in known and not code.co_freevars:
                known[name].__code__ = code
        for cache in caches:
            cache.cache_clear()
        if not any(differs(text, wanted) for text, wanted in zip(texts, expected, strict=True)):
            loose.append(branch.lineno)
        for name, function in known.items():
            function.__code__ = before[name]
        for cache in caches:
            cache.cache_clear()
    return count, loose


def differs(text: Probe, wanted: str) -> bool:
    """Return whether the reading of a text differs from `wanted` or fails."""
    try:
        return text() != wanted
    except Exception:
        return True


def main(names: Sequence[str]) -> None:
    """Print the branches that no text pins, for the named modules or for all."""
    texts = probes()
    expected = [text() for text in texts]
    total = loose = 0
    for path in sorted(READING.glob("*.py")):
        if (names and path.stem not in names) or path.stem in ("__init__", "words", "showing"):
            continue
        module = importlib.import_module(f"cookmas.worlds.restaurant.reading.{path.stem}")
        count, lines = find_unpinned(module, texts, expected)
        total, loose = total + count, loose + len(lines)
        print(f"{path.stem}: {len(lines)} of {count} pinned by no text: {lines}", flush=True)
    print(f"all: {loose} of {total}, {loose / max(total, 1):.0%}")


if __name__ == "__main__":
    main(sys.argv[1:])
