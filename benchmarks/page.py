"""Writing measured tables into pages of the docs, between two marks."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def fill(page: Path, mark: str, text: str) -> None:
    """Replace the text between `<!-- mark -->` and `<!-- end of mark -->` in a page."""
    whole = page.read_text(encoding="utf-8")
    begin, end = f"<!-- {mark} -->\n", f"\n<!-- end of {mark} -->"
    before, found, rest = whole.partition(begin)
    assert found
    assert end in rest, f"{page}: expected something between the marks of {mark}"
    page.write_text(f"{before}{begin}{text}{end}{rest.partition(end)[2]}", encoding="utf-8")


def by_class(columns: str, rows: Mapping[str, Sequence[str]]) -> str:
    """Return a Markdown table for each class of planners; `rows` has the rows of each class."""
    return "\n\n".join(f"Class *{kind}*:\n\n{table(columns, made)}" for kind, made in rows.items())


def table(columns: str, rows: Sequence[str]) -> str:
    """Return a Markdown table; the first column is text, the others are numbers."""
    ruler = "|---|" + "---:|" * (columns.count("|") - 2)
    return "\n".join([columns, ruler, *rows])


def write_details(page: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write the details of a page of results into a CSV file beside it."""
    with page.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
