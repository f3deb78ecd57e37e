"""Attended work, and cooking by the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cookmas.kitchen.layout import KINDS, WORK

if TYPE_CHECKING:
    from tests.kitchen.conftest import Bench


# work


@pytest.mark.parametrize("process", [process for process in WORK if process != "assemble"])
def test_one_timestep_of_work(bench: Bench, process: str) -> None:
    kitchen = bench.kitchen()
    station = next(k.name for k in KINDS.values() if process in k.processes) + "_1"
    state = bench.state(kitchen, station, **{station: ["onion"]})
    state, reasons = bench.step(kitchen, state, process)
    assert reasons == [None]
    state, _ = bench.step(kitchen, state, process)
    assert bench.lying(state, station) == {1: f"onion > {process} 2"}


def test_interrupted_work_keeps_its_progress_and_another_goes_on(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "board_1", "aisle", board_1=["onion"])
    state, _ = bench.step(kitchen, state, "chop")
    state, _ = bench.step(kitchen, state, "navigate(bin)", "navigate(board_1)")
    assert bench.lying(state, "board_1") == {1: "onion > chop 1"}
    state, reasons = bench.step(kitchen, state, "wait", "chop")
    assert reasons == [None, None]
    assert bench.lying(state, "board_1") == {1: "onion > chop 2"}


def test_a_worker_that_falls_ill_leaves_its_work_to_others(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "board_1", "aisle", board_1=["onion"])
    state, _ = bench.step(kitchen, state, "chop", "wait")
    state = bench.ill(kitchen, state, "ann", 9)
    state, reasons = bench.step(kitchen, state, "chop", "navigate(board_1)")
    assert reasons == ["out_of_service", None]
    state, _ = bench.step(kitchen, state, "wait", "chop")
    assert bench.lying(state, "board_1") == {1: "onion > chop 2"}


def test_the_mixer_joins_what_lies_in_it(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "mixer_1", mixer_1=["onion > chop 1", "egg", "oil"])
    state, _ = bench.step(kitchen, state, "blend")
    state, _ = bench.step(kitchen, state, "mix")
    assert bench.lying(state, "mixer_1") == {1: "(egg + oil + onion > chop 1) > blend 1 > mix 1"}


def test_what_is_added_to_a_mixture_is_joined_anew(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "mixer_1: bun", mixer_1=["(egg + oil) > mix 1"])
    state, _ = bench.step(kitchen, state, "place")
    state, _ = bench.step(kitchen, state, "mix")
    assert bench.lying(state, "mixer_1") == {1: "((egg + oil) > mix 1 + bun) > mix 1"}


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
    ],
)
def test_work_that_cannot_be_done(bench: Bench, place: str, action: str, reason: str) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, place, board_1=["egg"], mixer_1=["egg"], grill_1=["egg"])
    after, reasons = bench.step(kitchen, state, action)
    assert reasons == [reason]
    assert after.contents == state.contents


@pytest.mark.parametrize(
    ("lying", "made"),
    [
        (["plate", "egg"], "dish[egg]"),
        (["egg", "plate", "bun > grill 2"], "dish[bun > grill 2; egg]"),
        (["egg", "bun"], "(bun + egg) > assemble 1"),
        (["(bun + egg) > assemble 1", "oil"], "((bun + egg) > assemble 1 + oil) > assemble 1"),
        (["plate", "(bun + egg) > assemble 1"], "dish[(bun + egg) > assemble 1]"),
    ],
)
def test_assemble(bench: Bench, lying: list[str], made: str) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "plating_1", plating_1=lying)
    after, reasons = bench.step(kitchen, state, "assemble")
    assert reasons == [None]
    assert bench.lying(after, "plating_1") == {1: made}


@pytest.mark.parametrize("lying", [["plate"], ["egg"], ["(bun + egg)"], ["dish[egg]"]])
def test_nothing_to_assemble(bench: Bench, lying: list[str]) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "plating_1", plating_1=lying)
    after, reasons = bench.step(kitchen, state, "assemble")
    assert reasons == ["nothing_to_do"]
    assert bench.lying(after, "plating_1") == {1: lying[0]}


# start, and clocks


def test_taken_out_m_timesteps_after_the_start_is_m_minutes(bench: Bench) -> None:
    kitchen = bench.kitchen()
    for minutes in (1, 2, 7):
        state = bench.state(kitchen, "grill_1", grill_1=["bun"])
        state, reasons = bench.step(kitchen, state, "start")
        assert reasons == [None]
        state = bench.passing(kitchen, state, minutes - 1)
        state, _ = bench.step(kitchen, state, "pick")
        assert bench.hand(state) == f"bun > grill {minutes}"


def test_started_and_taken_out_in_one_timestep_is_raw(bench: Bench) -> None:
    kitchen = bench.kitchen(rooms={"grill_1": 2})
    state = bench.state(kitchen, "grill_1", "grill_1", grill_1=["bun"])
    state, reasons = bench.step(kitchen, state, "start", "pick")
    assert reasons == [None, None]
    assert bench.hand(state, 1) == "bun"


def test_nothing_cooks_before_start(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "oven_1: bun")
    state, _ = bench.step(kitchen, state, "place")
    state = bench.passing(kitchen, state, 5)
    state, _ = bench.step(kitchen, state, "pick")
    assert bench.hand(state) == "bun"


def test_each_slot_has_its_own_clock(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", "grill_2: egg", grill_1=["bun"])
    state, _ = bench.step(kitchen, state, "start")
    state, _ = bench.step(kitchen, state, "navigate(bin)", "navigate(grill_1)")
    state, _ = bench.step(kitchen, state, "wait", "place")
    state, reasons = bench.step(kitchen, state, "wait", "start")
    assert reasons == [None, None]
    state, _ = bench.step(kitchen, state, "wait", "pick(slot 1)")
    assert bench.hand(state, 1) == "bun > grill 4"
    state, _ = bench.step(kitchen, state, "navigate(pass)", "navigate(counter_1)")
    state, _ = bench.step(kitchen, state, "navigate(grill_1)", "place")
    state, _ = bench.step(kitchen, state, "pick")
    assert bench.hand(state) == "egg > grill 4"


def test_what_goes_into_a_pot_later_has_its_own_minutes(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pot_1", "aisle: egg", pot_1=["onion"])
    state, _ = bench.step(kitchen, state, "start")
    state, _ = bench.step(kitchen, state, "navigate(aisle)", "navigate(pot_1)")
    state, _ = bench.step(kitchen, state, "wait", "place")
    state, _ = bench.step(kitchen, state, "wait", "start")
    state = bench.passing(kitchen, state, 2)
    state, _ = bench.step(kitchen, state, "wait", "pick")
    assert bench.hand(state, 1) == "(egg > boil 3 + onion > boil 6)"


def test_what_was_not_started_in_a_pot_stays_raw(bench: Bench) -> None:
    kitchen = bench.kitchen(rooms={"pot_1": 2})
    state = bench.state(kitchen, "pot_1", "pot_1: egg", pot_1=["onion"])
    state, _ = bench.step(kitchen, state, "start", "place")
    state, _ = bench.step(kitchen, state, "pick")
    assert bench.hand(state) == "onion > boil 1"
    assert bench.lying(state, "pot_1") == {2: "egg"}


def test_cooked_again_in_the_same_way_is_one_longer_step(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", grill_1=["bun > grill 3"])
    state, _ = bench.step(kitchen, state, "start")
    state, _ = bench.step(kitchen, state, "pick")
    assert bench.hand(state) == "bun > grill 4"


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("board_1", "wrong_station"),
        ("counter_1", "wrong_station"),
        ("grill_1: egg", "hands_full"),
        ("grill_1", "nothing_to_do"),
    ],
)
def test_start_that_cannot_be_done(bench: Bench, place: str, reason: str) -> None:
    kitchen = bench.kitchen()
    _, reasons = bench.step(kitchen, bench.state(kitchen, place, board_1=["egg"]), "start")
    assert reasons == [reason]


def test_a_running_clock_is_not_started_again(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", grill_1=["bun"])
    state, _ = bench.step(kitchen, state, "start")
    state, reasons = bench.step(kitchen, state, "start")
    assert reasons == ["nothing_to_do"]
    state, _ = bench.step(kitchen, state, "pick")
    assert bench.hand(state) == "bun > grill 2"
