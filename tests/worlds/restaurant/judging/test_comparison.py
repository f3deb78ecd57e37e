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


SALSA = "(tomato > chop 2 + onion > chop 2 + lime) > mix 1"

WRONG = """
potato > deep-fry 5: deep-fry 6-8: deep-fried for 5 minutes, {fried}: underdone
potato > deep-fry 15: deep-fry 6-8: deep-fried for 15 minutes, {fried}: overdone
potato > deep-fry 16: deep-fry 6-8: deep-fried for 16 minutes, {fried}: burnt
steak > grill 3: grill rare: grilled for 3 minutes, {rare}: underdone
steak > grill 15: grill rare: grilled for 15 minutes, {rare}: overdone
steak > grill 16: grill rare: grilled for 16 minutes, {rare}: burnt
onion > chop 9: chop 2: chopped for 9 minutes, {chopped}: too long
onion > chop 1: chop 2: chopped for 1 minute, {chopped}: too short
onion: chop 2: not chopped, {chopped}
onion > chop 2 > fry 3: chop 2: fried for 3 minutes, which nobody wanted
""".format(
    fried="wanted deep-fried for 6 to 8 minutes",
    rare="wanted grilled rare (4 to 5 minutes)",
    chopped="wanted chopped for 2 minutes",
)
"""In each line a food, the step that it should have had, and what is said of the difference."""


@pytest.mark.parametrize("line", WRONG.strip().splitlines())
def test_a_food_with_another_history_is_wrong(line: str) -> None:
    food, step, difference = line.split(": ", 2)
    name = food.split(" > ")[0]
    assert findings([food], [f"{name} > {step}"]) == [f"{name} {difference}"]


@pytest.mark.parametrize(
    ("foods", "components", "found"),
    [
        pytest.param(
            ["potato > slice 2 > peel 1"],
            ["potato > peel 1 > slice 2"],
            [
                "potato sliced for 2 minutes, which nobody wanted; "
                "potato not sliced, wanted sliced for 2 minutes"
            ],
            id="steps in another order",
        ),
        pytest.param(
            ["lettuce", "ham"],
            ["lettuce", "feta > chop 1"],
            ["missing: feta, chopped for 1 minute", "extra: ham"],
            id="something else",
        ),
        pytest.param(["lettuce"] * 2, ["lettuce"], ["extra: lettuce"], id="a portion too many"),
        pytest.param(
            [SALSA.replace("onion > chop 2", "onion > chop 3")],
            [SALSA],
            ["onion chopped for 3 minutes, wanted chopped for 2 minutes: too long"],
            id="a part of a mixture",
        ),
        pytest.param(
            [SALSA.replace(" + lime", "")],
            [SALSA],
            ["lime, onion and tomato: missing: lime"],
            id="a mixture without a part",
        ),
        pytest.param(
            ["mustard"],
            ["(oil + mustard > chop 1) > mix 2"],
            ["missing: (mustard, chopped for 1 minute) and oil, mixed for 2 minutes",
             "extra: mustard"],
            id="half a mixture is something else",
        ),
        pytest.param(
            ["tomato > slice 2", "tomato > chop 2 > fry 9"],
            ["tomato > chop 2 > fry 3", "tomato > slice 1"],
            ["tomato sliced for 2 minutes, wanted sliced for 1 minute: too long",
             "tomato fried for 9 minutes, wanted fried for 3 minutes: burnt"],
            id="the most alike belong together",
        ),
        pytest.param(
            ["(ham + (bun > grill 2 + butter) > assemble 1) > assemble 1"],
            ["ham"],
            ["extra: bun, grilled for 2 minutes", "extra: butter"],
            id="what was put together lies on the plate singly",
        ),
        pytest.param(["(ham + bun) > assemble 1"], ["ham", "bun"], [], id="singly as wanted"),
    ],
)  # fmt: skip
def test_what_is_missing_wrong_and_extra_is_named(
    foods: list[str], components: list[str], found: list[str]
) -> None:
    assert findings(foods, components) == found


LAYERED = "((cod + flour) > assemble 1 + breadcrumbs) > assemble 1 > deep-fry 6"
AT_ONCE = "(cod + flour + breadcrumbs) > assemble 1 > deep-fry 6"


@pytest.mark.parametrize(("food", "wanted"), [(LAYERED, AT_ONCE), (AT_ONCE, LAYERED)])
def test_layers_told_one_after_another_are_the_same_dish(food: str, wanted: str) -> None:
    assert findings([food], [wanted]) == []


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
