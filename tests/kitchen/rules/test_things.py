"""Things, and the stations they lie at."""

from __future__ import annotations

import pytest

from cookmas.kitchen.components import parse_food, parse_thing
from cookmas.kitchen.foods import Food, FoodStep, join, make_dish
from cookmas.kitchen.layout import KINDS, STANDARD_WORK, WORK

# Things


def test_a_process_for_no_minutes_leaves_no_step() -> None:
    assert Food("egg").apply("boil", 0) == Food("egg")


def test_the_same_process_again_makes_the_last_step_longer() -> None:
    food = Food("onion").apply("chop", 1).apply("chop", 2).apply("fry", 3).apply("chop", 1)
    assert food.steps == (FoodStep("chop", 3), FoodStep("fry", 3), FoodStep("chop", 1))


def test_one_food_joined_is_that_food() -> None:
    egg = parse_food("egg > boil 4")
    assert join((egg,)) is egg


def test_joined_foods_keep_their_histories_and_forget_their_order() -> None:
    oil, onion = Food("oil"), parse_food("onion > chop 2")
    assert join((oil, onion)) == join((onion, oil))
    assert str(join((oil, onion))) == "(oil + onion > chop 2)"
    assert join((oil, onion)).steps == ()


def test_joined_foods_are_named_by_their_ingredients_at_any_depth() -> None:
    sauce = join((Food("oil"), Food("onion"))).apply("mix", 2)
    assert join((sauce, Food("oil"), Food("egg"))).name == "egg+oil+onion"


def test_a_dish_forgets_the_order_of_its_components() -> None:
    foods = (parse_food("lettuce"), parse_food("bun > grill 2"))
    assert str(make_dish(foods)) == "dish[bun > grill 2; lettuce]"
    assert make_dish(foods) == make_dish(foods[::-1])


@pytest.mark.parametrize(
    "text",
    [
        "potato",
        "potato > peel 1 > boil 12",
        "(oil + vinegar) > mix 2",
        "((egg + oil) > mix 2 + onion > chop 2) > fry 5",
        "plate",
        "dish[bun > grill 2; lettuce]",
        "dish[(egg + oil) > mix 2]",
    ],
)
def test_things_in_text_are_read_as_they_are_written(text: str) -> None:
    assert str(parse_thing(text)) == text


# Stations


def test_the_table_of_stations() -> None:
    assert {(kind.name, kind.role, kind.processes, kind.vessel) for kind in KINDS.values()} == {
        ("pantry", "dispenser", (), False),
        ("fridge", "dispenser", (), False),
        ("plates", "dispenser", (), False),
        ("counter", "counter", (), False),
        ("board", "tool", ("chop", "slice", "peel", "grate"), False),
        ("mixer", "tool", ("mix", "blend", "knead"), False),
        ("plating", "tool", ("assemble",), False),
        ("grill", "appliance", ("grill",), False),
        ("pan", "appliance", ("fry",), True),
        ("fryer", "appliance", ("deep-fry",), False),
        ("pot", "appliance", ("boil",), True),
        ("oven", "appliance", ("bake",), False),
        ("pass", "pass", (), False),
        ("bin", "bin", (), False),
        ("aisle", "aisle", (), False),
    }


def test_attended_work_has_its_standard_minutes() -> None:
    assert STANDARD_WORK == {
        "chop": 2,
        "slice": 1,
        "peel": 1,
        "grate": 1,
        "mix": 2,
        "blend": 2,
        "knead": 4,
        "assemble": 1,
    }
    assert set(STANDARD_WORK) == set(WORK)
