"""Each public field of a public record is described at the field.

The generated references take the meanings of fields from there. The rules of the kitchen, the
reading and the scheduling of the restaurant are internal and exempt.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "evals",
    "orchestrator",
    "scenarios",
    "workers",
    *(
        path.parent.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "cookmas").glob("*/__init__.py"))
        if not path.parent.is_symlink() and path.parent.name != "worlds"
    ),
    "cookmas/worlds/restaurant/evaluators",
)
FILES = (
    ROOT / "kitchen/events.py",
    ROOT / "cookmas/worlds/restaurant/scheduling/decode.py",
    *(ROOT / "cookmas").glob("*.py"),
    *(ROOT / "cookmas/worlds").glob("*.py"),
)


RECORDS = {"BaseModel", "FileModel", "NamedTuple", "Options", "StoreModel", "TypedDict", "_Model"}
"""Bases of records; a class that derives from a public record in `DERIVED` is a record too."""

DERIVED = {"Opened", "RunRequest"}

EXEMPT = {
    "EpisodeFields": "`Episode` describes its fields under the same names",
    "PlayOptions": "`RunRequest` describes its options under the same names",
}


def undescribed(tree: ast.Module) -> Iterator[str]:
    """Yield the fields without a description, as `Class.field`."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef) and _is_record(owner):
            for field, after in zip_longest(owner.body, owner.body[1:]):
                if isinstance(field, ast.AnnAssign) and not _is_described(field, after):
                    yield f"{owner.name}.{ast.unparse(field.target)}"


def _is_record(owner: ast.ClassDef) -> bool:
    if owner.name[0] == "_" or owner.name in EXEMPT:
        return False
    bases = {ast.unparse(base).partition("[")[0] for base in owner.bases}
    decorators = " ".join(map(ast.unparse, owner.decorator_list))
    return "dataclass" in decorators or bool(bases & (RECORDS | DERIVED))


def _is_described(field: ast.AnnAssign, after: ast.stmt | None) -> bool:
    name, kind = ast.unparse(field.target), ast.unparse(field.annotation)
    tag = name == "kind" and kind.startswith("Literal")
    docstring = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    described = field.value is not None and "description=" in ast.unparse(field.value)
    described |= isinstance(field.value, ast.Call) and ast.unparse(field.value.func).endswith(
        "option"
    )
    return name[0] == "_" or tag or kind.startswith("ClassVar") or docstring or described


@pytest.mark.parametrize("package", PACKAGES)
def test_each_field_of_a_package_is_described(package: str) -> None:
    assert _undescribed_in(sorted((ROOT / package).rglob("*.py"))) == []


def test_each_field_of_a_public_module_is_described() -> None:
    assert _undescribed_in(FILES) == []


def _undescribed_in(files: Iterable[Path]) -> list[str]:
    return [
        f"{file.relative_to(ROOT)}: {field}"
        for file in files
        for field in undescribed(ast.parse(file.read_text(encoding="utf-8")))
    ]


def test_a_field_without_a_description_is_found() -> None:
    tree = ast.parse('class Row(NamedTuple):\n    name: str\n    """Its name."""\n    size: int\n')
    assert list(undescribed(tree)) == ["Row.size"]
