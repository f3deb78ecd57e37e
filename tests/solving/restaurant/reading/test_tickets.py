"""Tickets as kitchens write them: read where one meaning is possible, doubted elsewhere."""

import pytest

from cookmas.solving.restaurant.reading import read_note, read_recipe
from tests.solving.restaurant.reading.menu_reading import LARDER, MENU

DISHES = {
    item: read_recipe(MENU.recipe(item), LARDER).components
    for item in ("Classic Burger", "Steak Frites", "Fish and Chips")
}


def read(item: str, note: str) -> tuple[list[str], list[str]]:
    """The wishes of a note, and its doubts."""
    wishes, doubts = read_note(note, DISHES[item], LARDER)
    return sorted(map(str, wishes)), [str(doubt) for doubt in doubts]


WITHOUT = [
    "no {}", "No {}!", "NO: {}", "w/o {}", "w/out {}", "86 {}", "86: {}", "0 {}", "zero {}",
    "sans {}", "- {}", "-{}", "🚫 {}", "{}: none", "{}: no", "{} - none", "{} no", "(no {})",
    "[no {}]", "skip: {}", "don't add {}", "everything but {}", "all except {}", "ALLERGY!! {}",
    "allergic: {}", "{} allergy",
]  # fmt: skip
EXTRA = [
    "extra {}", "EXTRA: {}", "+{}", "+ {}", "2x {}", "x2 {}", "{} x2", "{}: extra", "dbl {}",
    "add {}",
]  # fmt: skip


@pytest.mark.parametrize("food", ["onion", "ONION", "tomatoes"])
@pytest.mark.parametrize("form", WITHOUT)
def test_each_form_of_a_refusal(form: str, food: str) -> None:
    name = "tomato" if food == "tomatoes" else "onion"
    assert read("Classic Burger", form.format(food)) == ([f"without {name}"], [])


@pytest.mark.parametrize("food", ["lettuce", "tomatoes"])
@pytest.mark.parametrize("form", EXTRA)
def test_each_form_of_more(form: str, food: str) -> None:
    name = "tomato" if food == "tomatoes" else food
    assert read("Classic Burger", form.format(food)) == ([f"extra {name}"], [])


@pytest.mark.parametrize(
    ("item", "wishes", "note"),
    [
        ("Classic Burger", "without lettuce; without onion", "no onion/lettuce"),
        ("Classic Burger", "without lettuce; without onion", "neither onion nor lettuce"),
        ("Classic Burger", "without bun; without tomato", "86 bun, tomato"),
        ("Classic Burger", "extra lettuce; without onion", "-onion +lettuce"),
        ("Classic Burger", "extra lettuce; without onion", "- onion, + lettuce"),
        ("Classic Burger", "extra lettuce; without onion", "- onion\n+ lettuce"),
        ("Classic Burger", "extra lettuce; without onion", "onion no, lettuce extra"),
        ("Classic Burger", "extra lettuce; without onion", "lettuce: extra, onion: no"),
        ("Classic Burger", "without onion", "- no onion"),
        ("Classic Burger", "", "worker_1, table #4"),
        ("Classic Burger", "", "onion - no problem"),
        ("Classic Burger", "without onion", "no 🧅"),
        ("Classic Burger", "without onion", "🧅: none"),
        ("Steak Frites", "steak medium rare", "med rare"),
        ("Steak Frites", "steak medium rare", "med-rare"),
        ("Steak Frites", "steak medium rare", "MR"),
        ("Steak Frites", "steak medium rare", "m/r"),
        ("Steak Frites", "steak medium", "MED"),
        ("Steak Frites", "steak well done", "WD"),
        ("Steak Frites", "steak well done", "welldone"),
        ("Steak Frites", "deep-fry potato +2", "fries + 2 min"),
        ("Steak Frites", "deep-fry potato +2", "frites +2"),
        ("Steak Frites", "deep-fry potato -1", "fries -1 min"),
        ("Fish and Chips", "salmon instead of cod", "sub salmon for cod"),
    ],
)  # fmt: skip
def test_a_ticket_with_one_meaning_is_read(item: str, wishes: str, note: str) -> None:
    assert read(item, note) == ([wish for wish in wishes.split("; ") if wish], [])


@pytest.mark.parametrize(
    ("item", "note"),
    [
        ("Classic Burger", "sub tomato"), ("Classic Burger", "x tomato"),
        ("Classic Burger", "no. tomato"), ("Classic Burger", "tomato ++"),
        ("Steak Frites", "R"), ("Steak Frites", "for Mr. Smith"), ("Steak Frites", "Mr"),
        ("Steak Frites", "add 2 min to the fries"), ("Classic Burger", "0 problems"),
        ("Classic Burger", "table 86"),
    ],
)  # fmt: skip
def test_a_ticket_with_two_meanings_is_a_doubt(item: str, note: str) -> None:
    wishes, doubts = read(item, note)
    assert wishes == []
    assert doubts
