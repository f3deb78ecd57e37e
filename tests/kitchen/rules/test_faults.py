"""Stations and workers out of service."""

from __future__ import annotations

import pytest

from tests.kitchen.bench import Bench


def test_a_broken_station_can_be_entered_and_emptied_and_nothing_else() -> None:
    bench = Bench("aisle", "board_1: egg", "grill_1", grill_1=["bun"])
    for station in ("grill_1", "board_1", "board_2"):
        bench.fault(9, station=station)
    reasons = bench.step("navigate(board_2)", "place", "start")
    assert reasons == [None, "out_of_service", "out_of_service"]
    assert bench.step("chop", "wait", "pick") == ["out_of_service", None, None]
    assert bench.hands[2] == "bun"


def test_a_broken_counter_can_only_be_emptied() -> None:
    bench = Bench("counter_1", "counter_1: oil", counter_1=["egg"])
    bench.fault(1, station="counter_1")
    assert bench.step("pick", "place") == [None, "out_of_service"]


def test_a_broken_dispenser_gives_nothing_out() -> None:
    bench = Bench("fridge")
    bench.fault(2, station="fridge")
    assert bench.step("pick(egg)") == ["out_of_service"]
    assert bench.step("pick(nothing)") == ["out_of_service"]
    bench.do("pick(egg)")


@pytest.mark.parametrize("before", [1, 3])
@pytest.mark.parametrize("outage", [1, 2, 4])
@pytest.mark.parametrize("later", [0, 2])
def test_an_outage_pauses_the_clocks(before: int, outage: int, later: int) -> None:
    bench = Bench("oven_1", oven_1=["bun"])
    bench.do("start")
    bench.wait(before - 1)
    bench.fault(outage, station="oven_1")
    bench.wait(outage + later)
    bench.do("pick")
    assert bench.hands[0] == f"bun > bake {before + later}"


@pytest.mark.parametrize("waited", [0, 1, 3])
def test_what_is_taken_out_during_an_outage_has_its_minutes_from_before(waited: int) -> None:
    bench = Bench("pan_1", pan_1=["bun", "egg"])
    bench.do("start")
    bench.wait(2)
    bench.fault(9, station="pan_1")
    bench.wait(waited)
    bench.do("pick")
    assert bench.hands[0] == "(bun > fry 3 + egg > fry 3)"


def test_two_outages_pause_twice() -> None:
    bench = Bench("oven_1", oven_1=["bun"])
    bench.do("start")
    for _ in range(2):
        bench.fault(3, station="oven_1")
        bench.wait(3 + 1)
    bench.do("pick")
    assert bench.hands[0] == "bun > bake 3"


@pytest.mark.parametrize(("first", "second", "end"), [(2, 5, 6), (5, 1, 5)])
def test_a_second_fault_lasts_until_the_later_end(first: int, second: int, end: int) -> None:
    bench = Bench("oven_1", oven_1=["bun"])
    bench.fault(first, station="oven_1")
    bench.wait(1)
    bench.fault(second, station="oven_1")
    while "oven_1" in bench.state.out:
        assert bench.step("start") == ["out_of_service"]
    assert bench.state.timestep == end
    bench.do("start")


def test_a_worker_out_of_service_stands_in_the_aisle_with_what_it_holds() -> None:
    bench = Bench("board_1: egg", "aisle")
    bench.fault(2, worker="ann")
    assert bench.places[0] == "aisle"
    assert bench.step("place", "navigate(board_1)") == ["out_of_service", None]
    assert bench.step("navigate(nowhere)") == ["out_of_service"]
    bench.do("navigate(bin)")
    assert bench.hands[0] == "egg"


REFUSED = ("navigate(aisle)", "pick", "chop", "start", "serve(o1.1)", "discard")


@pytest.mark.parametrize("action", ["wait", *REFUSED])
def test_out_of_service_comes_before_all_other_checks(action: str) -> None:
    bench = Bench()
    bench.fault(1, worker="ann")
    assert bench.step(action) == ["out_of_service" if action in REFUSED else None]


def test_the_hand_is_looked_at_before_the_outage_of_the_station() -> None:
    bench = Bench("grill_1: egg", "grill_2")
    for station in ("grill_1", "grill_2"):
        bench.fault(1, station=station)
    assert bench.step("start", "place") == ["hands_full", "hands_empty"]
