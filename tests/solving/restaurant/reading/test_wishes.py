"""Wishes of a note in any order: understood or doubted, and never the opposite."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.kitchen.customizations import (
    Customization,
    Done,
    Extra,
    Longer,
    Swap,
    Without,
    customise,
)
from cookmas.solving.restaurant.reading import read_note
from tests.solving.restaurant.reading.menu_reading import LARDER, MENU, TRUTH

BURGER = "Cheeseburger and Fries"
WISHES: Sequence[tuple[str, Customization | None]] = [
    ("no pickle", Without(food="pickle")),
    ("extra pickle", Extra(food="pickle")),
    ("without ketchup", Without(food="ketchup")),
    ("double ketchup", Extra(food="ketchup")),
    ("hold the mayonnaise", Without(food="mayonnaise")),
    ("twice the cheddar", Extra(food="cheddar")),
    ("feta instead of cheddar", Swap(food="cheddar", by="feta")),
    ("medium rare", Done(food="beef patty", level="medium rare")),
    ("patty well done", Done(food="beef patty", level="well done")),
    ("fries two minutes longer", Longer(food="potato", process="deep-fry", minutes=2)),
    ("bun one minute less", Longer(food="bun", process="grill", minutes=-1)),
    ("no onion", None),
    ("vegan", None),
    ("gluten-free", None),
    ("nut allergy", None),
    ("ohne Gurke", None),
    ("light on the ketchup", None),
    ("mayonnaise on the side", None),
    ("cut in half", None),
]
"""Words of a wish for a burger, and their meaning; None if no kitchen here can do it."""
SEPARATORS = [" ", " ", ", ", " and ", " & ", " + ", " / ", ". ", "; ", "\n", " but "]


def read(item: str, note: str) -> tuple[list[Customization], list[str]]:
    """The wishes that are read in a note, and the doubts about it."""
    wishes, doubts = read_note(note, list(TRUTH[item]), LARDER)
    return list(wishes), [str(doubt) for doubt in doubts]


@given(
    st.permutations(WISHES),
    st.integers(2, 4),
    st.lists(st.sampled_from(SEPARATORS), min_size=4, max_size=4),
)
def test_wishes_in_any_order_are_read_or_doubted(
    order: Sequence[tuple[str, Customization | None]], number: int, separators: Sequence[str]
) -> None:
    chosen = {wish.food if wish else words: (words, wish) for words, wish in order[:number]}
    texts = [words for words, _ in chosen.values()]
    note = "".join(text + sign for text, sign in zip(texts, separators, strict=False)).rstrip()
    meant = [wish for _, wish in chosen.values() if wish is not None]
    found, doubts = read(BURGER, note)
    dish = list(TRUTH[BURGER])
    right = customise(dish, found, MENU.doneness) == customise(dish, meant, MENU.doneness)
    assert doubts or (right and len(meant) == len(chosen)), note
    refused = {wish.food for wish in meant if isinstance(wish, Without)}
    asked = {wish.food for wish in meant if not isinstance(wish, Without)}
    assert not refused & {wish.food for wish in found if isinstance(wish, Extra)}, note
    assert not asked & {wish.food for wish in found if isinstance(wish, Without)}, note


@pytest.mark.parametrize(
    ("note", "wishes"),
    [
        ("no onion extra tomato", ["extra tomato", "without onion"]),
        ("extra tomato no onion", ["extra tomato", "without onion"]),
        ("no onion & extra tomato", ["extra tomato", "without onion"]),
        ("extra tomato & no onion", ["extra tomato", "without onion"]),
        ("no onion / extra tomato", ["extra tomato", "without onion"]),
        ("well done no onion", ["beef patty well done", "without onion"]),
        ("no onion well done", ["beef patty well done", "without onion"]),
        ("onion-free, rare", ["beef patty rare", "without onion"]),
        ("no onion, cucumber instead of tomato",
         ["cucumber instead of tomato", "without onion"]),
    ],
)  # fmt: skip
def test_wishes_without_a_comma_are_understood(note: str, wishes: list[str]) -> None:
    found, doubts = read("Classic Burger", note)
    assert [str(wish) for wish in found] == wishes
    assert not doubts


@pytest.mark.parametrize(
    ("note", "wishes"),
    [
        ("no onion extra pickle", ["without onion"]),
        ("no pickle extra", []),
        ("pickle instead of lettuce extra", ["pickle instead of lettuce"]),
        ("no onion, extra onion", ["extra onion"]),
        ("no tomato, less onion", ["without tomato"]),
        ("anything but rare", []),
        ("bun one minute longer patty one minute shorter", []),
        ("patty well done nut allergy", []),
        ("extra tomato, no salt", ["extra tomato"]),
        ("cucumber instead of pickle", []),
        ("add ham, no lettuce", ["without lettuce"]),
        ("patty well done also extra tomato", ["extra tomato"]),
    ],
)
def test_what_is_not_understood_is_never_the_opposite(note: str, wishes: list[str]) -> None:
    found, doubts = read("Classic Burger", note)
    assert [str(wish) for wish in found] == wishes
    assert doubts


@pytest.mark.parametrize(
    "note",
    ["vegan", "gluten-free", "I am lactose intolerant", "nut allergy", "halal, please",
     "Bitte ohne Zwiebeln", "sin cebolla", "sans oignon", "senza cipolla", "без лука", "不要洋葱",
     "🥜", "onion on the side", "sauce on the side", "light on the onion", "easy on the onion",
     "a bit of onion", "cut in half", "spicy"],
)  # fmt: skip
def test_words_that_the_reader_knows_nothing_of_are_a_doubt(note: str) -> None:
    found, doubts = read("Classic Burger", note)
    assert not found
    assert doubts


@pytest.mark.parametrize("note", ["thank you!", "It's my mother's birthday", "We love this place"])
def test_words_that_ask_for_nothing_are_no_doubt(note: str) -> None:
    assert read("Classic Burger", note) == ([], [])
