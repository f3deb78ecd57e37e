"""The pages are written in plain English: phrases that gave private English away stay out.

The generated pages are among them, so the help texts of all commands are checked too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.rglob("*.md"), *DOCS.rglob("*.py"), *DOCS.rglob("*.txt")])
TEST_NAMES = re.compile(r"\|[^|]*\|$", re.MULTILINE)
"""The last cell of a row of the guarantees, which has the names of tests."""

PHRASES = {
    "gone on with": "continued",
    "one's own": "your, user-supplied",
    "whoever": "name the person, the process or the role",
    "that is no ": "another, invalid",
    "as many as": "name the number",
    "in the midst": "during, while",
    "no good": "invalid",
    "of ours": "in the repository",
    "otherwise than": "unlike, with changes",
    "for want of": "without",
    "what is to come": "future events",
    "what becomes of": "the result of",
    "what became of": "the result of",
    "what comes of": "the result of",
    "somebody else's": "name the owner",
}
"""Each phrase, and what to write instead."""


def _found(text: str) -> list[str]:
    plain = " ".join(text.casefold().split())
    return [f"{phrase!r}: {better}" for phrase, better in PHRASES.items() if phrase in plain]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_written_in_plain_english(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.name == "guarantees.md":
        text = TEST_NAMES.sub("|", text)
    assert _found(text) == []


def test_a_phrase_is_found_across_lines() -> None:
    assert _found("It is Gone\non with.") == ["'gone on with': continued"]
