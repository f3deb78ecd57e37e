from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cookmas import judge
from cookmas.evals.verdict import Check, Verdict
from cookmas.kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without

if TYPE_CHECKING:
    from tests.worlds.restaurant.judging.conftest import House

PATTY, BUN, LETTUCE = "beef patty > grill 7", "bun > grill 2", "lettuce"
TOMATO, ONION = "tomato > slice 1", "onion > slice 1"
DRESSING = "(oil + vinegar + mustard) > mix 2"
SALAD = ["lettuce > chop 2", TOMATO, "cucumber > slice 1"]
NOODLES = "(tomato > chop 2 > fry 7 + garlic > chop 1 > fry 7)"


def verdict_on(house: House, item: str, wishes: list[Customization], served: list[str]) -> Verdict:
    trace = house.play(house.serve(served), {0: [house.order(item, note="as I like it")]})
    return judge(trace, house.knowing(*wishes))


def judged(house: House, item: str, wishes: list[Customization], served: list[str]) -> list[Check]:
    return list(verdict_on(house, item, wishes, served).of("customization"))


@pytest.mark.parametrize(
    ("item", "wish", "served", "kept", "reason", "evidence"),
    [
        (
            "Classic Burger",
            Without(food="onion"),
            [BUN, PATTY, LETTUCE, TOMATO],
            True,
            "onion in the dish: 0",
            "no onion in dish",
        ),
        (
            "Classic Burger",
            Without(food="onion"),
            [BUN, PATTY, LETTUCE, TOMATO, ONION],
            False,
            "onion in the dish: 1",
            ONION,
        ),
        (
            "Garden Salad",
            Without(food="mustard"),
            [*SALAD, DRESSING],
            False,
            "mustard in the dish: 1",
            "(mustard + oil + vinegar) > mix 2",
        ),
        (
            "Garden Salad",
            Without(food="mustard"),
            [*SALAD, "(oil + vinegar) > mix 2"],
            True,
            "mustard in the dish: 0",
            "no mustard",
        ),
        (
            "Garden Salad",
            Extra(food="tomato"),
            [*SALAD, TOMATO, DRESSING],
            True,
            "portions of tomato: 2, wanted 2",
            f"{TOMATO}; {TOMATO}",
        ),
        (
            "Garden Salad",
            Extra(food="tomato"),
            [*SALAD, DRESSING],
            False,
            "portions of tomato: 1, wanted 2",
            TOMATO,
        ),
        (
            "Garden Salad",
            Extra(food="tomato"),
            [*SALAD, TOMATO, TOMATO, DRESSING],
            False,
            "portions of tomato: 3, wanted 2",
            f"{TOMATO}; {TOMATO}; {TOMATO}",
        ),
        (
            "Garden Salad",
            Extra(food="mustard"),
            [*SALAD, "(oil + vinegar + mustard + mustard) > mix 2"],
            True,
            "portions of mustard: 2, wanted 2",
            "(mustard + mustard + oil + vinegar) > mix 2",
        ),
        (
            "Classic Burger",
            Swap(food="beef patty", by="veggie patty"),
            [BUN, "veggie patty > grill 8", LETTUCE, TOMATO, ONION],
            True,
            "veggie patty in its place, treated as beef patty would be",
            "veggie patty > grill 8",
        ),
        (
            "Classic Burger",
            Swap(food="beef patty", by="veggie patty"),
            [BUN, "veggie patty > grill 5", LETTUCE, TOMATO, ONION],
            False,
            "veggie patty grilled for 5 minutes, wanted grilled for 7 to 8 minutes: underdone",
            "veggie patty > grill 5",
        ),
        (
            "Classic Burger",
            Swap(food="beef patty", by="veggie patty"),
            [BUN, PATTY, LETTUCE, TOMATO, ONION],
            False,
            "beef patty still in the dish; missing: veggie patty, grilled for 7 to 8 minutes",
            PATTY,
        ),
        (
            "Classic Burger",
            Swap(food="beef patty", by="veggie patty"),
            [BUN, PATTY, "veggie patty > grill 7", LETTUCE, TOMATO, ONION],
            False,
            "beef patty still in the dish",
            f"{PATTY}; veggie patty > grill 7",
        ),
        (
            "Classic Burger",
            Done(food="beef patty", level="well done"),
            [BUN, "beef patty > grill 9", LETTUCE, TOMATO, ONION],
            True,
            "beef patty grilled for 9 minutes, wanted grilled for 9 to 11 minutes",
            "beef patty > grill 9",
        ),
        (
            "Classic Burger",
            Done(food="beef patty", level="rare"),
            [BUN, PATTY, LETTUCE, TOMATO, ONION],
            False,
            "beef patty grilled for 7 minutes, wanted grilled for 3 to 4 minutes",
            PATTY,
        ),
        (
            "Classic Burger",
            Done(food="beef patty", level="rare"),
            [BUN, LETTUCE, TOMATO, ONION],
            False,
            "beef patty not grilled, wanted grilled for 3 to 4 minutes",
            "no beef patty in dish",
        ),
        (
            "French Fries",
            Longer(food="potato", process="deep-fry", minutes=2),
            ["potato > peel 1 > slice 2 > deep-fry 10", "ketchup"],
            True,
            "potato deep-fried for 10 minutes, wanted deep-fried for 8 to 10 minutes",
            "potato > peel 1 > slice 2 > deep-fry 10",
        ),
        (
            "French Fries",
            Longer(food="potato", process="deep-fry", minutes=2),
            ["potato > peel 1 > slice 2 > deep-fry 7", "ketchup"],
            False,
            "potato deep-fried for 7 minutes, wanted deep-fried for 8 to 10 minutes",
            "potato > peel 1 > slice 2 > deep-fry 7",
        ),
        (
            "French Fries",
            Longer(food="potato", process="deep-fry", minutes=2),
            ["potato > peel 1 > slice 2 > bake 9", "ketchup"],
            False,
            "potato not deep-fried, wanted deep-fried for 8 to 10 minutes",
            "potato > peel 1 > slice 2 > bake 9",
        ),
        (
            "Spaghetti Pomodoro",
            Longer(food="tomato", process="fry", minutes=-2),
            ["(tomato > chop 2 > fry 5 + garlic > chop 1 > fry 5)", "basil"],
            True,
            "tomato fried for 5 minutes, wanted fried for 5 to 6 minutes",
            "(garlic > chop 1 > fry 5 + tomato > chop 2 > fry 5)",
        ),
        (
            "Grilled Cheese Sandwich",
            Longer(food="cheddar", process="grill", minutes=1),
            ["(bread + cheddar > slice 1) > assemble 1 > grill 6"],
            True,
            "cheddar grilled for 6 minutes, wanted grilled for 5 to 6 minutes",
            "(bread + cheddar > slice 1) > assemble 1 > grill 6",
        ),
    ],
)
def test_a_customization_is_kept_or_broken(
    house: House,
    item: str,
    wish: Customization,
    served: list[str],
    kept: bool,
    reason: str,
    evidence: str,
) -> None:
    verdict = verdict_on(house, item, [wish], served)
    (check,) = verdict.of("customization")
    assert (check.subject, check.value, check.passed) == (f"o1.1: {wish}", kept, kept)
    assert (verdict.summary["kept"], verdict.summary["customizations"]) == (int(kept), 1)
    assert check.reason == reason
    assert evidence in check.evidence


