"""Wishes for a dish: kept, broken, or of no meaning for it."""

from __future__ import annotations

import pytest

from cookmas.evals.verdict import Verdict
from cookmas.kitchen.customizations import Customization, Done, Extra, Longer, Swap, Without
from tests.worlds.restaurant.judging.house import HOUSE

PATTY, VEGGIE = "beef patty > grill {}", "veggie patty > grill {}"
TOMATO, ONION = "tomato > slice 1", "onion > slice 1"
DRY = ["bun > grill 2", "lettuce", TOMATO, ONION]
"""A Classic Burger without its patty."""
SALAD = ["lettuce > chop 2", TOMATO, "cucumber > slice 1"]
DRESSING = "(oil + vinegar + mustard) > mix 2"
SPICY = "(mustard + mustard + oil + vinegar) > mix 2"
FRIES = "potato > peel 1 > slice 2 > {}"
SAUCE = "(garlic > chop 1 > fry 5 + tomato > chop 2 > fry 5)"
TOASTIE = "(bread + cheddar > slice 1) > assemble 1 > grill 6"

NO_ONION, NO_MUSTARD = Without(food="onion"), Without(food="mustard")
MORE_TOMATO, MORE_MUSTARD = Extra(food="tomato"), Extra(food="mustard")
VEGETARIAN = Swap(food="beef patty", by="veggie patty")
RARE, WELL_DONE = (Done(food="beef patty", level=level) for level in ("rare", "well done"))
CRISPER = Longer(food="potato", process="deep-fry", minutes=2)
FRESHER = Longer(food="tomato", process="fry", minutes=-2)
DARKER = Longer(food="cheddar", process="grill", minutes=1)

WISHES: dict[str, list[tuple[Customization, list[str], bool, str, str]]] = {
    "Classic Burger": [
        (NO_ONION, [*DRY[:3], PATTY.format(7)], True, "onion in the dish: 0", "no onion in dish"),
        (NO_ONION, [*DRY, PATTY.format(7)], False, "onion in the dish: 1", ONION),
        (
            VEGETARIAN,
            [*DRY, VEGGIE.format(8)],
            True,
            "veggie patty in its place, treated as beef patty would be",
            VEGGIE.format(8),
        ),
        (
            VEGETARIAN,
            [*DRY, VEGGIE.format(5)],
            False,
            "veggie patty grilled for 5 minutes, wanted grilled for 7 to 8 minutes: underdone",
            VEGGIE.format(5),
        ),
        (
            VEGETARIAN,
            [*DRY, PATTY.format(7)],
            False,
            "beef patty still in the dish; missing: veggie patty, grilled for 7 to 8 minutes",
            PATTY.format(7),
        ),
        (
            VEGETARIAN,
            [*DRY, PATTY.format(7), VEGGIE.format(7)],
            False,
            "beef patty still in the dish",
            f"{PATTY}; {VEGGIE}".format(7, 7),
        ),
        (
            WELL_DONE,
            [*DRY, PATTY.format(9)],
            True,
            "beef patty grilled for 9 minutes, wanted grilled for 9 to 11 minutes",
            PATTY.format(9),
        ),
        (
            RARE,
            [*DRY, PATTY.format(7)],
            False,
            "beef patty grilled for 7 minutes, wanted grilled for 3 to 4 minutes",
            PATTY.format(7),
        ),
        (
            RARE,
            DRY,
            False,
            "beef patty not grilled, wanted grilled for 3 to 4 minutes",
            "no beef patty in dish",
        ),
    ],
    "Garden Salad": [
        (
            NO_MUSTARD,
            [*SALAD, DRESSING],
            False,
            "mustard in the dish: 1",
            "(mustard + oil + vinegar) > mix 2",
        ),
        (
            NO_MUSTARD,
            [*SALAD, "(oil + vinegar) > mix 2"],
            True,
            "mustard in the dish: 0",
            "no mustard",
        ),
        *(
            (
                MORE_TOMATO,
                [*SALAD, DRESSING, *[TOMATO] * (portions - 1)],
                portions == 2,
                f"portions of tomato: {portions}, wanted 2",
                "; ".join([TOMATO] * portions),
            )
            for portions in (1, 2, 3)
        ),
        (MORE_MUSTARD, [*SALAD, SPICY], True, "portions of mustard: 2, wanted 2", SPICY),
    ],
    "French Fries": [
        (
            CRISPER,
            [FRIES.format(done), "ketchup"],
            kept,
            f"potato {said}, wanted deep-fried for 8 to 10 minutes",
            FRIES.format(done),
        )
        for done, kept, said in (
            ("deep-fry 10", True, "deep-fried for 10 minutes"),
            ("deep-fry 7", False, "deep-fried for 7 minutes"),
            ("bake 9", False, "not deep-fried"),
        )
    ],
    "Spaghetti Pomodoro": [
        (
            FRESHER,
            [SAUCE, "basil"],
            True,
            "tomato fried for 5 minutes, wanted fried for 5 to 6 minutes",
            SAUCE,
        )
    ],
    "Grilled Cheese Sandwich": [
        (
            DARKER,
            [TOASTIE],
            True,
            "cheddar grilled for 6 minutes, wanted grilled for 5 to 6 minutes",
            TOASTIE,
        )
    ],
}
"""For each dish a wish, what is served, whether that keeps the wish, and what is said of it."""


