"""A timestep, and how workers get from place to place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cookmas.kitchen.actions import Wait
from cookmas.kitchen.simulator import step
from cookmas.kitchen.world import Restaurant

if TYPE_CHECKING:
    from tests.kitchen.conftest import Bench


# A timestep


def test_an_episode_opens_in_the_aisle(bench: Bench) -> None:
    state = Restaurant(bench.kitchen(workers=2, stock={"egg": 4})).start()
    assert bench.places(state) == ["aisle", "aisle"]
    assert [bench.hand(state, 0), bench.hand(state, 1)] == [None, None]
    assert (state.timestep, state.contents, state.out) == (0, {}, {})
    assert state.stock == {"egg": 4}


def test_a_later_worker_meets_what_an_earlier_one_did(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1: egg", "counter_1")
    after, reasons = bench.step(kitchen, state, "place", "pick(egg)")
    assert reasons == [None, None]
    assert (bench.hand(after, 0), bench.hand(after, 1)) == (None, "egg")


def test_an_earlier_worker_does_not_meet_what_a_later_one_does(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1", "counter_1: egg")
    after, reasons = bench.step(kitchen, state, "pick(egg)", "place")
    assert reasons == ["not_here", None]
    assert bench.lying(after, "counter_1") == {1: "egg"}


def test_as_many_actions_as_workers(bench: Bench) -> None:
    kitchen = bench.kitchen(workers=3)
    with pytest.raises(ValueError, match="expected 3 actions, one for each worker, not 2"):
        step(kitchen, bench.state(kitchen), [Wait(), Wait()])


# navigate


def test_any_distance_takes_one_timestep(bench: Bench) -> None:
    kitchen = bench.kitchen()
    after, reasons = bench.step(kitchen, bench.state(kitchen), "navigate(oven_2)")
    assert reasons == [None]
    assert bench.places(after) == ["oven_2", "aisle", "aisle"]
    assert after.timestep == 1


def test_a_station_that_is_not_there(bench: Bench) -> None:
    kitchen = bench.kitchen()
    after, reasons = bench.step(kitchen, bench.state(kitchen), "navigate(grill_9)")
    assert reasons == ["unknown_station"]
    assert bench.places(after)[0] == "aisle"


def test_navigating_to_where_one_stands_is_staying(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1")
    after, reasons = bench.step(kitchen, state, "navigate(grill_1)", "navigate(grill_1)")
    assert reasons == [None, "occupied"]
    assert bench.places(after)[:2] == ["grill_1", "aisle"]


def test_a_taken_station_cannot_be_entered(bench: Bench) -> None:
    kitchen = bench.kitchen()
    after, reasons = bench.step(
        kitchen, bench.state(kitchen, "aisle", "grill_1"), "navigate(grill_1)"
    )
    assert reasons == ["occupied"]
    assert bench.places(after)[:2] == ["aisle", "grill_1"]


def test_the_second_arrival_fails(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "bin", "pass")
    after, reasons = bench.step(kitchen, state, "navigate(grill_1)", "navigate(grill_1)")
    assert reasons == [None, "occupied"]
    assert bench.places(after)[:2] == ["grill_1", "pass"]


def test_workers_swap_places(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", "oven_1")
    after, reasons = bench.step(kitchen, state, "navigate(oven_1)", "navigate(grill_1)")
    assert reasons == [None, None]
    assert bench.places(after)[:2] == ["oven_1", "grill_1"]


def test_workers_move_round_in_a_ring(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", "oven_1", "pan_1")
    after, reasons = bench.step(
        kitchen, state, "navigate(oven_1)", "navigate(pan_1)", "navigate(grill_1)"
    )
    assert reasons == [None, None, None]
    assert bench.places(after) == ["oven_1", "pan_1", "grill_1"]


def test_a_chain_of_arrivals_into_a_station_that_is_left(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", "oven_1", "pan_1")
    after, reasons = bench.step(
        kitchen, state, "navigate(oven_1)", "navigate(pan_1)", "navigate(aisle)"
    )
    assert reasons == [None, None, None]
    assert bench.places(after) == ["oven_1", "pan_1", "aisle"]


def test_who_cannot_leave_keeps_the_whole_chain_out(bench: Bench) -> None:
    kitchen = bench.kitchen(workers=4)
    state = bench.state(kitchen, "grill_1", "oven_1", "pan_1", "pot_1")
    after, reasons = bench.step(
        kitchen, state, "navigate(oven_1)", "navigate(pan_1)", "navigate(pot_1)", "wait"
    )
    assert reasons == ["occupied", "occupied", "occupied", None]
    assert bench.places(after) == bench.places(state)


def test_an_arrival_is_settled_again_when_another_fails(bench: Bench) -> None:
    """bob cannot leave the oven, so ann, first in the order, cannot enter it, and dee can stay."""
    kitchen = bench.kitchen(workers=4)
    state = bench.state(kitchen, "aisle", "oven_1", "pan_1", "aisle")
    after, reasons = bench.step(
        kitchen, state, "navigate(oven_1)", "navigate(pan_1)", "wait", "navigate(grill_1)"
    )
    assert reasons == ["occupied", "occupied", None, None]
    assert bench.places(after) == ["aisle", "oven_1", "pan_1", "grill_1"]


def test_the_kitchen_s_file_may_make_more_room(bench: Bench) -> None:
    kitchen = bench.kitchen(workers=4, rooms={"grill_1": 2})
    state = bench.state(kitchen, "grill_1")
    after, reasons = bench.step(
        kitchen, state, "wait", "navigate(grill_1)", "navigate(grill_1)", "navigate(grill_1)"
    )
    assert reasons == [None, None, "occupied", "occupied"]
    assert bench.places(after) == ["grill_1", "grill_1", "aisle", "aisle"]


def test_any_number_of_workers_stand_at_the_pantry(bench: Bench) -> None:
    kitchen = bench.kitchen(workers=6)
    after, reasons = bench.step(kitchen, bench.state(kitchen), *["navigate(pantry)"] * 6)
    assert reasons == [None] * 6
    assert bench.places(after) == ["pantry"] * 6


def test_who_works_stays_and_keeps_others_out(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "board_1", "aisle", board_1=["onion"])
    after, reasons = bench.step(kitchen, state, "chop", "navigate(board_1)")
    assert reasons == [None, "occupied"]
    assert bench.lying(after, "board_1") == {1: "onion > chop 1"}
