from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cookmas.kitchen.components import Component
from cookmas.kitchen.foods import Food, FoodStep, join
from tests.sampling import examples
from tests.worlds.restaurant.judging.house import HOUSE

BURGER = ["bun > grill 2", "beef patty > grill 7", "lettuce", "tomato > slice 1", "onion > slice 1"]


def test_a_dish_as_ordered_is_complete_and_a_success() -> None:
    verdict = HOUSE.judged(HOUSE.serve(BURGER), "Classic Burger")
    assert verdict.success is True
    assert [(c.subject, c.passed) for c in verdict.of("complete")] == [("o1.1", True)]
    assert not [c for name in ("missing", "wrong", "extra") for c in verdict.of(name)]
    assert verdict.summary["complete"] == verdict.summary["standing"] == 1


@pytest.mark.parametrize(
    ("served", "kind", "value", "reason"),
    [
        (BURGER[:4], "missing", "onion > slice 1", "missing: onion, sliced for 1 minute"),
        ([*BURGER, "ham"], "extra", "ham", "extra: ham"),
        *(
            (
                [*BURGER[:1], f"beef patty > grill {done}", *BURGER[2:]],
                "wrong",
                "beef patty > grill medium",
                f"beef patty grilled for {done} minutes, "
                f"wanted grilled medium (7 to 8 minutes): {how}",
            )
            for done, how in ((6, "underdone"), (15, "burnt"))
        ),
        (
            ["bun > grill 3", *BURGER[1:]],
            "wrong",
            "bun > grill 1-2",
            "bun grilled for 3 minutes, wanted grilled for 1 to 2 minutes: overdone",
        ),
    ],
)
def test_a_dish_at_fault_says_food_by_food_what_is_wrong(
    served: list[str], kind: str, value: str, reason: str
) -> None:
    verdict = HOUSE.judged(HOUSE.serve(served), "Classic Burger")
    assert verdict.success is False
    (complete,) = verdict.of("complete")
    assert (complete.value, complete.passed, complete.reason) == (False, False, reason)
    faults = [c for name in ("missing", "wrong", "extra") for c in verdict.of(name)]
    assert [(c.name, c.value, c.reason) for c in faults] == [(kind, value, reason)]


def test_an_unserved_line_is_not_complete() -> None:
    verdict = HOUSE.judged(["wait"], "French Fries")
    (complete,) = verdict.of("complete")
    assert (complete.passed, complete.reason) == (False, "not served")
    assert verdict.success is False


ITEMS = [
    "Apple Crumble", "Bangers and Mash", "Fish and Chips", "Greek Salad",
    "Lasagne", "Pork Schnitzel", "Steak Frites", "Tomato Soup",
]  # fmt: skip


def as_food(component: Component) -> Food:
    """The component with the fewest minutes it may have."""
    bare = join(tuple(map(as_food, component.parts))) if component.parts else Food(component.name)
    steps = tuple(FoodStep(step.process, step.low) for step in component.steps)
    return Food(bare.name, bare.parts, steps)


def nodes(food: Food) -> list[Food]:
    return [food, *(node for part in food.parts for node in nodes(part))]


def replaced(food: Food, old: Food, new: Food) -> Food:
    """The food with `new` in the place of the first `old`."""
    if food == old:
        return new
    parts = list(food.parts)
    for index, part in enumerate(parts):
        if old in nodes(part):
            parts[index] = replaced(part, old, new)
            return Food(join(tuple(parts)).name, join(tuple(parts)).parts, food.steps)
    return food


@pytest.mark.parametrize("item", ITEMS)
def test_a_dish_made_by_the_book_is_complete(item: str) -> None:
    foods = [str(as_food(component)) for component in HOUSE.truth.items[item]]
    verdict = HOUSE.judged(HOUSE.serve(foods), item)
    assert verdict.success is True, verdict.why


@settings(max_examples=examples(60, tests=12), suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_a_dish_with_one_food_altered_is_never_complete(data: st.DataObject) -> None:
    item = data.draw(st.sampled_from(ITEMS))
    foods = [as_food(component) for component in HOUSE.truth.items[item]]
    index = data.draw(st.integers(0, len(foods) - 1))
    match data.draw(st.sampled_from(["drop", "add", "double", "rename", "overdo"])):
        case "drop" if len(foods) > 1:
            del foods[index]
        case "double":
            foods.append(foods[index])
        case "rename":
            leaves = [node for node in nodes(foods[index]) if not node.parts]
            leaf = data.draw(st.sampled_from(leaves))
            foods[index] = replaced(foods[index], leaf, Food("prawns", (), leaf.steps))
        case "overdo":
            foods[index] = foods[index].apply("grate", 9)
        case _:
            foods.append(Food("prawns"))
    verdict = HOUSE.judged(HOUSE.serve(map(str, foods)), item)
    assert verdict.summary["served"] == 1
    assert verdict.success is False
    assert [c for name in ("missing", "wrong", "extra") for c in verdict.of(name)]
