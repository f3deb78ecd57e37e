"""The front door: the README is short and true, and the index lists every page once."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MOST_LINES = 90


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_the_index_lists_every_page_once_with_a_line_about_it() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- \[[^\]]+\]\(([^)]+\.md)\): .+\.$", index, re.MULTILINE)
    folders = {DOCS / "experiments", DOCS / "decisions"}
    pages = {
        str(page.relative_to(DOCS))
        for page in DOCS.rglob("*.md")
        if page.parent not in folders and page != DOCS / "README.md"
    }
    pages |= {f"{folder.name}/README.md" for folder in folders}
    assert len(listed) == len(set(listed))
    assert set(listed) == pages


def test_the_results_of_the_readme_are_those_of_the_experiment() -> None:
    played = (DOCS / "experiments" / "restaurant.md").read_text(encoding="utf-8")
    shown = _rows((ROOT / "README.md").read_text(encoding="utf-8"))
    for planner in ("embedded", "naive", "random"):
        row = next(row for row in _rows(played) if row[0] == planner)
        _, _, _, success, _, gap, progress = row
        gap = gap.removesuffix(" (1 unscored)")
        [found] = [row for row in shown if row[0].startswith(f"{planner}:")]
        assert found[1:] == [success, gap, progress]


def _rows(page: str) -> list[list[str]]:
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
