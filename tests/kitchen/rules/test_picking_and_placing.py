"""What goes into a hand, and out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cookmas.kitchen.components import parse_food
from cookmas.kitchen.foods import PLATE
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import Content, KitchenState

if TYPE_CHECKING:
    from tests.kitchen.conftest import Bench


# pick


def test_pick_at_a_dispenser(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pantry", "fridge", "plates")
    after, reasons = bench.step(kitchen, state, "pick(onion)", "pick(egg)", "pick")
    assert reasons == [None, None, None]
    assert [bench.hand(after, worker) for worker in range(3)] == ["onion", "egg", "plate"]


@pytest.mark.parametrize(
    ("place", "action"),
    [
        ("pantry", "pick"),
        ("pantry", "pick(egg)"),
        ("pantry", "pick(plate)"),
        ("pantry", "pick(onion, slot 1)"),
        ("pantry", "pick(dragonfruit)"),
        ("plates", "pick(slot 1)"),
        ("plates", "pick(onion)"),
    ],
)
def test_what_a_dispenser_does_not_give_out(bench: Bench, place: str, action: str) -> None:
    kitchen = bench.kitchen()
    after, reasons = bench.step(kitchen, bench.state(kitchen, place), action)
    assert reasons == ["not_here"]
    assert bench.hand(after) is None


def test_plates_are_given_out_by_their_name_too(bench: Bench) -> None:
    kitchen = bench.kitchen()
    after, reasons = bench.step(kitchen, bench.state(kitchen, "plates"), "pick(plate)")
    assert reasons == [None]
    assert after.workers[0].holding is PLATE


def test_a_limited_stock_runs_out(bench: Bench) -> None:
    kitchen = bench.kitchen(stock={"egg": 1, "plate": 0})
    state = bench.state(kitchen, "fridge", "fridge", "plates")
    after, reasons = bench.step(kitchen, state, "pick(egg)", "pick(egg)", "pick")
    assert reasons == [None, "out_of_stock", "out_of_stock"]
    assert after.stock == {"egg": 0, "plate": 0}


def test_an_unlimited_stock_is_not_counted(bench: Bench) -> None:
    kitchen = bench.kitchen(stock={"egg": 1})
    state, reasons = bench.step(kitchen, bench.state(kitchen, "pantry"), "pick(onion)")
    assert reasons == [None]
    assert state.stock == {"egg": 1}


def test_pick_needs_a_place_and_an_empty_hand(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pass: egg", "counter_1: egg", counter_1=["oil"])
    _, reasons = bench.step(kitchen, state, "pick", "pick")
    assert reasons == ["wrong_station", "hands_full"]


@pytest.mark.parametrize(
    ("action", "taken"),
    [
        ("pick", "egg"),
        ("pick(slot 2)", "onion > chop 2"),
        ("pick(onion)", "onion > chop 2"),
        ("pick(onion, slot 3)", "onion"),
        ("pick(egg, slot 2)", None),
        ("pick(oil)", None),
        ("pick(slot 4)", None),
        ("pick(slot 99)", None),
    ],
)
def test_pick_takes_the_lowest_that_fits(bench: Bench, action: str, taken: str | None) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1", counter_1=["egg", "onion > chop 2", "onion"])
    after, reasons = bench.step(kitchen, state, action)
    assert reasons == ["not_here" if taken is None else None]
    assert bench.hand(after) == taken
    left = [text for text in ("egg", "onion > chop 2", "onion") if text != taken]
    assert list(bench.lying(after, "counter_1").values()) == left


def test_a_plate_and_a_dish_have_names_to_pick_them_by(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1", "counter_1", counter_1=["egg", "dish[egg]", "plate"])
    after, reasons = bench.step(kitchen, state, "pick(plate)", "pick(dish)")
    assert reasons == [None, None]
    assert (bench.hand(after, 0), bench.hand(after, 1)) == ("plate", "dish[egg]")


def test_steps_do_not_change_a_name(bench: Bench) -> None:
    kitchen = bench.kitchen()
    lying = ["((oil + egg) > mix 2 + onion > chop 2) > fry 5"]
    state = bench.state(kitchen, "counter_1", counter_1=lying)
    after, reasons = bench.step(kitchen, state, "pick(egg+oil+onion)")
    assert reasons == [None]
    assert bench.hand(after) == "((egg + oil) > mix 2 + onion > chop 2) > fry 5"


def _boiled(bench: Bench, *foods: str) -> tuple[Kitchen, KitchenState]:
    """A kitchen in which foods have boiled in a pot for a minute, with a worker there."""
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pot_1", pot_1=list(foods))
    return kitchen, bench.step(kitchen, state, "start")[0]


def test_what_has_cooked_in_a_vessel_comes_out_as_one(bench: Bench) -> None:
    kitchen, state = _boiled(bench, "onion", "egg")
    after, reasons = bench.step(kitchen, state, "pick")
    assert reasons == [None]
    assert bench.hand(after) == "(egg > boil 1 + onion > boil 1)"
    assert bench.lying(after, "pot_1") == {}


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("pick(slot 1)", None),
        ("pick(egg+onion)", None),
        ("pick(egg+onion, slot 1)", None),
        ("pick(slot 2)", "not_here"),
        ("pick(egg)", "not_here"),
        ("pick(onion+egg)", "not_here"),
    ],
)
def test_of_what_has_cooked_together_a_vessel_knows_only_the_whole(
    bench: Bench, action: str, reason: str | None
) -> None:
    kitchen, state = _boiled(bench, "onion > chop 2", "egg")
    after, reasons = bench.step(kitchen, state, action)
    assert reasons == [reason]
    assert (bench.hand(after) is None) == (reason is not None)


def test_what_was_cooked_apart_does_not_join_in_a_cold_vessel(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pan_1", pan_1=["onion > fry 4", "egg > fry 8"])
    after, _ = bench.step(kitchen, state, "pick(egg)")
    assert bench.hand(after) == "egg > fry 8"
    assert bench.lying(after, "pan_1") == {1: "onion > fry 4"}


@pytest.mark.parametrize(
    ("action", "hand", "left"),
    [
        ("pick", "(egg > boil 1 + onion > boil 1)", {3: "oil > boil 3"}),
        ("pick(oil)", "oil > boil 3", {1: "onion", 2: "egg"}),
        ("pick(slot 3)", "oil > boil 3", {1: "onion", 2: "egg"}),
    ],
)
def test_what_has_not_cooked_in_a_vessel_is_taken_by_itself(
    bench: Bench, action: str, hand: str, left: dict[int, str]
) -> None:
    kitchen, state = _boiled(bench, "onion", "egg")
    late = Content(3, parse_food("oil > boil 3"))
    state = state._replace(contents={"pot_1": (*state.contents["pot_1"], late)})
    after, reasons = bench.step(kitchen, state, action)
    assert reasons == [None]
    assert bench.hand(after) == hand
    assert bench.lying(after, "pot_1") == left


def test_an_empty_vessel_has_nothing(bench: Bench) -> None:
    kitchen = bench.kitchen()
    _, reasons = bench.step(kitchen, bench.state(kitchen, "pot_1"), "pick")
    assert reasons == ["not_here"]


# place


def test_place_fills_the_lowest_empty_slot(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1", counter_1=["egg", "onion", "oil"])
    state, _ = bench.step(kitchen, state, "pick(slot 2)")
    state, _ = bench.step(kitchen, state, "wait", "navigate(counter_1)")
    state, reasons = bench.step(kitchen, state, "place", "pick(oil)")
    assert reasons == [None, None]
    assert bench.lying(state, "counter_1") == {1: "egg", 2: "onion"}
    state, reasons = bench.step(kitchen, state, "wait", "place")
    assert bench.lying(state, "counter_1") == {1: "egg", 2: "onion", 3: "oil"}


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("pantry: egg", "wrong_station"),
        ("pass: dish[egg]", "wrong_station"),
        ("bin: egg", "wrong_station"),
        ("counter_1", "hands_empty"),
        ("board_1: plate", "unsuitable"),
        ("mixer_1: dish[egg]", "unsuitable"),
        ("pot_1: plate", "unsuitable"),
        ("oven_1: dish[egg]", "unsuitable"),
        ("counter_1: dish[egg]", None),
        ("plating_1: dish[egg]", None),
        ("plating_1: plate", None),
        ("grill_1: egg", None),
    ],
)
def test_what_belongs_where(bench: Bench, place: str, reason: str | None) -> None:
    kitchen = bench.kitchen()
    _, reasons = bench.step(kitchen, bench.state(kitchen, place), "place")
    assert reasons == [reason]


@pytest.mark.parametrize(
    ("lying", "thing", "reason"),
    [
        (["egg"], "plate", None),
        (["plate"], "egg", None),
        (["plate"], "plate", "no_room"),
        (["egg"], "dish[bun]", "no_room"),
        (["plate"], "dish[bun]", "no_room"),
        (["dish[bun]"], "egg", "no_room"),
        (["dish[bun]"], "plate", "no_room"),
        (["dish[bun]"], "dish[bun]", "no_room"),
        (["egg", "egg", "egg", "egg"], "plate", "no_room"),
    ],
)
def test_what_lies_together_on_a_plating_place(
    bench: Bench, lying: list[str], thing: str, reason: str | None
) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, f"plating_1: {thing}", plating_1=lying)
    after, reasons = bench.step(kitchen, state, "place")
    assert reasons == [reason]
    assert len(bench.lying(after, "plating_1")) == len(lying) + (reason is None)


def test_a_full_board_takes_no_more(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "board_1: egg", board_1=["onion"])
    _, reasons = bench.step(kitchen, state, "place")
    assert reasons == ["no_room"]
