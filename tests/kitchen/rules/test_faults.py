"""Stations and workers out of service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kitchen.conftest import Bench


def test_a_broken_station_can_be_entered_and_emptied_and_nothing_else(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "aisle", "board_1: egg", "grill_1", grill_1=["bun"])
    for station in ("grill_1", "board_1", "board_2"):
        state = bench.broken(kitchen, state, station, 9)
    state, reasons = bench.step(kitchen, state, "navigate(board_2)", "place", "start")
    assert reasons == [None, "out_of_service", "out_of_service"]
    state, reasons = bench.step(kitchen, state, "chop", "wait", "pick")
    assert reasons == ["out_of_service", None, None]
    assert bench.hand(state, 2) == "bun"


def test_a_broken_counter_can_only_be_emptied(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1", "counter_1: oil", counter_1=["egg"])
    state = bench.broken(kitchen, state, "counter_1", 1)
    state, reasons = bench.step(kitchen, state, "pick", "place")
    assert reasons == [None, "out_of_service"]


def test_a_broken_dispenser_gives_nothing_out(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.broken(kitchen, bench.state(kitchen, "fridge"), "fridge", 2)
    state, reasons = bench.step(kitchen, state, "pick(egg)")
    assert reasons == ["out_of_service"]
    state, reasons = bench.step(kitchen, state, "pick(nothing)")
    assert reasons == ["out_of_service"]
    state, reasons = bench.step(kitchen, state, "pick(egg)")
    assert reasons == [None]


@pytest.mark.parametrize("before", [1, 3])
@pytest.mark.parametrize("outage", [1, 2, 4])
@pytest.mark.parametrize("later", [0, 2])
def test_an_outage_pauses_the_clocks(bench: Bench, before: int, outage: int, later: int) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "oven_1", oven_1=["bun"])
    state, _ = bench.step(kitchen, state, "start")
    state = bench.passing(kitchen, state, before - 1)
    state = bench.broken(kitchen, state, "oven_1", outage)
    state = bench.passing(kitchen, state, outage + later)
    state, _ = bench.step(kitchen, state, "pick")
    assert bench.hand(state) == f"bun > bake {before + later}"


@pytest.mark.parametrize("waited", [0, 1, 3])
def test_what_is_taken_out_during_an_outage_has_its_minutes_from_before(
    bench: Bench, waited: int
) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pan_1", pan_1=["bun", "egg"])
    state, _ = bench.step(kitchen, state, "start")
    state = bench.passing(kitchen, state, 2)
    state = bench.passing(kitchen, bench.broken(kitchen, state, "pan_1", 9), waited)
    state, reasons = bench.step(kitchen, state, "pick")
    assert reasons == [None]
    assert bench.hand(state) == "(bun > fry 3 + egg > fry 3)"


def test_two_outages_pause_twice(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "oven_1", oven_1=["bun"])
    state, _ = bench.step(kitchen, state, "start")
    for _ in range(2):
        state = bench.passing(kitchen, bench.broken(kitchen, state, "oven_1", 3), 3 + 1)
    state, _ = bench.step(kitchen, state, "pick")
    assert bench.hand(state) == "bun > bake 3"


@pytest.mark.parametrize(("first", "second", "end"), [(2, 5, 6), (5, 1, 5)])
def test_a_second_fault_lasts_until_the_later_end(
    bench: Bench, first: int, second: int, end: int
) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "oven_1", oven_1=["bun"])
    state = bench.broken(kitchen, state, "oven_1", first)
    state = bench.passing(kitchen, state, 1)
    state = bench.broken(kitchen, state, "oven_1", second)
    while "oven_1" in state.out:
        assert bench.step(kitchen, state, "start")[1] == ["out_of_service"]
        state = bench.passing(kitchen, state, 1)
    assert state.timestep == end
    assert bench.step(kitchen, state, "start")[1] == [None]


def test_a_worker_out_of_service_stands_in_the_aisle_with_what_it_holds(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.ill(kitchen, bench.state(kitchen, "board_1: egg", "aisle"), "ann", 2)
    assert bench.places(state)[0] == "aisle"
    state, reasons = bench.step(kitchen, state, "place", "navigate(board_1)")
    assert reasons == ["out_of_service", None]
    state, reasons = bench.step(kitchen, state, "navigate(nowhere)")
    assert reasons == ["out_of_service"]
    state, reasons = bench.step(kitchen, state, "navigate(bin)")
    assert reasons == [None]
    assert bench.hand(state) == "egg"


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("wait", None),
        ("navigate(aisle)", "out_of_service"),
        ("pick", "out_of_service"),
        ("chop", "out_of_service"),
        ("start", "out_of_service"),
        ("serve(o1.1)", "out_of_service"),
        ("discard", "out_of_service"),
    ],
)
def test_out_of_service_comes_before_all_other_checks(
    bench: Bench, action: str, reason: str | None
) -> None:
    kitchen = bench.kitchen()
    state = bench.ill(kitchen, bench.state(kitchen), "ann", 1)
    assert bench.step(kitchen, state, action)[1] == [reason]


def test_the_hand_is_looked_at_before_the_outage_of_the_station(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.broken(kitchen, bench.state(kitchen, "grill_1: egg", "grill_2"), "grill_1", 1)
    state = bench.broken(kitchen, state, "grill_2", 1)
    assert bench.step(kitchen, state, "start", "place")[1] == ["hands_full", "hands_empty"]
