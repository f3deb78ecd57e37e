from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitchen.components import Component, StepSpec, combine, pairing, parse_component
from kitchen.foods import Food, Step, join
from kitchen.notation import parse_food
from scenarios.menu import load_menu
from worlds.restaurant.evaluators.comparison import compare

DONENESS = load_menu().doneness


def findings(foods: list[str], components: list[str]) -> list[str]:
    wanted = [parse_component(text, DONENESS) for text in components]
    return [str(f) for f in compare([parse_food(text) for text in foods], wanted, DONENESS)]


@pytest.mark.parametrize(
    ("food", "component", "difference"),
    [
        ("potato > deep-fry 5", "potato > deep-fry 6-8", "deep-fry 5, expected 6-8 (underdone)"),
        ("potato > deep-fry 9", "potato > deep-fry 6-8", "deep-fry 9, expected 6-8 (overdone)"),
        ("potato > deep-fry 15", "potato > deep-fry 6-8", "deep-fry 15, expected 6-8 (overdone)"),
        ("potato > deep-fry 16", "potato > deep-fry 6-8", "deep-fry 16, expected 6-8 (burnt)"),
        ("steak > grill 3", "steak > grill rare", "grill 3, expected 4-5 for rare (underdone)"),
        ("steak > grill 15", "steak > grill rare", "grill 15, expected 4-5 for rare (overdone)"),
        ("steak > grill 16", "steak > grill rare", "grill 16, expected 4-5 for rare (burnt)"),
        ("onion > chop 9", "onion > chop 2", "chop 9, expected 2 (overdone)"),
        ("onion", "onion > chop 2", "no chop, expected 2"),
        ("onion > chop 2 > fry 3", "onion > chop 2", "fry 3, not asked for"),
    ],
)
def test_a_food_with_another_history_is_wrong(food: str, component: str, difference: str) -> None:
    name = food.split(" > ")[0]
    assert findings([food], [component]) == [f"{name}: {difference}"]


def test_steps_in_another_order_are_wrong() -> None:
    assert findings(["potato > slice 2 > peel 1"], ["potato > peel 1 > slice 2"]) == [
        "potato: slice 2, not asked for; potato: no slice, expected 2"
    ]


def test_what_is_missing_and_extra_is_named() -> None:
    assert findings(["lettuce", "ham"], ["lettuce", "feta > chop 1"]) == [
        "missing feta > chop 1",
        "extra ham",
    ]


def test_one_portion_too_many_is_extra() -> None:
    assert findings(["lettuce", "lettuce"], ["lettuce"]) == ["extra lettuce"]


def test_differences_reach_into_mixtures() -> None:
    wanted = ["(tomato > chop 2 + onion > chop 2 + lime) > mix 1"]
    assert findings(["(tomato > chop 2 + onion > chop 3 + lime) > mix 1"], wanted) == [
        "onion: chop 3, expected 2 (overdone)"
    ]
    assert findings(["(tomato > chop 2 + onion > chop 2) > mix 1"], wanted) == [
        "lime+onion+tomato: missing lime"
    ]


def test_half_a_mixture_is_no_wrong_one_but_something_else() -> None:
    assert findings(["mustard"], ["(oil + mustard) > mix 2"]) == [
        "missing (mustard + oil) > mix 2",
        "extra mustard",
    ]


def test_the_most_alike_belong_together() -> None:
    foods = ["tomato > slice 2", "tomato > chop 2 > fry 9"]
    components = ["tomato > chop 2 > fry 3", "tomato > slice 1"]
    assert findings(foods, components) == [
        "tomato: slice 2, expected 1 (overdone)",
        "tomato: fry 9, expected 3 (burnt)",
    ]


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
        food = Food(food.name, food.parts, (*food.steps, Step(process, done)))
        component = component.with_steps((*component.steps, StepSpec(process, low, low + width)))
    return food, component


@given(st.lists(pairs(), max_size=4), st.integers(0, 1), st.integers(0, 1))
def test_nothing_is_found_exactly_where_all_foods_fit(
    given_pairs: list[tuple[Food, Component]], dropped_food: int, dropped_component: int
) -> None:
    foods = tuple(food for food, _ in given_pairs)[dropped_food:]
    components = tuple(component for _, component in given_pairs)[dropped_component:]
    found = compare(foods, components, {})
    assert (not found) == (pairing(foods, components) is not None)
    assert all(finding.differences for finding in found if finding.kind == "wrong")
