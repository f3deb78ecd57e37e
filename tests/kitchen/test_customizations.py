"""What a customer can ask for, and what it makes of a dish."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.kitchen.components import Doneness, StepSpec, parse_component
from cookmas.kitchen.customizations import (
    Customization,
    Done,
    Extra,
    Longer,
    Swap,
    Without,
    customise,
)
from tests.sampling import examples

TABLE = {
    ("beef patty", "grill"): Doneness({"rare": (3, 4), "medium": (7, 8), "well done": (9, 11)}, 15),
    ("egg", "boil"): Doneness({"soft": (4, 5), "hard": (8, 10)}, 20),
}
BURGER = (
    "beef patty > grill medium",
    "bun > grill 2",
    "(lettuce + tomato > slice 1) > assemble 1",
    "(oil + mustard + (egg + oil) > blend 2) > mix 2",
)


EGG, PATTY = "egg > boil soft", "beef patty > grill medium"

WISHES: list[Customization] = [
    Done(food="beef patty", level="rare"),
    Done(food="egg", level="hard"),
    Without(food="lettuce"),
    Without(food="oil"),
    Extra(food="egg"),
    Extra(food="tofu"),
    Swap(food="bun", by="bread"),
    Swap(food="beef patty", by="tofu"),
    Longer(food="bun", process="grill", minutes=2),
    Longer(food="egg", process="mix", minutes=-1),
]
IN_WORDS = {
    str(wish): wish
    for wish in (
        *WISHES,
        Done(food="beef patty", level="well done"),
        Done(food="egg", level="rare"),
        *(Without(food=food) for food in ("egg", "caviar")),
        *(Extra(food=food) for food in ("bun", "oil")),
        *(Longer(food="bun", process="grill", minutes=minutes) for minutes in (1, -1, -3, -4, -9)),
        Longer(food="egg", process="fry", minutes=2),
        Longer(food="beef patty", process="grill", minutes=2),
    )
}


def wanted(recipe: Sequence[str], *wishes: Customization) -> list[str]:
    components = tuple(parse_component(text, TABLE) for text in recipe)
    return [str(component) for component in customise(components, wishes, TABLE)]


CASES = {
    "no wishes leave the recipe": ("tomato; bun > grill 2", "", "bun > grill 2; tomato"),
    "doneness reaches into what is joined": (
        *(f"({EGG} + oil) > mix 2", "egg hard"),
        "(egg > boil hard + oil) > mix 2",
    ),
    "doneness changes only steps with a level, and only that food": (
        *(f"beef patty > chop 1 > grill medium; bun > grill 7-8; {EGG}", "beef patty well done"),
        f"beef patty > chop 1 > grill well done; bun > grill 7-8; {EGG}",
    ),
    "doneness leaves minutes": (
        "beef patty > grill 7-8",
        "beef patty rare",
        "beef patty > grill 7-8",
    ),
    "a level that the food does not have changes nothing": (EGG, "egg rare", EGG),
    "without leaves a food out everywhere, sauces included": (
        *("; ".join(BURGER), "without oil"),
        "(egg > blend 2 + mustard) > mix 2; (lettuce + tomato > slice 1) > assemble 1; "
        f"{PATTY}; bun > grill 2",
    ),
    "a single food that is left is not assembled": (
        *("(lettuce + tomato > slice 1) > assemble 1 > grill 2", "without lettuce"),
        "tomato > slice 1 > grill 2",
    ),
    "several foods that are left are assembled": (
        *("(bun + egg + oil) > assemble 1", "without egg"),
        "(bun + oil) > assemble 1",
    ),
    "what is mixed or cooked stays mixed or cooked": (
        *("(egg + oil) > mix 2 > fry 3-4", "without oil"),
        "egg > mix 2 > fry 3-4",
    ),
    "a mixture of nothing is nothing": (
        *("(oil + oil) > mix 2; ((oil + oil) > mix 1 + bun) > assemble 1; egg", "without oil"),
        "bun; egg",
    ),
    "nothing is left": ("egg", "without egg", ""),
    "what is not there cannot be left out": (PATTY, "without caviar", PATTY),
    "extra is twice and both done alike": (
        *(f"bun > grill 2; ({EGG} + oil) > mix 2", "extra egg"),
        f"({EGG} + {EGG} + oil) > mix 2; bun > grill 2",
    ),
    "extra of a component": ("bun > grill 2", "extra bun", "bun > grill 2; bun > grill 2"),
    "extra is twice wherever the recipe has it once": (
        *("oil; (egg + oil) > mix 2", "extra oil"),
        "(egg + oil + oil) > mix 2; oil; oil",
    ),
    "a swap is treated as what it replaces": (
        *(f"({PATTY} + oil)", "tofu instead of beef patty"),
        "(oil + tofu > grill 7-8)",
    ),
    "longer moves both ends": ("bun > grill 4-5", "grill bun +2", "bun > grill 6-7"),
    "shorter moves both ends": ("bun > grill 4-5", "grill bun -1", "bun > grill 3-4"),
    "no end is below one": ("bun > grill 4-5", "grill bun -4", "bun > grill 1"),
    "nor far below": ("bun > grill 4-5", "grill bun -9", "bun > grill 1"),
    "one end may stay above one": ("bun > grill 2-6", "grill bun -3", "bun > grill 1-3"),
    "longer changes only that process": (
        *("bun > slice 1 > grill 4 > bake 4; tomato > grill 4", "grill bun +1"),
        "bun > slice 1 > grill 5 > bake 4; tomato > grill 4",
    ),
    "longer changes whatever contains the food": (
        *("((egg + oil) > mix 2 + bun > fry 1) > fry 4-5", "fry egg +2"),
        "((egg + oil) > mix 2 + bun > fry 1) > fry 6-7",
    ),
    "longer starts from the doneness that was asked for": (
        *(PATTY, "grill beef patty +2, beef patty rare"),
        "beef patty > grill 5-6",
    ),
    "what is swapped in can be doubled": (
        *(PATTY, "extra tofu, tofu instead of beef patty"),
        "tofu > grill 7-8; tofu > grill 7-8",
    ),
    "what is left out is not doubled": ("egg; bun", "extra egg, without egg", "bun"),
}
"""Recipes, what is asked for, and what is to be made."""


@pytest.mark.parametrize("case", CASES)
def test_what_is_asked_for_changes_the_recipe(case: str) -> None:
    recipe, wishes, made = CASES[case]
    asked = [IN_WORDS[wish] for wish in wishes.split(", ") if wish]
    assert "; ".join(wanted(recipe.split("; "), *asked)) == made


@pytest.mark.parametrize(
    ("wish", "step"),
    [
        (Done(food="beef patty", level="rare"), StepSpec("grill", 3, 4, "rare")),
        (Swap(food="beef patty", by="tofu"), StepSpec("grill", 7, 8)),
    ],
)
def test_a_level_stands_for_its_minutes(wish: Customization, step: StepSpec) -> None:
    (done,) = customise([parse_component(PATTY, TABLE)], [wish], TABLE)
    assert done.steps == (step,)


def test_a_swap_renames_what_it_is_in() -> None:
    mixed = parse_component("(egg + oil) > mix 2", TABLE)
    (swapped,) = customise([mixed], [Swap(food="oil", by="butter")], TABLE)
    assert swapped.name == "butter+egg"
    assert swapped.ingredients() == ("butter", "egg")


@settings(max_examples=examples(60))
@given(
    wishes=st.lists(
        st.sampled_from(WISHES), unique_by=lambda wish: str(wish), min_size=2, max_size=4
    )
)
def test_the_order_of_the_wishes_makes_no_difference(wishes: list[Customization]) -> None:
    made = wanted(BURGER, *wishes)
    assert made == sorted(made)
    for order in permutations(wishes):
        assert wanted(BURGER, *order) == made


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        (Done(food="egg", level="soft"), "egg soft"),
        (Without(food="onion"), "without onion"),
        (Extra(food="onion"), "extra onion"),
        (Swap(food="beef patty", by="tofu"), "tofu instead of beef patty"),
        (Longer(food="bun", process="grill", minutes=2), "grill bun +2"),
        (Longer(food="bun", process="grill", minutes=-2), "grill bun -2"),
    ],
)
def test_wishes_in_words(wish: Customization, text: str) -> None:
    assert str(wish) == text
