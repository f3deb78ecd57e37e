"""Each word of the glossary is there once, in order, and lives where the glossary says."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "glossary.md"
ENTRY = re.compile(r"^\| (?P<word>[^|]+) \| (?P<meaning>[^|]+) \| `(?P<module>[\w/.]+)` \|$", re.M)

VOCABULARY = """
    menu_item food component dish customization recipe order station appliance timestep action
    assignment schedule worker orchestrator planner trigger replan world scenario episode trace
    verdict suite seat policy turn draw score replay fork makespan tardiness idle_time recipe_step
"""
"""The words that the project is described with."""

ENTRIES = ENTRY.findall(PAGE.read_text(encoding="utf-8"))


def test_every_row_is_an_entry() -> None:
    rows = [row for row in PAGE.read_text("utf-8").splitlines() if row.startswith("| ")]
    assert len(rows) - 1 == len(ENTRIES)


def test_words_are_unique_and_sorted() -> None:
    words = [word.casefold() for word, _, _ in ENTRIES]
    assert words == sorted(set(words))


def test_the_modules_of_the_glossary_exist() -> None:
    assert [module for _, _, module in ENTRIES if not (ROOT / module).exists()] == []


def test_the_vocabulary_of_the_project_is_defined() -> None:
    words = {word.replace("_", " ") for word in VOCABULARY.split()}
    assert words <= {word for word, _, _ in ENTRIES}
