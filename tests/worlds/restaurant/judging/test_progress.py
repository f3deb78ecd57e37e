from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cookmas import judge
from cookmas.evals.verdict import Check
from cookmas.kitchen.customizations import Extra

if TYPE_CHECKING:
    from tests.worlds.restaurant.judging.conftest import House

FRIES = "potato > peel 1 > slice 2 > deep-fry 6"


def progress(house: House, actions: list[str], *items: str) -> list[Check]:
    trace = house.play(actions, {0: [house.order(*items)]})
    return list(judge(trace, house.truth).of("progress"))


@pytest.mark.parametrize(
    ("made", "done"),
    [
        ("potato", 0),
        ("potato > peel 1", 1),
        ("potato > peel 1 > slice 1", 1),
        ("potato > peel 1 > slice 2", 2),
        (FRIES, 3),
        ("potato > peel 1 > slice 2 > deep-fry 9", 2),
        ("potato > slice 2", 0),
        ("ketchup", 0),
    ],
)
def test_progress_is_the_share_of_steps_that_were_done_right(
    house: House, made: str, done: int
) -> None:
    (check,) = progress(house, house.make(made), "French Fries")
    assert check.value == done / 4
    assert check.reason == f"{done} of 4 steps done"


def test_what_still_cooks_counts_with_its_minutes_so_far(house: House) -> None:
    actions = house.make(FRIES)[:-1]
    assert [c.value for c in progress(house, [*actions, "wait"], "French Fries")] == [0.75]
    assert [c.value for c in progress(house, actions[:-1], "French Fries")] == [0.5]


def test_a_finished_dish_lacks_nothing_but_serving(house: House) -> None:
    actions = house.serve([FRIES, "ketchup"])[:-1]
    (check,) = progress(house, actions, "French Fries")
    assert check.value == 1.0


def test_parts_of_a_mixture_count_before_it_is_joined(house: House) -> None:
    (check,) = progress(house, house.make("tomato > chop 2"), "Fish Tacos")
    assert check.reason == "1 of 7 steps done"
    (check,) = progress(
        house, house.make("(tomato > chop 2 + onion > chop 2 + lime) > mix 1"), "Fish Tacos"
    )
    assert check.reason == "3 of 7 steps done"


def test_no_food_counts_for_two_lines(house: House) -> None:
    checks = progress(house, house.make(FRIES), "French Fries", "French Fries")
    assert [check.value for check in checks] == [0.75, 0.0]


def test_a_served_line_has_no_progress_check(house: House) -> None:
    assert progress(house, house.serve([FRIES, "ketchup"]), "French Fries") == []


SALSA = "(tomato > chop 2 + onion > chop 2 + lime) > mix 1"
ASIDE = ["navigate(counter_1)", "place"]


def test_no_food_counts_twice_for_one_line(house: House) -> None:
    order = house.order("Garden Salad", note="as I like it")
    trace = house.play(house.make("tomato > slice 1"), {0: [order]})
    (check,) = judge(trace, house.knowing(Extra(food="tomato"))).of("progress")
    assert check.reason == "1 of 6 steps done"


def test_the_food_that_has_come_furthest_counts(house: House) -> None:
    actions = [*house.make(FRIES), *ASIDE, *house.make("potato > peel 1")]
    (check,) = progress(house, actions, "French Fries")
    assert (check.value, check.evidence) == (0.75, FRIES)


def test_spare_parts_of_what_is_joined_already_do_not_count(house: House) -> None:
    actions = [*house.make(SALSA), *ASIDE, *house.make("tomato > chop 2")]
    (check,) = progress(house, actions, "Fish Tacos")
    assert check.reason == "3 of 7 steps done"


def test_work_on_a_mixture_counts_only_if_its_parts_are_right(house: House) -> None:
    made = "(tomato > chop 1 + onion > chop 2 + lime) > mix 1"
    (check,) = progress(house, house.make(made), "Fish Tacos")
    assert check.reason == "1 of 7 steps done"


def test_a_finished_dish_counts_for_one_line(house: House) -> None:
    actions = house.serve([FRIES, "ketchup"])[:-1]
    checks = progress(house, actions, "French Fries", "French Fries")
    assert [check.value for check in checks] == [1.0, 0.0]
