"""What goes into a hand, and out of it."""

from __future__ import annotations

import pytest

from cookmas.kitchen.components import parse_food
from cookmas.kitchen.foods import PLATE
from cookmas.kitchen.state import Content
from tests.kitchen.bench import Bench

# pick


def test_pick_at_a_dispenser() -> None:
    bench = Bench("pantry", "fridge", "plates")
    bench.do("pick(onion)", "pick(egg)", "pick")
    assert bench.hands == ["onion", "egg", "plate"]


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
def test_what_a_dispenser_does_not_give_out(place: str, action: str) -> None:
    bench = Bench(place)
    assert bench.step(action) == ["not_here"]
    assert bench.hands[0] is None


def test_plates_are_given_out_by_their_name_too() -> None:
    bench = Bench("plates")
    bench.do("pick(plate)")
    assert bench.state.workers[0].holding is PLATE


def test_a_limited_stock_runs_out() -> None:
    bench = Bench("fridge", "fridge", "plates", stock={"egg": 1, "plate": 0})
    assert bench.step("pick(egg)", "pick(egg)", "pick") == [None, "out_of_stock", "out_of_stock"]
    assert bench.state.stock == {"egg": 0, "plate": 0}


def test_an_unlimited_stock_is_not_counted() -> None:
    bench = Bench("pantry", stock={"egg": 1})
    bench.do("pick(onion)")
    assert bench.state.stock == {"egg": 1}


def test_pick_needs_a_place_and_an_empty_hand() -> None:
    bench = Bench("pass: egg", "counter_1: egg", counter_1=["oil"])
    assert bench.step("pick", "pick") == ["wrong_station", "hands_full"]


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
def test_pick_takes_the_lowest_that_fits(action: str, taken: str | None) -> None:
    bench = Bench("counter_1", counter_1=["egg", "onion > chop 2", "onion"])
    assert bench.step(action) == ["not_here" if taken is None else None]
    assert bench.hands[0] == taken
    left = [text for text in ("egg", "onion > chop 2", "onion") if text != taken]
    assert list(bench.lying("counter_1").values()) == left


def test_a_plate_and_a_dish_have_names_to_pick_them_by() -> None:
    bench = Bench("counter_1", "counter_1", counter_1=["egg", "dish[egg]", "plate"])
    bench.do("pick(plate)", "pick(dish)")
    assert bench.hands[:2] == ["plate", "dish[egg]"]


def test_steps_do_not_change_a_name() -> None:
    lying = ["((oil + egg) > mix 2 + onion > chop 2) > fry 5"]
    bench = Bench("counter_1", counter_1=lying)
    bench.do("pick(egg+oil+onion)")
    assert bench.hands[0] == "((egg + oil) > mix 2 + onion > chop 2) > fry 5"


def boiled(*foods: str) -> Bench:
    """Return a bench on which foods have boiled in a pot for a minute, with a worker there."""
    bench = Bench("pot_1", pot_1=list(foods))
    bench.do("start")
    return bench


def test_what_has_cooked_in_a_vessel_comes_out_as_one() -> None:
    bench = boiled("onion", "egg")
    bench.do("pick")
    assert bench.hands[0] == "(egg > boil 1 + onion > boil 1)"
    assert bench.lying("pot_1") == {}


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
    action: str, reason: str | None
) -> None:
    bench = boiled("onion > chop 2", "egg")
    assert bench.step(action) == [reason]
    assert (bench.hands[0] is None) == (reason is not None)


def test_what_was_cooked_apart_does_not_join_in_a_cold_vessel() -> None:
    bench = Bench("pan_1", pan_1=["onion > fry 4", "egg > fry 8"])
    bench.do("pick(egg)")
    assert bench.hands[0] == "egg > fry 8"
    assert bench.lying("pan_1") == {1: "onion > fry 4"}


@pytest.mark.parametrize(
    ("action", "hand", "left"),
    [
        ("pick", "(egg > boil 1 + onion > boil 1)", {3: "oil > boil 3"}),
        ("pick(oil)", "oil > boil 3", {1: "onion", 2: "egg"}),
        ("pick(slot 3)", "oil > boil 3", {1: "onion", 2: "egg"}),
    ],
)
def test_what_has_not_cooked_in_a_vessel_is_taken_by_itself(
    action: str, hand: str, left: dict[int, str]
) -> None:
    bench = boiled("onion", "egg")
    late = Content(3, parse_food("oil > boil 3"))
    contents = {"pot_1": (*bench.state.contents["pot_1"], late)}
    bench.state = bench.state._replace(contents=contents)
    bench.do(action)
    assert bench.hands[0] == hand
    assert bench.lying("pot_1") == left


def test_an_empty_vessel_has_nothing() -> None:
    bench = Bench("pot_1")
    assert bench.step("pick") == ["not_here"]


# place


def test_place_fills_the_lowest_empty_slot() -> None:
    bench = Bench("counter_1", counter_1=["egg", "onion", "oil"])
    bench.do("pick(slot 2)")
    bench.do("wait", "navigate(counter_1)")
    bench.do("place", "pick(oil)")
    assert bench.lying("counter_1") == {1: "egg", 2: "onion"}
    bench.do("wait", "place")
    assert bench.lying("counter_1") == {1: "egg", 2: "onion", 3: "oil"}


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
def test_what_belongs_where(place: str, reason: str | None) -> None:
    bench = Bench(place)
    assert bench.step("place") == [reason]


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
    lying: list[str], thing: str, reason: str | None
) -> None:
    bench = Bench(f"plating_1: {thing}", plating_1=lying)
    assert bench.step("place") == [reason]
    assert len(bench.lying("plating_1")) == len(lying) + (reason is None)


def test_a_full_board_takes_no_more() -> None:
    bench = Bench("board_1: egg", board_1=["onion"])
    assert bench.step("place") == ["no_room"]
