"""The published numbers, and the page that has them."""

from __future__ import annotations

from benchmarks.collab_overcooked.published import load_published
from benchmarks.collab_overcooked.tables import page
from benchmarks.page import DOCS


def test_there_are_thirteen_models_and_three_time_limits_of_people() -> None:
    rows = load_published()
    assert len([row for row in rows if row.kind != "people"]) == 13
    people = [row for row in rows if row.kind == "people"]
    assert len(people) == 3
    assert all(row.ic and row.rc for row in people)


def test_the_page_of_the_docs_has_commands_and_published_numbers_as_the_command_writes_them() -> (
    None
):
    made = page({}).partition("## The commands")[2]
    shown = (DOCS / "reference" / "collab-overcooked-results.md").read_text(encoding="utf-8")
    assert shown.partition("## The commands")[2] == made
    assert "there the SR of Llama-3.1-70B-Instruct on level 4 is 6.18." in made
    assert "| people with 10 s | 100 | 96.8 | 87.1 | 90 |" in made
