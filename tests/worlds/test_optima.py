"""Each world has one function that says what its optimum is."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import cookmas.worlds

WORLDS = Path(cookmas.worlds.__file__).parent


def test_one_function_of_a_world_makes_its_optimum_and_has_the_same_name_in_all() -> None:
    named, making = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for file in sorted(WORLDS.rglob("*.py")):
        world = file.relative_to(WORLDS).parts[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
                if any(isinstance(call, ast.Name) and call.id == "Optimum" for call in calls):
                    making[world].append(node.name)
                if node.name == "find_optimum":
                    named[world].append(ast.unparse(node.returns) if node.returns else "")
    assert making == {world: ["find_optimum"] for world in making}
    assert named == {world: ["Optimum | None"] for world in making}
    assert len(making) > 5