def verdict_on(item: str, wishes: list[Customization], served: list[str]) -> Verdict:
    truth = HOUSE.knowing(*wishes)
    return HOUSE.judged(HOUSE.serve(served), item, note="as I like it", truth=truth)


def kept(item: str, wishes: list[Customization], served: list[str]) -> list[bool | None]:
    return [check.passed for check in verdict_on(item, wishes, served).of("customization")]


@pytest.mark.parametrize(
    ("item", "wish", "served", "kept", "reason", "evidence"),
    [(item, *row) for item, rows in WISHES.items() for row in rows],
)
def test_a_customization_is_kept_or_broken(
    item: str, wish: Customization, served: list[str], kept: bool, reason: str, evidence: str
) -> None:
    verdict = verdict_on(item, [wish], served)
    (check,) = verdict.of("customization")
    assert (check.subject, check.value, check.passed) == (f"o1.1: {wish}", kept, kept)
    assert (verdict.summary["kept"], verdict.summary["customizations"]) == (int(kept), 1)
    assert check.reason == reason
    assert evidence in check.evidence


def test_a_wish_can_be_kept_in_a_dish_that_is_wrong_otherwise() -> None:
    assert kept("Classic Burger", [NO_ONION], [*DRY[:2], "ham"]) == [True]


def test_every_wish_is_judged_on_its_own() -> None:
    served = [*DRY[:3], PATTY.format(4)]
    assert kept("Classic Burger", [NO_ONION, RARE, MORE_TOMATO], served) == [True, True, False]


@pytest.mark.parametrize(("minutes", "right"), [(4, True), (7, False)])
def test_a_wish_for_a_swapped_food_is_read_off_what_took_its_place(
    minutes: int, right: bool
) -> None:
    served = [*DRY, VEGGIE.format(minutes)]
    assert kept("Classic Burger", [VEGETARIAN, RARE], served) == [right, right]


@pytest.mark.parametrize(
    "wish",
    [
        Extra(food="prawns"),
        Done(food="tomato", level="rare"),
        Longer(food="tomato", process="bake", minutes=1),
    ],
)
def test_a_wish_that_means_nothing_for_the_dish_is_unscored(wish: Customization) -> None:
    (check,) = verdict_on("Classic Burger", [wish], DRY[:1]).of("customization")
    assert (check.value, check.passed) == (None, None)
    assert check.reason.startswith("the dish that was asked for")


def test_a_wish_for_an_unserved_line_is_unscored() -> None:
    truth = HOUSE.knowing(NO_ONION)
    verdict = HOUSE.judged(["wait"], "Classic Burger", note="as I like it", truth=truth)
    (check,) = verdict.of("customization")
    assert (check.value, check.reason) == (None, "not served")


def test_words_of_unknown_meaning_leave_line_and_episode_unscored() -> None:
    verdict = HOUSE.judged(HOUSE.serve(DRY[:1]), "Classic Burger", note="gibberish")
    (check,) = verdict.of("customization")
    assert (check.value, check.reason) == (None, "the truth does not say what the words mean")
    (complete,) = verdict.of("complete")
    assert complete.value is None
    assert (verdict.success, verdict.why) == (None, "could not be judged: o1.1")


def test_the_words_that_count_are_the_last() -> None:
    change = {"kind": "change_line", "line": "o1.1", "note": "no onion after all"}
    actions = HOUSE.serve([*DRY[:3], PATTY.format(7)])
    truth = HOUSE.knowing(NO_ONION, note="no onion after all")
    how = {"at": {3: [change]}, "truth": truth}
    verdict = HOUSE.judged(actions, "Classic Burger", note="as I like it", **how)
    assert verdict.success is True
    assert [c.passed for c in verdict.of("customization")] == [True]
