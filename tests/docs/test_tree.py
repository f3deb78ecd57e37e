"""The tree of a world on the page is that of the shipped worlds: they have no other parts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cookmas.world_names import WORLDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/explanation/worlds.md").read_text()
TREE = re.search(r"```text\n(cookmas/worlds/<world>/.*?)```", PAGE, re.DOTALL)


def told(folder: str) -> set[str]:
    """Return the parts that the tree shows in a folder, without their endings."""
    assert TREE
    shown = TREE[1].partition(f"{folder}/<world>/")[2]
    parts = re.match(r".*\n((?:  .+\n)*)", shown)
    assert parts
    return {line.split()[0].removesuffix("/").removesuffix(".py") for line in parts[1].splitlines()}


def there(folder: str, world: str) -> set[str]:
    """Return the parts of a world in a folder, without their endings."""
    parts = (ROOT / folder / world.replace("-", "_")).iterdir()
    return {path.stem for path in parts if not path.name.startswith("__")}


@pytest.mark.parametrize("world", WORLDS)
def test_a_world_has_no_other_parts(world: str) -> None:
    others = there("cookmas/worlds", world) - told("cookmas/worlds")
    named = {name for name in others if f"`{name}.py`" in PAGE or f"`{name}/`" in PAGE}
    assert others - (named if world == "restaurant" else set()) == set()


@pytest.mark.parametrize("folder", ["cookmas/worlds", "cookmas/solving"])
def test_a_part_that_the_tree_shows_is_there(folder: str) -> None:
    every = {part for world in WORLDS for part in there(folder, world)}
    assert told(folder)
    assert told(folder) <= every


@pytest.mark.parametrize("world", WORLDS)
def test_tests_of_a_world_are_where_its_name_is(world: str) -> None:
    assert [*(ROOT / "tests/worlds" / world.replace("-", "_")).rglob("test_*.py")]
