"""Attended work, and cooking by the clock."""

from __future__ import annotations

import pytest

from cookmas.kitchen.layout import KINDS, WORK
from tests.kitchen.bench import Bench

# work


@pytest.mark.parametrize("process", [process for process in WORK if process != "assemble"])
def test_one_timestep_of_work(process: str) -> None:
    station = next(k.name for k in KINDS.values() if process in k.processes) + "_1"
    bench = Bench(station)
    bench.lay(**{station: ["onion"]})
    bench.do(process)
    bench.do(process)
    assert bench.lying(station) == {1: f"onion > {process} 2"}


def test_interrupted_work_keeps_its_progress_and_another_goes_on() -> None:
    bench = Bench("board_1", "aisle", board_1=["onion"])
    bench.do("chop")
    bench.do("navigate(bin)", "navigate(board_1)")
    assert bench.lying("board_1") == {1: "onion > chop 1"}
    bench.do("wait", "chop")
    assert bench.lying("board_1") == {1: "onion > chop 2"}


def test_a_worker_that_falls_ill_leaves_its_work_to_others() -> None:
    bench = Bench("board_1", "aisle", board_1=["onion"])
    bench.do("chop", "wait")
    bench.fault(9, worker="ann")
    assert bench.step("chop", "navigate(board_1)") == ["out_of_service", None]
    bench.do("wait", "chop")
    assert bench.lying("board_1") == {1: "onion > chop 2"}


def test_the_mixer_joins_what_lies_in_it() -> None:
    bench = Bench("mixer_1", mixer_1=["onion > chop 1", "egg", "oil"])
    bench.do("blend")
    bench.do("mix")
    assert bench.lying("mixer_1") == {1: "(egg + oil + onion > chop 1) > blend 1 > mix 1"}


def test_what_is_added_to_a_mixture_is_joined_anew() -> None:
    bench = Bench("mixer_1: bun", mixer_1=["(egg + oil) > mix 1"])
    bench.do("place")
    bench.do("mix")
    assert bench.lying("mixer_1") == {1: "((egg + oil) > mix 1 + bun) > mix 1"}


@pytest.mark.parametrize(
    ("place", "action", "reason"),
    [
        ("board_1", "mix", "wrong_station"),
        ("mixer_1", "chop", "wrong_station"),
        ("grill_1", "chop", "wrong_station"),
        ("aisle", "assemble", "wrong_station"),
        ("board_2: egg", "chop", "hands_full"),
        ("board_2", "chop", "nothing_to_do"),
        ("mixer_2", "mix", "nothing_to_do"),
        ("plating_2", "assemble", "nothing_to_do"),
        ("board_1", "start", "wrong_station"),
        ("counter_1", "start", "wrong_station"),
        ("grill_2: egg", "start", "hands_full"),
        ("grill_2", "start", "nothing_to_do"),
    ],
)
def test_work_that_cannot_be_done(place: str, action: str, reason: str) -> None:
    bench = Bench(place, board_1=["egg"], mixer_1=["egg"], grill_1=["egg"])
    before = bench.state.contents
    assert bench.step(action) == [reason]
    assert bench.state.contents == before


@pytest.mark.parametrize(
    ("lying", "made"),
    [
        (["plate", "egg"], "dish[egg]"),
        (["egg", "plate", "bun > grill 2"], "dish[bun > grill 2; egg]"),
        (["egg", "bun"], "(bun + egg) > assemble 1"),
        (["(bun + egg) > assemble 1", "oil"], "((bun + egg) > assemble 1 + oil) > assemble 1"),
        (["plate", "(bun + egg) > assemble 1"], "dish[(bun + egg) > assemble 1]"),
        (["plate"], None),
        (["egg"], None),
        (["(bun + egg)"], None),
        (["dish[egg]"], None),
    ],
)
def test_assemble(lying: list[str], made: str | None) -> None:
    bench = Bench("plating_1", plating_1=lying)
    assert bench.step("assemble") == [None if made else "nothing_to_do"]
    assert bench.lying("plating_1") == {1: made or lying[0]}


# start, and clocks


@pytest.mark.parametrize("minutes", [1, 2, 7])
def test_taken_out_m_timesteps_after_the_start_is_m_minutes(minutes: int) -> None:
    bench = Bench("grill_1", grill_1=["bun"])
    bench.do("start")
    bench.wait(minutes - 1)
    bench.do("pick")
    assert bench.hands[0] == f"bun > grill {minutes}"


def test_started_and_taken_out_in_one_timestep_is_raw() -> None:
    bench = Bench("grill_1", "grill_1", rooms={"grill_1": 2}, grill_1=["bun"])
    bench.do("start", "pick")
    assert bench.hands[1] == "bun"


def test_nothing_cooks_before_start() -> None:
    bench = Bench("oven_1: bun")
    bench.do("place")
    bench.wait(5)
    bench.do("pick")
    assert bench.hands[0] == "bun"


def test_each_slot_has_its_own_clock() -> None:
    bench = Bench("grill_1", "grill_2: egg", grill_1=["bun"])
    bench.do("start")
    bench.do("navigate(bin)", "navigate(grill_1)")
    bench.do("wait", "place")
    bench.do("wait", "start")
    bench.do("wait", "pick(slot 1)")
    assert bench.hands[1] == "bun > grill 4"
    bench.do("navigate(pass)", "navigate(counter_1)")
    bench.do("navigate(grill_1)", "place")
    bench.do("pick")
    assert bench.hands[0] == "egg > grill 4"


def test_what_goes_into_a_pot_later_has_its_own_minutes() -> None:
    bench = Bench("pot_1", "aisle: egg", pot_1=["onion"])
    bench.do("start")
    bench.do("navigate(aisle)", "navigate(pot_1)")
    bench.do("wait", "place")
    bench.do("wait", "start")
    bench.wait(2)
    bench.do("wait", "pick")
    assert bench.hands[1] == "(egg > boil 3 + onion > boil 6)"


def test_what_was_not_started_in_a_pot_stays_raw() -> None:
    bench = Bench("pot_1", "pot_1: egg", rooms={"pot_1": 2}, pot_1=["onion"])
    bench.do("start", "place")
    bench.do("pick")
    assert bench.hands[0] == "onion > boil 1"
    assert bench.lying("pot_1") == {2: "egg"}


def test_cooked_again_in_the_same_way_is_one_longer_step() -> None:
    bench = Bench("grill_1", grill_1=["bun > grill 3"])
    bench.do("start")
    bench.do("pick")
    assert bench.hands[0] == "bun > grill 4"


def test_a_running_clock_is_not_started_again() -> None:
    bench = Bench("grill_1", grill_1=["bun"])
    bench.do("start")
    assert bench.step("start") == ["nothing_to_do"]
    bench.do("pick")
    assert bench.hands[0] == "bun > grill 2"
