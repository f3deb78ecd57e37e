"""The page for people who write recipes: each text in its tables is read as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from cookmas.kitchen.layout import ASSEMBLE, STANDARD_WORK
from cookmas.solving.restaurant.reading import read_note, read_recipe
from tests.solving.restaurant.reading.menu_reading import LARDER, MENU

PAGE = Path(__file__).parents[4] / "docs/how-to/write-a-recipe.md"


def rows(head: str) -> list[tuple[str, list[str]]]:
    """The rows of the tables whose first column has this heading: a text, and what it is."""
    title, found = "", list[tuple[str, list[str]]]()
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line[:1] == "|" else [""]
        if title == head and len(cells) == 2 and "---" not in cells[0]:
            found.append((cells[0], [each.strip() for each in cells[1].split(";") if each.strip()]))
        title = (title or cells[0]) if line[:1] == "|" else ""
    return found


@pytest.mark.parametrize(("text", "components"), rows("text"))
def test_the_house_english_is_read_for_certain(text: str, components: list[str]) -> None:
    reading = read_recipe(text, LARDER)
    assert [str(component) for component in reading.components] == components
    assert reading.doubts == ()


@pytest.mark.parametrize(("note", "wishes"), rows("note"))
def test_a_guests_words_are_understood_for_certain(note: str, wishes: list[str]) -> None:
    dish = read_recipe(MENU.recipe_file("Steak Frites").read_text(), LARDER).components
    found, doubts = read_note(note, dish, LARDER)
    assert [str(wish) for wish in found] == wishes
    assert doubts == ()


def test_the_page_has_its_tables() -> None:
    assert len(rows("text")) == 27
    assert len(rows("note")) == 7


@pytest.mark.parametrize("process", sorted(set(STANDARD_WORK) - {ASSEMBLE}))
def test_work_without_minutes_takes_the_standard_that_rules_and_prompts_tell(process: str) -> None:
    *_, last = read_recipe(f"{process.title()} the flour and the mint.", LARDER).components
    assert str(last.steps[0]) == f"{process} {STANDARD_WORK[process]}"
    assert f"{process} {STANDARD_WORK[process]}" in PAGE.read_text(encoding="utf-8")
