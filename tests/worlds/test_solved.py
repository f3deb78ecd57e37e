"""What the worlds ask of `cookmas.solving` by its name is there: no checker of types sees it."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from cookmas.files.errors import InputError
from cookmas.worlds.shipped import WORLDS, import_world

WORLDS_ROOM = Path(__file__).parents[2] / "cookmas" / "worlds"


def _asked() -> Iterator[tuple[str, str]]:
    """Yield the package of each question to solving, and what it asks for."""
    for domain in WORLDS.values():
        world = domain.split(".")[2]
        for path in sorted((WORLDS_ROOM / world).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("solved"):
                    name = node.args[-1]
                    if isinstance(name, ast.Constant) and isinstance(name.value, str):
                        yield f"cookmas.solving.{world}", name.value


def test_what_a_world_asks_of_its_solving_is_there() -> None:
    asked = sorted({*_asked()})
    assert len(asked) > 20
    missing = [
        f"{package}.{name}"
        for package, name in asked
        for module, _, member in [name.partition(":")]
        if not hasattr(importlib.import_module(f"{package}.{module}"), member)
    ]
    assert missing == []


def test_a_world_that_does_not_come_with_cookmas_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"^kitchens: expected a world: restaurant, "):
        import_world("kitchens")
