"""The scheduler counts what is left of things of which there is not enough."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def toasts(floor: Any) -> Any:
    shift = floor.shift("standard", effort=600)
    shift.order(["Buttered Toast", "Greek Salad", "Buttered Toast"])
    return shift


@pytest.mark.parametrize(("stock", "served"), [(0, 1), (1, 2), (2, 3)])
def test_what_there_is_enough_for_is_served_and_nothing_else_is_begun(
    toasts: Any, stock: int, served: int
) -> None:
    toasts.stocked(bread=stock).play(100)
    assert (len(toasts.served), toasts.fails, toasts.wrong) == (served, [], [])
    assert toasts.leftovers() == []


def test_without_plates_nothing_is_begun(toasts: Any) -> None:
    toasts.stocked(plate=0)
    assert {action for row in toasts.plan() for action in row.values()} == {"wait"}


def test_bread_in_two_grills_is_gone_on_with_while_others_hold_food(floor: Any) -> None:
    shift = floor.shift("standard", effort=600)
    shift.order(["Greek Salad", "Boiled Egg and Soldiers", "Buttered Toast"])
    shift.state = floor.with_things(
        shift.stocked(bread=0).state,
        "plating_1: butter",
        "plating_2",
        "fridge: egg",
        grill_1=["bread"],
        grill_2=["bread"],
        since={"grill_2": -3},
    )
    shift.finish()
    assert shift.leftovers() == []


def test_all_lines_for_which_there_is_enough_are_made_together(toasts: Any) -> None:
    toasts.stocked(bread=1)
    actions = {action for row in toasts.plan() for action in row.values()}
    assert {action for action in actions if action.startswith("serve")} == {
        "serve(o1.1)",
        "serve(o1.2)",
    }
