from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cookmas.kitchen.components import (
    Component,
    StepSpec,
    combine,
    pair_off,
    parse_component,
    parse_food,
)
from cookmas.kitchen.foods import Food, FoodStep, join
from cookmas.scenarios.menu import load_menu
from cookmas.worlds.restaurant.judging.comparison import compare

DONENESS = load_menu().doneness


def findings(foods: list[str], components: list[str]) -> list[str]:
    wanted = [parse_component(text, DONENESS) for text in components]
    return [str(f) for f in compare([parse_food(text) for text in foods], wanted, DONENESS)]


@pytest.mark.parametrize(
    ("food", "component", "difference"),
    [
        (
            "potato > deep-fry 5",
            "potato > deep-fry 6-8",
            "deep-fried for 5 minutes, wanted deep-fried for 6 to 8 minutes: underdone",
        ),
        (
            "potato > deep-fry 15",
            "potato > deep-fry 6-8",
            "deep-fried for 15 minutes, wanted deep-fried for 6 to 8 minutes: overdone",
        ),
        (
            "potato > deep-fry 16",
            "potato > deep-fry 6-8",
            "deep-fried for 16 minutes, wanted deep-fried for 6 to 8 minutes: burnt",
        ),
        (
            "steak > grill 3",
            "steak > grill rare",
            "grilled for 3 minutes, wanted grilled rare (4 to 5 minutes): underdone",
        ),
        (
            "steak > grill 15",
            "steak > grill rare",
            "grilled for 15 minutes, wanted grilled rare (4 to 5 minutes): overdone",
        ),
        (
            "steak > grill 16",
            "steak > grill rare",
            "grilled for 16 minutes, wanted grilled rare (4 to 5 minutes): burnt",
        ),
        (
            "onion > chop 9",
            "onion > chop 2",
            "chopped for 9 minutes, wanted chopped for 2 minutes: too long",
        ),
        (
            "onion > chop 1",
            "onion > chop 2",
            "chopped for 1 minute, wanted chopped for 2 minutes: too short",
        ),
        ("onion", "onion > chop 2", "not chopped, wanted chopped for 2 minutes"),
        ("onion > chop 2 > fry 3", "onion > chop 2", "fried for 3 minutes, which nobody wanted"),
    ],
)
def test_a_food_with_another_history_is_wrong(food: str, component: str, difference: str) -> None:
    name = food.split(" > ")[0]
    assert findings([food], [component]) == [f"{name} {difference}"]


def test_steps_in_another_order_are_wrong() -> None:
    assert findings(["potato > slice 2 > peel 1"], ["potato > peel 1 > slice 2"]) == [
        "potato sliced for 2 minutes, which nobody wanted; "
        "potato not sliced, wanted sliced for 2 minutes"
    ]


def test_what_is_missing_and_extra_is_named() -> None:
    assert findings(["lettuce", "ham"], ["lettuce", "feta > chop 1"]) == [
        "missing: feta, chopped for 1 minute",
        "extra: ham",
    ]


def test_one_portion_too_many_is_extra() -> None:
    assert findings(["lettuce", "lettuce"], ["lettuce"]) == ["extra: lettuce"]


def test_differences_reach_into_mixtures() -> None:
    wanted = ["(tomato > chop 2 + onion > chop 2 + lime) > mix 1"]
    assert findings(["(tomato > chop 2 + onion > chop 3 + lime) > mix 1"], wanted) == [
        "onion chopped for 3 minutes, wanted chopped for 2 minutes: too long"
    ]
    assert findings(["(tomato > chop 2 + onion > chop 2) > mix 1"], wanted) == [
        "lime, onion and tomato: missing: lime"
    ]


def test_half_a_mixture_is_no_wrong_one_but_something_else() -> None:
    assert findings(["mustard"], ["(oil + mustard > chop 1) > mix 2"]) == [
        "missing: (mustard, chopped for 1 minute) and oil, mixed for 2 minutes",
        "extra: mustard",
    ]


def test_the_most_alike_belong_together() -> None:
    foods = ["tomato > slice 2", "tomato > chop 2 > fry 9"]
    components = ["tomato > chop 2 > fry 3", "tomato > slice 1"]
    assert findings(foods, components) == [
        "tomato sliced for 2 minutes, wanted sliced for 1 minute: too long",
        "tomato fried for 9 minutes, wanted fried for 3 minutes: burnt",
    ]


LAYERED = "((cod + flour) > assemble 1 + breadcrumbs) > assemble 1 > deep-fry 6"
AT_ONCE = "(cod + flour + breadcrumbs) > assemble 1 > deep-fry 6"


@pytest.mark.parametrize(("food", "wanted"), [(LAYERED, AT_ONCE), (AT_ONCE, LAYERED)])
def test_layers_told_one_after_another_are_the_same_dish(food: str, wanted: str) -> None:
    assert findings([food], [wanted]) == []


def test_what_was_put_together_before_it_came_on_the_plate_lies_there_singly() -> None:
    assert findings(["(ham + (bun > grill 2 + butter) > assemble 1) > assemble 1"], ["ham"]) == [
        "extra: bun, grilled for 2 minutes",
        "extra: butter",
    ]
    assert findings(["(ham + bun) > assemble 1"], ["ham", "bun"]) == []


@pytest.mark.parametrize(
    ("food", "wanted"),
    [
        ("((cod + flour) > assemble 1 > fry 2 + breadcrumbs) > assemble 1", AT_ONCE),
        ("((cod + flour) > mix 1 + breadcrumbs) > assemble 1 > deep-fry 6", AT_ONCE),
        ("((cod + flour) > assemble 1 + breadcrumbs) > mix 1 > deep-fry 6", AT_ONCE),
        (LAYERED, "((cod + flour) > assemble 1 + breadcrumbs) > mix 1 > deep-fry 6"),
        ("(cod + flour) > assemble 1 > fry 2", "(cod + flour) > fry 2"),
    ],
)
def test_what_was_done_to_a_layer_makes_another_dish(food: str, wanted: str) -> None:
    assert findings([food], [wanted]) != []


steps = st.lists(
    st.tuples(st.sampled_from(["chop", "fry"]), st.integers(1, 3), st.integers(0, 2)), max_size=2
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Food, Component]:
    """A food and a component that often fit each other."""
    name = draw(st.sampled_from(["egg", "ham"]))
    inner = draw(st.lists(pairs(), min_size=2, max_size=3)) if draw(st.integers(0, 4)) == 0 else []
    food, component = Food(name), Component(name)
    if inner:
        food, component = join(tuple(f for f, _ in inner)), combine(c for _, c in inner)
    for process, low, width in draw(steps):
        done = max(1, low + draw(st.sampled_from([0, 0, 0, 0, width, -1, 3])))
        food = Food(food.name, food.parts, (*food.steps, FoodStep(process, done)))
        component = component.with_steps((*component.steps, StepSpec(process, low, low + width)))
    return food, component


@given(st.lists(pairs(), max_size=4), st.integers(0, 1), st.integers(0, 1))
def test_nothing_is_found_exactly_where_all_foods_fit(
    given_pairs: list[tuple[Food, Component]], dropped_food: int, dropped_component: int
) -> None:
    foods = tuple(food for food, _ in given_pairs)[dropped_food:]
    components = tuple(component for _, component in given_pairs)[dropped_component:]
    found = compare(foods, components, {})
    assert (not found) == (pair_off(foods, components) is not None)
    assert all(finding.differences for finding in found if finding.kind == "wrong")
