"""Pages and code are written in plain English: phrases that gave private English away stay out.

The generated pages are among them, so the help texts of all commands are checked too. In the code
the test reads docstrings, comments and texts of at least four words, such as errors.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.folders import CODE

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.rglob("*.md"), *DOCS.rglob("*.txt")])
TEST_NAMES = re.compile(r"\|[^|]*\|$", re.MULTILINE)
"""The last cell of a row of the guarantees, which has the names of tests."""

QUOTED = re.compile(r"^(?P<fence>`{3,}).*?^(?P=fence)$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
"""Parts of a page that are quoted: code."""

PHRASES = {
    " anew": "again",
    ". one that ": "repeat the noun",
    "as it stands": "unchanged",
    "as many as": "name the number",
    "as they stand": "unchanged",
    "at the least": "the least, a lower bound",
    "by nothing but": "only",
    "for want of": "without",
    "go on with": "continue",
    "goes on with": "continues",
    "going on with": "continuing",
    "gone on with": "continued",
    "in the midst": "during, while",
    "in the words of": "name the speaker",
    "is had by": "has",
    "lead nowhere": "find nothing",
    "likewise": "also, in the same way",
    "no good": "invalid",
    "of ours": "in the repository",
    "one's own": "your, user-supplied",
    "otherwise than": "unlike, with changes",
    "scribble": "change",
    "so many ": "name the number",
    "somebody": "name the person, the process or the role",
    "that are no ": "other than, invalid",
    "that is no ": "another, invalid",
    "that which": "name the thing",
    "what became of": "the result of",
    "what becomes of": "the result of",
    "what came of": "the result of",
    "what comes of": "the result of",
    "what is to come": "future events",
    "where there is none": "if there is none",
    "who plans": "the planner, the orchestrator",
    "who takes part": "the participants",
    "whoever": "name the person, the process or the role",
}
"""Each phrase, and what to write instead."""


def _found(text: str) -> list[str]:
    plain = " ".join(text.casefold().split())
    return [f"{phrase!r}: {better}" for phrase, better in PHRASES.items() if phrase in plain]


def _letters(text: str) -> str:
    """Return the letters of a text or a module, without what stands between parts of a text."""
    joined = re.sub(r"\\\w|\b[rbf]{1,2}(?=[\"'])", "", text.casefold())
    return re.sub(r"[^a-z]", "", joined)


_PHRASE = re.compile("|".join(map(_letters, PHRASES)))


def _found_in_code(source: str) -> Iterator[tuple[int, str]]:
    """Yield the phrases of a module's prose, each with its line; few modules have the letters."""
    if _PHRASE.search(_letters(source)):
        for line, text in _prose(source):
            yield from ((line, each) for each in _found(text))


def _prose(source: str) -> Iterator[tuple[int, str]]:
    """Yield the docstrings, comments and longer texts of a module, each with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(text)) if len(text.split()) >= 4:
                yield node.lineno, text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_written_in_plain_english(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.name == "guarantees.md":
        text = TEST_NAMES.sub("|", text)
    assert _found(QUOTED.sub("", text)) == []


@pytest.mark.parametrize("package", [*CODE, "benchmarks", "docs"])
def test_the_code_of_a_package_is_written_in_plain_english(package: str) -> None:
    found = [
        f"{file.relative_to(ROOT)}:{line}: {each}"
        for file in sorted((ROOT / package).rglob("*.py"))
        for line, each in _found_in_code(file.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_a_phrase_is_found_across_lines() -> None:
    assert _found("It is Gone\non with.") == ["'gone on with': continued"]


def test_the_prose_of_code_is_read() -> None:
    source = (
        'def f():\n    """Go on."""\n    # A comment.\n    raise E(f"{f} is one of four words")\n'
    )
    assert [text.strip() for _, text in _prose(source)] == ["is one of four words", "# A comment."]


def test_a_phrase_is_found_in_code_however_its_text_is_written() -> None:
    written = (
        "# It is gone on with.",
        """a = "It has gone on"  # a comment
b = ("It has gone "
     f"on "
     f"with it, {a}")""",
        '"""It has gone\n\n   on\n with it."""',
        r"""a = "It has\ngone\non\nwith it" """,
    )
    for source in written:
        assert [*_found_in_code(source)] == [
            (line, each) for line, text in _prose(source) for each in _found(text)
        ]
        assert [*_found_in_code(source)], source
