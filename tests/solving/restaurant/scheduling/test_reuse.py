"""What is under way and still of use: each kind of claim, and what has to make way."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pytest

from cookmas.kitchen.components import parse_component
from cookmas.kitchen.stages import (
    PLATE_SOURCE,
    Delivery,
    Fetch,
    FoodInSlot,
    Held,
    Input,
    Lying,
    Source,
)
from cookmas.kitchen.state import KitchenState
from cookmas.solving.restaurant.scheduling.reuse import Clear, Handling, Remaining, find_remaining

LINE = "o1.1"


class Case:
    """One order line that wants `components`, in a kitchen in which some things are already."""

    def __init__(self, floor: Any, components: Sequence[str], workers: int = 3) -> None:
        self.floor = floor
        self.shift = floor.shift("standard", workers)
        self.shift.order(["Buttered Toast"])
        self.parts = tuple(
            parse_component(text, self.shift.kitchen.doneness) for text in components
        )
        self.shift.wanted = {LINE: self.parts}

    def given(self, *hands: str, at: int = 0, **things: Any) -> Case:
        for _ in range(at):
            self.shift.tick(dict.fromkeys(self.shift.kitchen.workers, "wait"))
        self.shift.state = self.floor.with_things(self.shift.state, *hands, **things)
        return self

    @property
    def state(self) -> KitchenState:
        state: KitchenState = self.shift.seen()
        return state

    def left(self, **options: Any) -> Remaining:
        return find_remaining(self.shift.kitchen, self.state, self.shift.wanted, **options)

    def serves(self, timesteps: int) -> None:
        """It is served right, as late as that at most."""
        began = self.shift.state.timestep
        self.shift.play()
        self.shift.sound()
        assert self.shift.served[LINE] - began <= timesteps


def sources(left: Remaining, kind: str) -> list[Source]:
    """Where the inputs of the stages at a kind of station come from."""
    return [e.source for stage in left.stages if stage.kind == kind for e in stage.inputs]


def test_from_an_empty_kitchen_everything_is_fetched(floor: Any) -> None:
    left = Case(floor, ["bread > grill 2-3", "butter"]).left()
    assert [stage.kind for stage in left.stages] == ["grill", "plating"]
    assert sources(left, "grill") == [Fetch("bread", "pantry")]
    assert (left.junk, left.clears) == ({}, [])


def test_food_in_a_hand_is_used(floor: Any) -> None:
    case = Case(floor, ["bread > grill 2-3"]).given("aisle", "pantry: bread")
    left = case.left()
    assert sources(left, "grill") == [Held(1)]
    assert left.junk == {}
    case.serves(12)


def test_food_half_chopped_goes_on_where_it_lies(floor: Any) -> None:
    case = Case(floor, ["onion > chop 5"]).given(board_2=["onion > chop 3"])
    left = case.left()
    (chopping,) = [stage for stage in left.stages if stage.kind == "board"]
    assert chopping.station == "board_2"
    assert chopping.work == ("chop", "chop")
    assert chopping.inputs == (Input(source=FoodInSlot(None, 1)),)
    case.serves(11)


def test_food_chopped_too_long_is_not_used(floor: Any) -> None:
    case = Case(floor, ["onion > chop 2"]).given(board_1=["onion > chop 3"])
    left = case.left()
    assert sources(left, "board") == [Fetch("onion", "pantry")]
    assert left.clears == [Clear("board_1", 1)]
    case.shift.finish()


def test_finished_food_is_carried_on_from_where_it_lies(floor: Any) -> None:
    case = Case(floor, ["onion > chop 2", "bread"]).given(board_1=["onion > chop 2"])
    left = case.left()
    assert Lying("board_1", 1) in sources(left, "plating")
    assert [stage.kind for stage in left.stages] == ["plating"]
    case.serves(12)


def test_food_that_is_cooking_stays_until_it_is_done(floor: Any) -> None:
    case = Case(floor, ["bread > grill 6-7"]).given(at=4, grill_1=["bread"], since={"grill_1": 2})
    left = case.left()
    (cooking,) = [stage for stage in left.stages if stage.kind == "grill"]
    assert cooking.station == "grill_1"
    assert cooking.inputs == (Input(source=FoodInSlot(2, 1), low=6, high=7),)
    case.serves(4 + 7)


def test_food_that_has_cooked_too_long_is_made_anew(floor: Any) -> None:
    case = Case(floor, ["bread > grill 2-3"]).given(at=9, grill_1=["bread"], since={"grill_1": 1})
    left = case.left()
    assert sources(left, "grill") == [Fetch("bread", "pantry")]
    assert left.clears == [Clear("grill_1", 1)]
    case.serves(20)


def test_food_in_its_last_minute_is_taken_out_by_who_stands_there(floor: Any) -> None:
    case = Case(floor, ["bread > grill 2-3"], workers=1)
    case.given("grill_1", at=4, grill_1=["bread"], since={"grill_1": 1})
    assert sources(case.left(), "grill") == [FoodInSlot(1, 1)]
    assert case.shift.plan()[0]["worker_1"].startswith("pick")
    case.serves(12)


def test_a_pot_in_its_last_minute_is_taken_out_by_who_stands_there(floor: Any) -> None:
    case = Case(floor, ["(stock > boil 2-3 + onion > boil 2-3)"], workers=1)
    case.given("pot_1", at=4, pot_1=["stock", "onion"], since={"pot_1": 1})
    assert set(sources(case.left(), "pot")) == {FoodInSlot(1, 1), FoodInSlot(1, 2)}
    case.serves(12)


def test_a_pot_in_which_some_foods_lie_is_filled_up(floor: Any) -> None:
    soup = "(carrot > chop 2 > boil 9-10 + stock > boil 9-10 + onion > boil 9-10)"
    case = Case(floor, [soup]).given(pot_2=["carrot > chop 2", "stock"])
    left = case.left()
    (boiling,) = [stage for stage in left.stages if stage.kind == "pot"]
    assert boiling.station == "pot_2"
    assert sorted(map(repr, sources(left, "pot"))) == sorted(
        map(repr, [FoodInSlot(None, 1), FoodInSlot(None, 2), Fetch("onion", "pantry")])
    )
    case.shift.finish()
    assert case.shift.leftovers() == []


def test_what_goes_in_later_joins_a_pot_that_is_running(floor: Any) -> None:
    soup = "(stock > boil 12-14 + noodles > boil 4-5)"
    case = Case(floor, [soup]).given(at=5, pot_1=["stock"], since={"pot_1": 1})
    (boiling,) = [stage for stage in case.left().stages if stage.kind == "pot"]
    assert boiling.station == "pot_1"
    assert {entry.source for entry in boiling.inputs} == {
        FoodInSlot(1, 1),
        Fetch("noodles", "pantry"),
    }
    case.serves(8 + 2 + 8)


@pytest.mark.parametrize("missing", [True, False])
def test_a_running_pot_gets_only_the_food_that_it_waits_for(floor: Any, missing: bool) -> None:
    soup = "(stock > boil 12-14 + noodles > boil 4-5 + onion > boil 12-14)"
    held = "noodles" if missing else "onion"
    case = Case(floor, [soup]).given(
        f"aisle: {held}", at=5, pot_1=["stock", "onion"], since={"pot_1": 1}
    )
    left = case.left()
    (boiling,) = [stage for stage in left.stages if stage.kind == "pot"]
    assert boiling.station == "pot_1"
    assert not left.clears
    assert {entry.source for entry in boiling.inputs} == {
        FoodInSlot(1, 1),
        FoodInSlot(1, 2),
        Held(0) if missing else Fetch("noodles", "pantry"),
    }


def test_a_pot_with_something_foreign_in_it_is_cleared(floor: Any) -> None:
    case = Case(floor, ["(stock > boil 9 + onion > boil 9)"]).given(pot_1=["stock", "milk"])
    left = case.left()
    assert FoodInSlot(None, 1) not in sources(left, "pot")
    assert left.clears == [Clear("pot_1", 1, process="start")], "what cooks goes in one go"


@pytest.mark.parametrize("out", [[], ["pot_1"]])
def test_cold_pots_full_of_what_nobody_wants_are_emptied(floor: Any, out: list[str]) -> None:
    lying = ["milk", "egg"]
    case = Case(floor, ["stock > boil 9"]).given(out=out, pot_1=lying, pot_2=lying, pot_3=lying)
    case.shift.finish()


def test_a_plating_place_with_an_extra_food_is_filled_up_once_that_is_gone(floor: Any) -> None:
    case = Case(floor, ["bread", "butter", "onion > chop 2"]).given(
        plating_1=["bread", "milk", "onion > chop 2"]
    )
    left = case.left()
    (plating,) = left.stages
    assert plating.station == "plating_1"
    assert {entry.source for entry in plating.inputs} == {
        PLATE_SOURCE,
        FoodInSlot(None, 1),
        FoodInSlot(None, 3),
        Fetch("butter", "fridge"),
    }
    assert left.clears == [Clear("plating_1", 2, stage=0)]
    case.shift.finish()
    assert case.shift.leftovers() == []


def test_a_plate_that_stands_there_is_used(floor: Any) -> None:
    case = Case(floor, ["bread", "butter"]).given(plating_2=["plate", "bread"])
    (plating,) = case.left().stages
    assert plating.station == "plating_2"
    assert PLATE_SOURCE not in {entry.source for entry in plating.inputs}
    case.serves(11)


def test_a_clean_plate_in_a_hand_is_used(floor: Any) -> None:
    case = Case(floor, ["bread"]).given("plates: plate")
    left = case.left()
    assert sources(left, "plating")[0] == Held(0)
    assert left.junk == {}
    case.serves(10)


def test_a_clean_plate_on_a_counter_is_used(floor: Any) -> None:
    left = Case(floor, ["bread"]).given(counter_1=["plate"]).left()
    assert sources(left, "plating")[0] == Lying("counter_1", 1)


def test_an_assembled_dish_has_only_to_be_served(floor: Any) -> None:
    case = Case(floor, ["bread > grill 2-3", "butter"]).given(
        plating_1=["dish[bread > grill 3; butter]"]
    )
    left = case.left()
    assert left.stages == []
    assert left.deliveries == [Delivery(LINE, Lying("plating_1", 1))]
    case.serves(4)


def test_an_assembled_dish_in_a_hand_has_only_to_be_served(floor: Any) -> None:
    case = Case(floor, ["bread > grill 2-3", "butter"]).given(
        "aisle", "plating_1: dish[bread > grill 3; butter]"
    )
    assert case.left().deliveries == [Delivery(LINE, Held(1))]
    case.serves(2)


def test_a_dish_with_something_extra_is_thrown_away(floor: Any) -> None:
    case = Case(floor, ["bread"]).given("pass: dish[bread; butter]", plating_1=["dish[milk]"])
    left = case.left()
    assert left.junk == {0: None}
    assert left.clears == [Clear("plating_1", 1)]
    case.shift.finish()


def test_food_in_a_station_out_of_service_is_taken_on(floor: Any) -> None:
    case = Case(floor, ["onion > chop 3"]).given(board_1=["onion > chop 2"], out=["board_1"])
    left = case.left()
    (chopping,) = [stage for stage in left.stages if stage.kind == "board"]
    assert chopping.station is None
    assert chopping.inputs[0].source == Lying("board_1", 1)
    assert chopping.work == ("chop",)
    case.shift.finish()


def test_food_not_cooked_enough_in_a_station_out_of_service_is_not_waited_for(floor: Any) -> None:
    case = Case(floor, ["bread > grill 6-7"]).given(
        at=4, grill_1=["bread"], since={"grill_1": 2}, out=["grill_1"]
    )
    left = case.left()
    assert all(stage.station is None for stage in left.stages)
    case.shift.finish()


def test_what_a_worker_out_of_service_holds_is_out_of_reach(floor: Any) -> None:
    case = Case(floor, ["bread"]).given("aisle: bread", out=["worker_1"])
    left = case.left()
    assert Fetch("bread", "pantry") in sources(left, "plating")
    assert left.junk == {}


def test_what_nobody_wants_is_junk_or_in_the_way(floor: Any) -> None:
    case = Case(floor, ["bread"]).given(
        "aisle: egg", pan_1=["oil", "egg"], plating_1=["egg", "milk"], counter_1=["milk"]
    )
    left = case.left()
    assert left.junk == {0: None}
    assert left.clears == [
        Clear("pan_1", 1, process="start"),
        Clear("plating_1", 1, process="assemble"),
    ], "what is on a counter is in nobody's way"


def test_what_is_under_way_for_a_later_line_is_put_aside(floor: Any) -> None:
    case = Case(floor, ["bread"]).given("aisle: bread", board_1=["onion > chop 2"])
    onion = parse_component("onion > chop 3", {})
    case.shift.wanted["o1.2"] = (onion,)
    later = case.left(later=frozenset({LINE}))
    assert later.junk == {0: "counter_1"}
    assert [delivery.line for delivery in later.deliveries] == ["o1.2"]
    assert case.left(later=frozenset({"o1.2"})).clears == [], "the onion is kept"


def test_what_is_given_up_is_not_used(floor: Any) -> None:
    case = Case(floor, ["onion > chop 5"]).given(board_2=["onion > chop 3"])
    left = case.left(handling=Handling(given_up=frozenset({"board_2"})))
    assert sources(left, "board") == [Fetch("onion", "pantry")]


def test_each_thing_is_used_once_and_the_most_worked_on_first(floor: Any) -> None:
    case = Case(floor, ["onion > chop 4"]).given(
        board_1=["onion > chop 1"], board_2=["onion > chop 3"]
    )
    assert [stage.station for stage in case.left().stages] == ["board_2", None]
    case.shift.wanted["o1.2"] = case.parts
    stations = [stage.station for stage in case.left().stages if stage.kind == "board"]
    assert sorted(map(str, stations)) == ["board_1", "board_2"]


def test_what_lies_in_a_mixer_is_mixed_there_rather_than_taken_away(floor: Any) -> None:
    dish = ["lemon > slice 3", "(lemon + yoghurt) > mix 2"]
    left = Case(floor, dish).given(mixer_1=["lemon"]).left()
    assert sources(left, "mixer") == [FoodInSlot(), Fetch("yoghurt", "fridge")]
    assert sources(left, "board") == [Fetch("lemon", "fridge")]


def test_a_mixture_is_matched_by_what_is_in_it(floor: Any) -> None:
    sauce = "(oil + vinegar > boil 1-2) > mix 3"
    right = Case(floor, [sauce]).given(mixer_1=["(oil + vinegar > boil 2) > mix 1"])
    (mixing,) = [stage for stage in right.left().stages if stage.kind == "mixer"]
    assert (mixing.station, mixing.work) == ("mixer_1", ("mix", "mix"))
    wrong = Case(floor, [sauce]).given(mixer_1=["(oil + vinegar > boil 3) > mix 1"])
    assert all(stage.station is None for stage in wrong.left().stages)
    assert wrong.left().clears == [Clear("mixer_1", 1)]


@pytest.mark.parametrize("at", [1, 3, 6, 10, 14])
def test_nothing_that_is_under_way_is_fetched_again(floor: Any, at: int) -> None:
    shift = floor.shift("standard", effort=600)
    shift.order(["Classic Burger"])
    shift.play(at)
    left = shift.left()
    fetched = [s.name for stage in left.stages for s in _sources(stage) if isinstance(s, Fetch)]
    things = " ".join(shift.leftovers())
    wanted = [name for part in shift.wanted[LINE] for name in part.ingredients()]
    assert sorted(fetched) == sorted(name for name in [*wanted, "plate"] if name not in things)


def _sources(stage: Any) -> list[Source]:
    return [entry.source for entry in stage.inputs]


def test_a_kitchen_that_was_pickled_has_the_same_left_to_do(floor: Any) -> None:
    case = Case(floor, ["onion > chop 4", "egg > boil 6"])
    case.given(board_1=["onion > chop 2"], pot_1=["egg"], plating_1=["plate"])
    kitchen, state = case.shift.kitchen, case.state
    copied, seen = pickle.loads(pickle.dumps((kitchen, state)))
    again = find_remaining(copied, seen, case.shift.wanted)
    assert again == find_remaining(kitchen, state, case.shift.wanted)


def test_food_goes_to_the_dish_that_is_begun_rather_than_to_the_first(floor: Any) -> None:
    case = Case(floor, ["onion > chop 2", "bread"]).given(
        plating_1=["butter"], board_1=["onion > chop 2"]
    )
    begun = Case(floor, ["onion > chop 2", "butter"]).parts
    case.shift.wanted["o1.2"] = begun
    users = [
        stage.line
        for stage in case.left().stages
        for entry in stage.inputs
        if entry.source == Lying("board_1", 1)
    ]
    assert users == ["o1.2"]
