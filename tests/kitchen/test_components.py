"""The notation of what a dish must be, and whether a food is it."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.files.errors import NotationError
from cookmas.kitchen.components import (
    Component,
    Doneness,
    StepSpec,
    combine,
    fits,
    maximum_matching,
    pair_off,
    parse_component,
    parse_dish,
    parse_food,
    parse_thing,
)
from cookmas.kitchen.foods import Food, join
from tests.sampling import examples

TABLE = {
    ("beef patty", "grill"): Doneness({"rare": (3, 4), "medium": (7, 8)}, 15),
    ("egg", "boil"): Doneness({"soft": (4, 5)}, 20),
}

quick = settings(max_examples=examples(200))
ingredients = st.sampled_from(["beef patty", "bun", "egg", "oil", "soy sauce"])
processes = st.sampled_from(["chop", "mix", "deep-fry", "boil", "assemble"])


@st.composite
def foods(draw: st.DrawFn, depth: int = 2) -> Food:
    if depth and draw(st.booleans()):
        parts = draw(st.lists(foods(depth - 1), min_size=2, max_size=3))
        food = join(tuple(parts))
    else:
        food = Food(draw(ingredients))
    for process, minutes in draw(st.lists(st.tuples(processes, st.integers(1, 12)), max_size=3)):
        food = food.apply(process, minutes)
    return food


@st.composite
def components(draw: st.DrawFn, depth: int = 2) -> Component:
    if depth and draw(st.booleans()):
        parts = draw(st.lists(components(depth - 1), min_size=2, max_size=3))
        component = combine(parts)
    else:
        component = Component(draw(ingredients))
    windows = st.tuples(processes, st.integers(1, 9), st.integers(0, 4))
    steps = [StepSpec(p, low, low + more) for p, low, more in draw(st.lists(windows, max_size=2))]
    return component.with_steps(steps)


# ----------------------------------------------------------------------------------- Notation


@pytest.mark.parametrize(
    ("text", "component"),
    [
        ("lettuce", Component("lettuce")),
        ("tomato > slice 1", Component("tomato", (), (StepSpec("slice", 1, 1),))),
        (
            "potato > peel 1 > boil 10-12",
            Component("potato", (), (StepSpec("peel", 1, 1), StepSpec("boil", 10, 12))),
        ),
        (
            "beef patty > grill medium",
            Component("beef patty", (), (StepSpec("grill", 7, 8, "medium"),)),
        ),
        (
            "(vinegar + oil) > mix 2",
            Component(
                "oil+vinegar", (Component("oil"), Component("vinegar")), (StepSpec("mix", 2, 2),)
            ),
        ),
    ],
)
def test_what_is_read(text: str, component: Component) -> None:
    assert parse_component(text, TABLE) == component


@quick
@given(component=components())
def test_a_component_is_read_as_it_is_written(component: Component) -> None:
    assert parse_component(str(component), TABLE) == component


@pytest.mark.parametrize(
    "text",
    [
        "egg > boil soft",
        "((bun > grill 3-4 + oil) > assemble 1 + (egg + oil) > mix 2) > bake 10-12",
    ],
)
def test_what_is_read_is_written_the_same(text: str) -> None:
    assert str(parse_component(text, TABLE)) == text


def test_spaces_do_not_matter() -> None:
    assert parse_component(" ( oil+egg )>mix 2 ", {}) == parse_component("(egg + oil) > mix 2", {})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "unexpected end; expected a food or '('"),
        ("   ", "unexpected end; expected a food or '('"),
        ("> chop 2", "unexpected '>'; expected a food or '('"),
        ("+ egg", "unexpected '+'; expected a food or '('"),
        ("()", "unexpected ')'; expected a food or '('"),
        ("(egg", "expected '+' or ')' after a part"),
        ("(egg + oil", "expected '+' or ')' after a part"),
        ("(egg (oil))", "expected '+' or ')' after a part"),
        ("(egg +", "unexpected end; expected a food or '('"),
        ("(egg)", "brackets join at least two foods"),
        ("egg)", "unexpected ')'; expected '>' or the end"),
        ("egg + oil", "unexpected '+'; expected '>' or the end"),
        ("egg (oil + bun)", "unexpected '('; expected '>' or the end"),
        ("egg >", "expected a step, such as 'chop 2', after '>'"),
        ("egg > > chop 2", "expected a step, such as 'chop 2', after '>'"),
        ("egg > chop", "'chop' needs minutes or a level of doneness (here: none)"),
        ("egg > boil hard", "'boil hard' needs minutes or a level of doneness (here: soft)"),
        (
            "beef patty > grill burnt",
            "'grill burnt' needs minutes or a level of doneness (here: rare, medium)",
        ),
        ("egg > chop 0", "'chop 0' needs minutes from 1 to 10000, the smaller number first"),
        ("egg > chop 4-2", "'chop 4-2' needs minutes from 1 to 10000, the smaller number first"),
        ("egg > chop -2", "'chop -2' needs minutes or a level of doneness (here: none)"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_component(text, TABLE)
    assert str(caught.value) == f"{text!r}: {problem}"


@quick
@given(food=foods())
def test_a_food_is_read_as_it_is_written(food: Food) -> None:
    assert parse_food(str(food)) == food
    assert parse_thing(str(food)) == food


@quick
@given(eaten=st.lists(foods(), min_size=1, max_size=4))
def test_a_dish_is_read_as_it_is_written(eaten: list[Food]) -> None:
    text = f"dish[{'; '.join(map(str, eaten))}]"
    dish = parse_dish(text)
    assert parse_thing(str(dish)) == dish
    assert sorted(map(str, dish.components)) == sorted(map(str, eaten))


def test_a_food_has_exact_minutes() -> None:
    with pytest.raises(NotationError, match="a food has exact minutes"):
        parse_food("egg > boil 4-5")


def test_combining() -> None:
    egg, oil = Component("egg"), parse_component("oil > chop 1", {})
    assert combine([egg]) is egg
    assert combine([oil, egg]) == combine([egg, oil])
    assert combine([oil, egg, combine([egg, oil])]).name == "egg+oil"


def test_walk_and_ingredients() -> None:
    component = parse_component("((egg + oil) > mix 2 + oil) > fry 5", {})
    assert component.ingredients() == ("egg", "oil", "oil")
    assert [str(node) for node in component.walk()] == [
        "((egg + oil) > mix 2 + oil) > fry 5",
        "(egg + oil) > mix 2",
        "egg",
        "oil",
        "oil",
    ]


# --------------------------------------------------------------------------------------- Fits


@pytest.mark.parametrize(
    ("food", "component", "good"),
    [
        ("egg", "egg", True),
        ("egg", "oil", False),
        ("egg > boil 4", "egg > boil soft", True),
        ("egg > boil 5", "egg > boil soft", True),
        ("egg > boil 3", "egg > boil soft", False),
        ("egg > boil 6", "egg > boil soft", False),
        ("egg > boil 6", "egg > boil 6", True),
        ("egg > boil 7", "egg > boil 6", False),
        ("egg > fry 6", "egg > boil 6", False),
        ("egg", "egg > boil 6", False),
        ("egg > boil 6", "egg", False),
        ("potato > peel 1 > boil 9", "potato > peel 1 > boil 9", True),
        ("potato > boil 9 > peel 1", "potato > peel 1 > boil 9", False),
        ("(egg + oil) > mix 2", "(oil + egg) > mix 1-3", True),
        ("(egg + oil) > mix 2", "(oil + egg + bun) > mix 2", False),
        ("(egg + oil + bun) > mix 2", "(oil + egg) > mix 2", False),
        ("(egg + egg + oil)", "(egg + oil + oil)", False),
        ("((egg + oil) + bun)", "(egg + oil + bun)", False),
        ("((egg + oil) > mix 2 + bun)", "(bun + (egg + oil) > mix 2)", True),
        ("(egg > boil 4 + oil)", "(egg > boil 5 + oil)", False),
        # The first egg would do for both, the second only for the first.
        ("(egg > boil 5 + egg > boil 8)", "(egg > boil 4-8 + egg > boil 5)", True),
        ("(egg > boil 8 + egg > boil 9)", "(egg > boil 4-9 + egg > boil 5)", False),
    ],
)
def test_whether_a_food_is_what_is_asked_for(food: str, component: str, good: bool) -> None:
    assert fits(parse_food(food), parse_component(component, TABLE)) is good


@quick
@given(food=foods())
def test_every_food_fits_its_own_description(food: Food) -> None:
    assert fits(food, parse_component(str(food), {}))


@quick
@given(food=foods(), process=processes)
def test_no_food_fits_once_more_was_done_to_it(food: Food, process: str) -> None:
    assert not fits(food.apply(process, 1), parse_component(str(food), {}))


# ------------------------------------------------------------------------------------ Pairing


def test_pairing_says_which_food_is_which_component() -> None:
    eaten = (parse_food("egg > boil 5"), parse_food("egg > boil 8"), parse_food("bun"))
    wanted = tuple(parse_component(text, {}) for text in ("bun", "egg > boil 4-8", "egg > boil 5"))
    assert pair_off(eaten, wanted) == {0: 2, 1: 1, 2: 0}
    assert pair_off(eaten[:2], wanted) is None
    assert pair_off(eaten, wanted[:2]) is None
    assert pair_off((), ()) == {}


@quick
@given(
    bun=st.lists(st.integers(1, 9), min_size=1, max_size=4),
    windows=st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4)), min_size=1, max_size=4),
)
def test_there_is_a_pairing_where_any_order_fits(
    bun: list[int], windows: list[tuple[int, int]]
) -> None:
    eaten = tuple(Food("bun").apply("grill", minutes) for minutes in bun)
    wanted = tuple(
        Component("bun", (), (StepSpec("grill", low, low + more),)) for low, more in windows
    )
    found = pair_off(eaten, wanted)
    some_order_fits = len(eaten) == len(wanted) and any(
        all(map(fits, eaten, order)) for order in permutations(wanted)
    )
    assert (found is not None) == some_order_fits
    if found is not None:
        assert sorted(found) == list(range(len(eaten)))
        assert sorted(found.values()) == list(range(len(wanted)))
        assert all(fits(eaten[f], wanted[c]) for f, c in found.items())


@quick
@given(wanted=st.lists(st.lists(st.integers(0, 4), unique=True, max_size=4), max_size=5))
def test_a_matching_is_as_large_as_any(wanted: list[list[int]]) -> None:
    found = maximum_matching(wanted)
    assert len(set(found.values())) == len(found)
    assert all(right in wanted[left] for left, right in found.items())

    def largest(left: int, taken: frozenset[int]) -> int:
        if left == len(wanted):
            return 0
        with_it = [
            1 + largest(left + 1, taken | {right}) for right in wanted[left] if right not in taken
        ]
        return max([largest(left + 1, taken), *with_it])

    assert len(found) == largest(0, frozenset())
