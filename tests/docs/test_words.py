"""The pages are short: no more words in all than today, and a user's path that can be read."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from cookmas.commands.cli import app

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MOST = 90_700
MOST_ON_THE_PATH = 19_600
PAGE = DOCS / "what-you-can-leave-out.md"


def count_words(pages: Iterable[Path]) -> int:
    """Return how many words are on some pages; the lines of tables are none."""
    texts = (page.read_text(encoding="utf-8") for page in pages)
    return sum(len([word for word in text.split() if re.search(r"\w", word)]) for text in texts)


def test_the_pages_have_no_more_words() -> None:
    """Experiments are left out: each is a suite with its results."""
    pages = [page for page in DOCS.rglob("*.md") if "experiments" not in page.parts]
    assert count_words(pages) <= MOST, "say a thing once, where its reader looks, and link to it"


def test_the_path_of_a_user_is_short() -> None:
    path = [ROOT / "README.md", *DOCS.glob("tutorial/*.md"), *DOCS.glob("how-to/*.md")]
    assert count_words(path) <= MOST_ON_THE_PATH


def listed(heading: str) -> list[str]:
    """Return what stands in the first column of a table of the page about leaving out."""
    table = PAGE.read_text(encoding="utf-8").partition(f"| {heading} |")[2].partition("\n\n")[0]
    rows = table.splitlines()[2:]
    return sorted(name for row in rows for name in re.findall(r"`([\w-]+)`", row.split("|")[1]))


def test_the_page_about_leaving_out_has_each_command_extra_and_package_once() -> None:
    group: Any = typer.main.get_command(app)
    assert listed("command") == sorted(group.list_commands(None))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert listed("extra") == sorted({*project["optional-dependencies"]} - {"build", "dev"})
    packages = [path.parent.name for path in (ROOT / "cookmas").glob("*/__init__.py")]
    found = {*packages, "studies"}
    assert listed("package of `cookmas`") == sorted(found)
