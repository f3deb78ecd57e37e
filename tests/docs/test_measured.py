"""A measured table of the docs comes with the command that makes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_MARKED = re.compile(r"<!-- (?P<mark>[^>]+) -->\n.*?\n<!-- end of (?P=mark) -->", re.DOTALL)
_COMMAND = re.compile(r"python\s+-m\s+(?P<module>benchmarks(?:\.\w+)+)")
WRITTEN = sorted(page for page in (DOCS / "reference").glob("*-results.md"))
"""Pages of results."""


def modules_before(text: str, at: int) -> list[str]:
    return [found["module"] for found in _COMMAND.finditer(text, 0, at)]


def source_of(module: str) -> str:
    path = ROOT.joinpath(*module.split("."))
    file = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__main__.py"
    return file.read_text(encoding="utf-8")


def marked() -> Iterator[tuple[Path, str]]:
    for page in sorted(DOCS.rglob("*.md")):
        for found in _MARKED.finditer(page.read_text(encoding="utf-8")):
            if "\n|---" in found[0]:
                yield page, found["mark"]


@pytest.mark.parametrize(
    ("page", "mark"), list(marked()), ids=lambda each: str(each).removeprefix(str(DOCS))
)
def test_a_table_between_marks_stands_behind_the_command_that_fills_it(
    page: Path, mark: str
) -> None:
    text = page.read_text(encoding="utf-8")
    modules = modules_before(text, text.index(f"<!-- {mark} -->"))
    assert modules, f"{page.name}: say which command makes the table {mark!r}"
    makes = [
        module
        for module in modules
        if re.search(r"fill\(|print\(HEAD|write_text\(|table\(", source_of(module))
    ]
    assert makes, (page.name, mark, modules)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.stem)
def test_a_page_of_results_names_its_command_before_its_first_table(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    modules = modules_before(text, text.index("\n|"))
    assert any(page.name in source_of(module) for module in modules), (page.name, modules)
