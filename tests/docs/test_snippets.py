"""What the documentation shows is run, and comes out as it says; every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.snippets import HOW_TOS, PAGES, Page, blocks, check, fits, name

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.parametrize("page", [each for each in PAGES if each not in HOW_TOS], ids=name)
def test_the_snippets_of_a_page_do_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(page, tmp_path, monkeypatch)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    dead = [link for link in _links(page) if not _leads_somewhere(page, link)]
    assert dead == []


def _links(page: Path) -> list[str]:
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.S | re.M)
    return [link for link in LINK.findall(prose) if "://" not in link]


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return False
    return not anchor or anchor in _anchors(target.read_text(encoding="utf-8"))


def _anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as they are made on the web."""
    headings = re.findall(r"^#+ (.+)$", text, flags=re.M)
    plain = [re.sub(r"[^\w\s-]", "", heading.casefold()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a ...\nd", "a b\nc\nd", True),
        ("a   b", "a b", True),
        ("a", "b", False),
        ("a", "a b", False),
    ],
)
def test_expected_output_is_compared(expected: str, printed: str, same: bool) -> None:
    assert fits(expected, printed) is same


@pytest.mark.parametrize(
    "page",
    [
        "```python\nprint(1)\n```\n\n```text output\n2\n```\n",
        "```console\n$ cookmas list level9\n```\n",
        "```console\n$ cookmas list level1\nnothing\n```\n",
        "```console\n$ cookmas list level1\n$ echo $?\n2\n```\n",
        "```python\nimport warnings\nwarnings.warn('mind')\n```\n",
    ],
)
def test_a_page_that_is_wrong_is_found_out(page: str) -> None:
    with pytest.raises((AssertionError, UserWarning)):
        Page("wrong").play(page)


def test_a_block_can_be_left_out() -> None:
    page = "<!-- not run: it takes a model -->\n```python\nraise SystemExit\n```\n"
    assert list(blocks(page)) == []
