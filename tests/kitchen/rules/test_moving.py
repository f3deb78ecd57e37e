"""A timestep, and how workers get from place to place."""

from __future__ import annotations

import pytest

from cookmas.kitchen.actions import Wait
from cookmas.kitchen.simulator import step
from tests.kitchen.bench import Bench


def test_an_episode_opens_in_the_aisle() -> None:
    bench = Bench(workers=2, stock={"egg": 4})
    state = bench.restaurant.start()
    assert (bench.state, bench.places, bench.hands) == (state, ["aisle"] * 2, [None] * 2)
    assert (state.timestep, state.contents, state.out, state.stock) == (0, {}, {}, {"egg": 4})


def test_a_later_worker_meets_what_an_earlier_one_did() -> None:
    bench = Bench("counter_1: egg", "counter_1")
    bench.do("place", "pick(egg)")
    assert bench.hands[:2] == [None, "egg"]


def test_an_earlier_worker_does_not_meet_what_a_later_one_does() -> None:
    bench = Bench("counter_1", "counter_1: egg")
    assert bench.step("pick(egg)", "place") == ["not_here", None]
    assert bench.lying("counter_1") == {1: "egg"}


def test_as_many_actions_as_workers() -> None:
    bench = Bench(workers=3)
    with pytest.raises(ValueError, match="expected 3 actions, one for each worker, not 2"):
        step(bench.kitchen, bench.state, [Wait(), Wait()])


NAVIGATIONS = {
    "any distance takes one timestep": ("aisle aisle aisle", "oven_2", "-", "oven_2 aisle aisle"),
    "a station that is not there": ("aisle", "grill_9", "unknown_station", "aisle"),
    "to where one stands is staying": (
        *("grill_1 aisle", "grill_1 grill_1"),
        *("- occupied", "grill_1 aisle"),
    ),
    "a taken station cannot be entered": ("aisle grill_1", "grill_1", "occupied", "aisle grill_1"),
    "the second arrival fails": (
        *("bin pass", "grill_1 grill_1"),
        *("- occupied", "grill_1 pass"),
    ),
    "workers swap places": ("grill_1 oven_1", "oven_1 grill_1", "- -", "oven_1 grill_1"),
    "workers move round in a ring": (
        *("grill_1 oven_1 pan_1", "oven_1 pan_1 grill_1"),
        *("- - -", "oven_1 pan_1 grill_1"),
    ),
    "a chain of arrivals into a station that is left": (
        *("grill_1 oven_1 pan_1", "oven_1 pan_1 aisle"),
        *("- - -", "oven_1 pan_1 aisle"),
    ),
    "who cannot leave keeps the whole chain out": (
        *("grill_1 oven_1 pan_1 pot_1", "oven_1 pan_1 pot_1 -"),
        *("occupied occupied occupied -", "grill_1 oven_1 pan_1 pot_1"),
    ),
    # bob cannot leave the oven, so ann, first in the order, cannot enter it, and dee can stay.
    "an arrival is settled again when another fails": (
        *("aisle oven_1 pan_1 aisle", "oven_1 pan_1 - grill_1"),
        *("occupied occupied - -", "aisle oven_1 pan_1 grill_1"),
    ),
    "the kitchen's file may make more room": (
        *("fryer_1 aisle aisle aisle", "- fryer_1 fryer_1 fryer_1"),
        *("- - occupied occupied", "fryer_1 fryer_1 aisle aisle"),
    ),
    "any number of workers stand at the pantry": (
        *("aisle " * 6, "pantry " * 6),
        *("- " * 6, "pantry " * 6),
    ),
}
"""Where workers stand, where they navigate, the reasons of those that cannot, and where they are.

There is room for two at fryer_1. Whose goal is "-" waits.
"""


@pytest.mark.parametrize("case", NAVIGATIONS)
def test_navigate(case: str) -> None:
    places, goals, reasons, after = map(str.split, NAVIGATIONS[case])
    bench = Bench(*places, workers=len(places), rooms={"fryer_1": 2})
    found = bench.step(*("wait" if goal == "-" else f"navigate({goal})" for goal in goals))
    assert found == [None if reason == "-" else reason for reason in reasons]
    assert bench.places == after
    assert bench.state.timestep == 1


def test_who_works_stays_and_keeps_others_out() -> None:
    bench = Bench("board_1", "aisle", board_1=["onion"])
    assert bench.step("chop", "navigate(board_1)") == [None, "occupied"]
    assert bench.lying("board_1") == {1: "onion > chop 1"}