def test_a_wish_can_be_kept_in_a_dish_that_is_wrong_otherwise(house: House) -> None:
    (check,) = judged(house, "Classic Burger", [Without(food="onion")], [BUN, LETTUCE, "ham"])
    assert check.passed is True


def test_every_wish_is_judged_on_its_own(house: House) -> None:
    wishes: list[Customization] = [
        Without(food="onion"),
        Done(food="beef patty", level="rare"),
        Extra(food="tomato"),
    ]
    served = [BUN, "beef patty > grill 4", LETTUCE, TOMATO]
    checks = judged(house, "Classic Burger", wishes, served)
    assert [check.passed for check in checks] == [True, True, False]


def test_a_wish_for_a_swapped_food_is_read_off_what_took_its_place(house: House) -> None:
    wishes: list[Customization] = [
        Swap(food="beef patty", by="veggie patty"),
        Done(food="beef patty", level="rare"),
    ]
    for minutes, kept in ((4, True), (7, False)):
        served = [BUN, f"veggie patty > grill {minutes}", LETTUCE, TOMATO, ONION]
        checks = judged(house, "Classic Burger", wishes, served)
        assert [check.passed for check in checks] == [kept, kept]


@pytest.mark.parametrize(
    "wish",
    [
        Extra(food="prawns"),
        Done(food="tomato", level="rare"),
        Longer(food="tomato", process="bake", minutes=1),
    ],
)
def test_a_wish_that_means_nothing_for_the_dish_is_unscored(
    house: House, wish: Customization
) -> None:
    (check,) = judged(house, "Classic Burger", [wish], [BUN])
    assert (check.value, check.passed) == (None, None)
    assert check.reason.startswith("the dish that was asked for")


def test_a_wish_for_an_unserved_line_is_unscored(house: House) -> None:
    trace = house.play(["wait"], {0: [house.order("Classic Burger", note="as I like it")]})
    (check,) = judge(trace, house.knowing(Without(food="onion"))).of("customization")
    assert (check.value, check.reason) == (None, "not served")


def test_words_of_unknown_meaning_leave_line_and_episode_unscored(house: House) -> None:
    trace = house.play(house.serve([BUN]), {0: [house.order("Classic Burger", note="gibberish")]})
    verdict = judge(trace, house.truth)
    (check,) = verdict.of("customization")
    assert (check.value, check.reason) == (None, "the truth does not say what the words mean")
    (complete,) = verdict.of("complete")
    assert complete.value is None
    assert (verdict.success, verdict.why) == (None, "could not be judged: o1.1")


def test_the_words_that_count_are_the_last(house: House) -> None:
    events = {
        0: [house.order("Classic Burger", note="as I like it")],
        3: [{"kind": "change_line", "line": "o1.1", "note": "no onion after all"}],
    }
    trace = house.play(house.serve([BUN, PATTY, LETTUCE, TOMATO]), events)
    verdict = judge(trace, house.knowing(Without(food="onion"), note="no onion after all"))
    assert verdict.success is True
    assert [c.passed for c in verdict.of("customization")] == [True]
