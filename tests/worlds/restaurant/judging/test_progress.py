"""How far a dish that is not served yet has come: the share of its steps that were done right."""

from __future__ import annotations

import pytest

from cookmas.kitchen.customizations import Extra
from tests.worlds.restaurant.judging.house import HOUSE

FRIES = "potato > peel 1 > slice 2 > deep-fry 6"
SALSA = "(tomato > chop 2 + onion > chop 2 + lime) > mix 1"
ASIDE = ["navigate(counter_1)", "place"]


def steps(actions: list[str], *items: str) -> list[str]:
    """Return for each line the steps that are done, as the check says it."""
    found = list(HOUSE.judged(actions, *items).of("progress"))
    shares = [check.reason.removesuffix(" steps done").split(" of ") for check in found]
    for check, (done, whole) in zip(found, shares, strict=True):
        assert check.value == pytest.approx(int(done) / int(whole), abs=1e-4)
    return [f"{done} of {whole}" for done, whole in shares]


@pytest.mark.parametrize(
    ("made", "item", "done"),
    [
        ("potato", "French Fries", "0 of 4"),
        ("potato > peel 1", "French Fries", "1 of 4"),
        ("potato > peel 1 > slice 1", "French Fries", "1 of 4"),
        ("potato > peel 1 > slice 2", "French Fries", "2 of 4"),
        (FRIES, "French Fries", "3 of 4"),
        ("potato > peel 1 > slice 2 > deep-fry 9", "French Fries", "2 of 4"),
        ("potato > slice 2", "French Fries", "0 of 4"),
        ("ketchup", "French Fries", "0 of 4"),
        pytest.param("tomato > chop 2", "Fish Tacos", "1 of 7", id="a part before it is joined"),
        (SALSA, "Fish Tacos", "3 of 7"),
        pytest.param(
            SALSA.replace("chop 2", "chop 1", 1), "Fish Tacos", "1 of 7", id="a wrong part"
        ),
    ],
)
def test_progress_is_the_share_of_steps_that_were_done_right(
    made: str, item: str, done: str
) -> None:
    assert steps(HOUSE.make(made), item) == [done]


def test_what_still_cooks_counts_with_its_minutes_so_far() -> None:
    actions = HOUSE.make(FRIES)[:-1]
    assert steps([*actions, "wait"], "French Fries") == ["3 of 4"]
    assert steps(actions[:-1], "French Fries") == ["2 of 4"]


def test_a_finished_dish_lacks_nothing_but_serving_and_counts_for_one_line() -> None:
    actions = HOUSE.serve([FRIES, "ketchup"])
    for items, done in ((1, ["4 of 4"]), (2, ["4 of 4", "0 of 4"])):
        assert steps(actions[:-1], *["French Fries"] * items) == done
    assert steps(actions, "French Fries") == []


def test_no_food_counts_twice() -> None:
    assert steps(HOUSE.make(FRIES), "French Fries", "French Fries") == ["3 of 4", "0 of 4"]
    more = HOUSE.knowing(Extra(food="tomato"))
    tomato = HOUSE.make("tomato > slice 1")
    verdict = HOUSE.judged(tomato, "Garden Salad", note="as I like it", truth=more)
    assert [check.reason for check in verdict.of("progress")] == ["1 of 6 steps done"]


def test_the_food_that_has_come_furthest_counts() -> None:
    actions = [*HOUSE.make(FRIES), *ASIDE, *HOUSE.make("potato > peel 1")]
    (check,) = HOUSE.judged(actions, "French Fries").of("progress")
    assert (check.value, check.evidence) == (0.75, FRIES)


def test_spare_parts_of_what_is_joined_already_do_not_count() -> None:
    actions = [*HOUSE.make(SALSA), *ASIDE, *HOUSE.make("tomato > chop 2")]
    assert steps(actions, "Fish Tacos") == ["3 of 7"]
