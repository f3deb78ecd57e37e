"""What a customer can ask for, and what it makes of a dish."""

from __future__ import annotations

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


def wanted(recipe: tuple[str, ...], *wishes: Customization) -> list[str]:
    components = tuple(parse_component(text, TABLE) for text in recipe)
    return [str(component) for component in customise(components, wishes, TABLE)]


def test_no_wishes_leave_the_recipe() -> None:
    assert wanted(("tomato", "bun > grill 2")) == ["bun > grill 2", "tomato"]


# ----------------------------------------------------------------------------------- Doneness


def test_another_doneness_means_the_minutes_of_that_level() -> None:
    patty = parse_component("beef patty > grill medium", TABLE)
    (done,) = customise([patty], [Done(food="beef patty", level="rare")], TABLE)
    assert done.steps == (StepSpec("grill", 3, 4, "rare"),)


def test_doneness_reaches_into_what_is_joined() -> None:
    recipe = ("(egg > boil soft + oil) > mix 2",)
    assert wanted(recipe, Done(food="egg", level="hard")) == ["(egg > boil hard + oil) > mix 2"]


def test_doneness_changes_only_steps_with_a_level_and_only_that_food() -> None:
    recipe = ("beef patty > chop 1 > grill medium", "beef patty > grill 7-8", "egg > boil soft")
    assert wanted(recipe, Done(food="beef patty", level="well done")) == [
        "beef patty > chop 1 > grill well done",
        "beef patty > grill 7-8",
        "egg > boil soft",
    ]


def test_a_level_that_the_food_does_not_have_changes_nothing() -> None:
    recipe = ("egg > boil soft",)
    assert wanted(recipe, Done(food="egg", level="rare")) == ["egg > boil soft"]


# ------------------------------------------------------------------------------------ Without


def test_without_leaves_a_food_out_everywhere_sauces_included() -> None:
    assert wanted(BURGER, Without(food="oil")) == [
        "(egg > blend 2 + mustard) > mix 2",
        "(lettuce + tomato > slice 1) > assemble 1",
        "beef patty > grill medium",
        "bun > grill 2",
    ]


def test_a_single_food_that_is_left_is_not_assembled() -> None:
    recipe = ("(lettuce + tomato > slice 1) > assemble 1 > grill 2",)
    assert wanted(recipe, Without(food="lettuce")) == ["tomato > slice 1 > grill 2"]


def test_several_foods_that_are_left_are_assembled() -> None:
    recipe = ("(bun + egg + oil) > assemble 1",)
    assert wanted(recipe, Without(food="egg")) == ["(bun + oil) > assemble 1"]


def test_what_is_mixed_or_cooked_stays_mixed_or_cooked() -> None:
    recipe = ("(egg + oil) > mix 2 > fry 3-4",)
    assert wanted(recipe, Without(food="oil")) == ["egg > mix 2 > fry 3-4"]


def test_a_mixture_of_nothing_is_nothing() -> None:
    recipe = ("(oil + oil) > mix 2", "((oil + oil) > mix 1 + bun) > assemble 1", "egg")
    assert wanted(recipe, Without(food="oil")) == ["bun", "egg"]
    assert wanted(("egg",), Without(food="egg")) == []


def test_without_what_is_not_there_changes_nothing() -> None:
    assert wanted(BURGER, Without(food="caviar")) == wanted(BURGER)


# -------------------------------------------------------------------------------------- Extra


def test_extra_is_twice_and_both_done_alike() -> None:
    recipe = ("bun > grill 2", "(egg > boil soft + oil) > mix 2")
    assert wanted(recipe, Extra(food="egg")) == [
        "(egg > boil soft + egg > boil soft + oil) > mix 2",
        "bun > grill 2",
    ]
    assert wanted(recipe, Extra(food="bun"))[1:] == ["bun > grill 2", "bun > grill 2"]


def test_extra_is_twice_wherever_the_recipe_has_it_once() -> None:
    recipe = ("oil", "(egg + oil) > mix 2")
    assert wanted(recipe, Extra(food="oil")) == ["(egg + oil + oil) > mix 2", "oil", "oil"]


# --------------------------------------------------------------------------------------- Swap


def test_a_swap_is_treated_as_what_it_replaces() -> None:
    assert wanted(("(beef patty > grill medium + oil)",), Swap(food="beef patty", by="tofu")) == [
        "(oil + tofu > grill 7-8)"
    ]


def test_a_swap_keeps_the_minutes_of_the_level_it_is_written_with() -> None:
    patty = parse_component("beef patty > grill medium", TABLE)
    (swapped,) = customise([patty], [Swap(food="beef patty", by="tofu")], TABLE)
    assert [(step.low, step.high) for step in swapped.steps] == [(7, 8)]


def test_a_swap_renames_what_it_is_in() -> None:
    (mixed,) = customise(
        [parse_component("(egg + oil) > mix 2", TABLE)], [Swap(food="oil", by="butter")], TABLE
    )
    assert mixed.name == "butter+egg"
    assert mixed.ingredients() == ("butter", "egg")


# ------------------------------------------------------------------------------------- Longer


@pytest.mark.parametrize(
    ("minutes", "made"),
    [(2, "bun > grill 6-7"), (-1, "bun > grill 3-4"), (-4, "bun > grill 1"), (-9, "bun > grill 1")],
)
def test_longer_moves_both_ends_but_not_below_one(minutes: int, made: str) -> None:
    recipe = ("bun > grill 4-5",)
    assert wanted(recipe, Longer(food="bun", process="grill", minutes=minutes)) == [made]


def test_one_end_may_stay_above_one() -> None:
    recipe = ("bun > grill 2-6",)
    assert wanted(recipe, Longer(food="bun", process="grill", minutes=-3)) == ["bun > grill 1-3"]


def test_longer_changes_only_that_process() -> None:
    recipe = ("bun > slice 1 > grill 4 > bake 4", "tomato > grill 4")
    assert wanted(recipe, Longer(food="bun", process="grill", minutes=1)) == [
        "bun > slice 1 > grill 5 > bake 4",
        "tomato > grill 4",
    ]


def test_longer_changes_whatever_contains_the_food() -> None:
    recipe = ("((egg + oil) > mix 2 + bun > fry 1) > fry 4-5",)
    assert wanted(recipe, Longer(food="egg", process="fry", minutes=2)) == [
        "((egg + oil) > mix 2 + bun > fry 1) > fry 6-7"
    ]


def test_longer_starts_from_the_doneness_that_was_asked_for() -> None:
    wishes: list[Customization] = [
        Longer(food="beef patty", process="grill", minutes=2),
        Done(food="beef patty", level="rare"),
    ]
    assert wanted(("beef patty > grill medium",), *wishes) == ["beef patty > grill 5-6"]


# ----------------------------------------------------------------------------------- Together


def test_what_is_swapped_in_can_be_doubled() -> None:
    wishes: list[Customization] = [Extra(food="tofu"), Swap(food="beef patty", by="tofu")]
    assert wanted(("beef patty > grill medium",), *wishes) == ["tofu > grill 7-8"] * 2


def test_what_is_left_out_is_not_doubled() -> None:
    assert wanted(("egg", "bun"), Extra(food="egg"), Without(food="egg")) == ["bun"]


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
