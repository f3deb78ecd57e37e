"""One example for each rule in docs/explanation/kitchen-rules.md, in the order of that page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from episodes.world import Json
from kitchen.actions import Wait
from kitchen.foods import PLATE, Food, Step, join, make_dish
from kitchen.layout import KINDS, STANDARD_WORK, WORK, Kitchen
from kitchen.notation import parse_food, parse_thing
from kitchen.simulator import step
from kitchen.state import KitchenState
from kitchen.world import Restaurant

if TYPE_CHECKING:
    from tests.kitchen.conftest import Bench


def after_event(kitchen: Kitchen, state: KitchenState, event: Json) -> KitchenState:
    after, ruling = Restaurant(kitchen).apply(state, event)
    assert ruling.refused is None
    return after


def broken(kitchen: Kitchen, state: KitchenState, station: str, timesteps: int) -> KitchenState:
    event = {"kind": "fault", "station": station, "timesteps": timesteps}
    return after_event(kitchen, state, event)


def ill(kitchen: Kitchen, state: KitchenState, worker: str, timesteps: int) -> KitchenState:
    return after_event(kitchen, state, {"kind": "fault", "worker": worker, "timesteps": timesteps})


def passing(bench: Bench, kitchen: Kitchen, state: KitchenState, timesteps: int) -> KitchenState:
    """So many timesteps in which everybody waits."""
    for _ in range(timesteps):
        state, _ = bench.step(kitchen, state)
    return state


def places(state: KitchenState) -> list[str]:
    return [worker.station for worker in state.workers]


def hand(state: KitchenState, worker: int = 0) -> str | None:
    holding = state.workers[worker].holding
    return None if holding is None else str(holding)


# ------------------------------------------------------------------------------------- Things


def test_a_process_for_no_minutes_leaves_no_step() -> None:
    assert Food("egg").after("boil", 0) == Food("egg")


def test_the_same_process_again_makes_the_last_step_longer() -> None:
    food = Food("onion").after("chop", 1).after("chop", 2).after("fry", 3).after("chop", 1)
    assert food.steps == (Step("chop", 3), Step("fry", 3), Step("chop", 1))


def test_one_food_joined_is_that_food() -> None:
    egg = parse_food("egg > boil 4")
    assert join((egg,)) is egg


def test_joined_foods_keep_their_histories_and_forget_their_order() -> None:
    oil, onion = Food("oil"), parse_food("onion > chop 2")
    assert join((oil, onion)) == join((onion, oil))
    assert str(join((oil, onion))) == "(oil + onion > chop 2)"
    assert join((oil, onion)).steps == ()


def test_joined_foods_are_named_by_their_ingredients_at_any_depth() -> None:
    sauce = join((Food("oil"), Food("onion"))).after("mix", 2)
    assert join((sauce, Food("oil"), Food("egg"))).name == "egg+oil+onion"


def test_a_dish_forgets_the_order_of_its_components() -> None:
    foods = (parse_food("lettuce"), parse_food("bun > grill 2"))
    assert str(make_dish(foods)) == "dish[bun > grill 2; lettuce]"
    assert make_dish(foods) == make_dish(foods[::-1])


@pytest.mark.parametrize(
    "text",
    [
        "potato",
        "potato > peel 1 > boil 12",
        "(oil + vinegar) > mix 2",
        "((egg + oil) > mix 2 + onion > chop 2) > fry 5",
        "plate",
        "dish[bun > grill 2; lettuce]",
        "dish[(egg + oil) > mix 2]",
    ],
)
def test_things_in_text_are_read_as_they_are_written(text: str) -> None:
    assert str(parse_thing(text)) == text


# ----------------------------------------------------------------------------------- Stations


def test_the_table_of_stations() -> None:
    assert {(kind.name, kind.role, kind.processes, kind.vessel) for kind in KINDS.values()} == {
        ("pantry", "dispenser", (), False),
        ("fridge", "dispenser", (), False),
        ("plates", "dispenser", (), False),
        ("counter", "counter", (), False),
        ("board", "tool", ("chop", "slice", "peel", "grate"), False),
        ("mixer", "tool", ("mix", "blend", "knead"), False),
        ("plating", "tool", ("assemble",), False),
        ("grill", "appliance", ("grill",), False),
        ("pan", "appliance", ("fry",), True),
        ("fryer", "appliance", ("deep-fry",), False),
        ("pot", "appliance", ("boil",), True),
        ("oven", "appliance", ("bake",), False),
        ("pass", "pass", (), False),
        ("bin", "bin", (), False),
        ("aisle", "aisle", (), False),
    }


def test_attended_work_has_its_standard_minutes() -> None:
    assert STANDARD_WORK == {
        "chop": 2,
        "slice": 1,
        "peel": 1,
        "grate": 1,
        "mix": 2,
        "blend": 2,
        "knead": 4,
        "assemble": 1,
    }
    assert set(STANDARD_WORK) == set(WORK)


# -------------------------------------------------------------------------------- A timestep


def test_an_episode_opens_in_the_aisle(bench: Bench) -> None:
    state = Restaurant(bench.kitchen(workers=2, stock={"egg": 4})).start()
    assert places(state) == ["aisle", "aisle"]
    assert [hand(state, 0), hand(state, 1)] == [None, None]
    assert (state.timestep, state.contents, state.out) == (0, {}, {})
    assert state.stock == {"egg": 4}


def test_a_later_worker_meets_what_an_earlier_one_did(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1: egg", "counter_1")
    after, reasons = bench.step(kitchen, state, "place", "pick(egg)")
    assert reasons == [None, None]
    assert (hand(after, 0), hand(after, 1)) == (None, "egg")


def test_an_earlier_worker_does_not_meet_what_a_later_one_does(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1", "counter_1: egg")
    after, reasons = bench.step(kitchen, state, "pick(egg)", "place")
    assert reasons == ["not_here", None]
    assert bench.lying(after, "counter_1") == {1: "egg"}


def test_as_many_actions_as_workers(bench: Bench) -> None:
    kitchen = bench.kitchen(workers=3)
    with pytest.raises(ValueError, match="3 workers need as many actions, not 2"):
        step(kitchen, bench.state(kitchen), [Wait(), Wait()])


# ----------------------------------------------------------------------------------- navigate


def test_any_distance_takes_one_timestep(bench: Bench) -> None:
    kitchen = bench.kitchen()
    after, reasons = bench.step(kitchen, bench.state(kitchen), "navigate(oven_2)")
    assert reasons == [None]
    assert places(after) == ["oven_2", "aisle", "aisle"]
    assert after.timestep == 1


def test_a_station_that_is_not_there(bench: Bench) -> None:
    kitchen = bench.kitchen()
    after, reasons = bench.step(kitchen, bench.state(kitchen), "navigate(grill_9)")
    assert reasons == ["unknown_station"]
    assert places(after)[0] == "aisle"


def test_navigating_to_where_one_stands_is_staying(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1")
    after, reasons = bench.step(kitchen, state, "navigate(grill_1)", "navigate(grill_1)")
    assert reasons == [None, "occupied"]
    assert places(after)[:2] == ["grill_1", "aisle"]


def test_a_taken_station_cannot_be_entered(bench: Bench) -> None:
    kitchen = bench.kitchen()
    after, reasons = bench.step(
        kitchen, bench.state(kitchen, "aisle", "grill_1"), "navigate(grill_1)"
    )
    assert reasons == ["occupied"]
    assert places(after)[:2] == ["aisle", "grill_1"]


def test_the_second_arrival_fails(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "bin", "pass")
    after, reasons = bench.step(kitchen, state, "navigate(grill_1)", "navigate(grill_1)")
    assert reasons == [None, "occupied"]
    assert places(after)[:2] == ["grill_1", "pass"]


def test_workers_swap_places(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", "oven_1")
    after, reasons = bench.step(kitchen, state, "navigate(oven_1)", "navigate(grill_1)")
    assert reasons == [None, None]
    assert places(after)[:2] == ["oven_1", "grill_1"]


def test_workers_move_round_in_a_ring(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", "oven_1", "pan_1")
    after, reasons = bench.step(
        kitchen, state, "navigate(oven_1)", "navigate(pan_1)", "navigate(grill_1)"
    )
    assert reasons == [None, None, None]
    assert places(after) == ["oven_1", "pan_1", "grill_1"]


def test_a_chain_of_arrivals_into_a_station_that_is_left(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", "oven_1", "pan_1")
    after, reasons = bench.step(
        kitchen, state, "navigate(oven_1)", "navigate(pan_1)", "navigate(aisle)"
    )
    assert reasons == [None, None, None]
    assert places(after) == ["oven_1", "pan_1", "aisle"]


def test_who_cannot_leave_keeps_the_whole_chain_out(bench: Bench) -> None:
    kitchen = bench.kitchen(workers=4)
    state = bench.state(kitchen, "grill_1", "oven_1", "pan_1", "pot_1")
    after, reasons = bench.step(
        kitchen, state, "navigate(oven_1)", "navigate(pan_1)", "navigate(pot_1)", "wait"
    )
    assert reasons == ["occupied", "occupied", "occupied", None]
    assert places(after) == places(state)


def test_an_arrival_is_settled_again_when_another_fails(bench: Bench) -> None:
    """bob cannot leave the oven, so ann, first in the order, cannot enter it, and dee can stay."""
    kitchen = bench.kitchen(workers=4)
    state = bench.state(kitchen, "aisle", "oven_1", "pan_1", "aisle")
    after, reasons = bench.step(
        kitchen, state, "navigate(oven_1)", "navigate(pan_1)", "wait", "navigate(grill_1)"
    )
    assert reasons == ["occupied", "occupied", None, None]
    assert places(after) == ["aisle", "oven_1", "pan_1", "grill_1"]


def test_the_kitchen_s_file_may_make_more_room(bench: Bench) -> None:
    kitchen = bench.kitchen(workers=4, rooms={"grill_1": 2})
    state = bench.state(kitchen, "grill_1")
    after, reasons = bench.step(
        kitchen, state, "wait", "navigate(grill_1)", "navigate(grill_1)", "navigate(grill_1)"
    )
    assert reasons == [None, None, "occupied", "occupied"]
    assert places(after) == ["grill_1", "grill_1", "aisle", "aisle"]


def test_any_number_of_workers_stand_at_the_pantry(bench: Bench) -> None:
    kitchen = bench.kitchen(workers=6)
    after, reasons = bench.step(kitchen, bench.state(kitchen), *["navigate(pantry)"] * 6)
    assert reasons == [None] * 6
    assert places(after) == ["pantry"] * 6


def test_who_works_stays_and_keeps_others_out(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "board_1", "aisle", board_1=["onion"])
    after, reasons = bench.step(kitchen, state, "chop", "navigate(board_1)")
    assert reasons == [None, "occupied"]
    assert bench.lying(after, "board_1") == {1: "onion > chop 1"}


# --------------------------------------------------------------------------------------- pick


def test_pick_at_a_dispenser(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pantry", "fridge", "plates")
    after, reasons = bench.step(kitchen, state, "pick(onion)", "pick(egg)", "pick")
    assert reasons == [None, None, None]
    assert [hand(after, worker) for worker in range(3)] == ["onion", "egg", "plate"]


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
    assert hand(after) is None


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
    assert hand(after) == taken
    left = [text for text in ("egg", "onion > chop 2", "onion") if text != taken]
    assert list(bench.lying(after, "counter_1").values()) == left


def test_a_plate_and_a_dish_have_names_to_pick_them_by(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1", "counter_1", counter_1=["egg", "dish[egg]", "plate"])
    after, reasons = bench.step(kitchen, state, "pick(plate)", "pick(dish)")
    assert reasons == [None, None]
    assert (hand(after, 0), hand(after, 1)) == ("plate", "dish[egg]")


def test_steps_do_not_change_a_name(bench: Bench) -> None:
    kitchen = bench.kitchen()
    lying = ["((oil + egg) > mix 2 + onion > chop 2) > fry 5"]
    state = bench.state(kitchen, "counter_1", counter_1=lying)
    after, reasons = bench.step(kitchen, state, "pick(egg+oil+onion)")
    assert reasons == [None]
    assert hand(after) == "((egg + oil) > mix 2 + onion > chop 2) > fry 5"


def test_a_vessel_is_emptied_whole(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pot_1", pot_1=["onion", "egg"])
    after, reasons = bench.step(kitchen, state, "pick")
    assert reasons == [None]
    assert hand(after) == "(egg + onion)"
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
def test_a_vessel_knows_only_the_whole(bench: Bench, action: str, reason: str | None) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pan_1", pan_1=["onion > chop 2", "egg"])
    after, reasons = bench.step(kitchen, state, action)
    assert reasons == [reason]
    assert (hand(after) is None) == (reason is not None)


def test_an_empty_vessel_has_nothing(bench: Bench) -> None:
    kitchen = bench.kitchen()
    _, reasons = bench.step(kitchen, bench.state(kitchen, "pot_1"), "pick")
    assert reasons == ["not_here"]


# -------------------------------------------------------------------------------------- place


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


# --------------------------------------------------------------------------------------- work


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
    state = ill(kitchen, state, "ann", 9)
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


# -------------------------------------------------------------------------- start, and clocks


def test_taken_out_m_timesteps_after_the_start_is_m_minutes(bench: Bench) -> None:
    kitchen = bench.kitchen()
    for minutes in (1, 2, 7):
        state = bench.state(kitchen, "grill_1", grill_1=["bun"])
        state, reasons = bench.step(kitchen, state, "start")
        assert reasons == [None]
        state = passing(bench, kitchen, state, minutes - 1)
        state, _ = bench.step(kitchen, state, "pick")
        assert hand(state) == f"bun > grill {minutes}"


def test_started_and_taken_out_in_one_timestep_is_raw(bench: Bench) -> None:
    kitchen = bench.kitchen(rooms={"grill_1": 2})
    state = bench.state(kitchen, "grill_1", "grill_1", grill_1=["bun"])
    state, reasons = bench.step(kitchen, state, "start", "pick")
    assert reasons == [None, None]
    assert hand(state, 1) == "bun"


def test_nothing_cooks_before_start(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "oven_1: bun")
    state, _ = bench.step(kitchen, state, "place")
    state = passing(bench, kitchen, state, 5)
    state, _ = bench.step(kitchen, state, "pick")
    assert hand(state) == "bun"


def test_each_slot_has_its_own_clock(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", "grill_2: egg", grill_1=["bun"])
    state, _ = bench.step(kitchen, state, "start")
    state, _ = bench.step(kitchen, state, "navigate(bin)", "navigate(grill_1)")
    state, _ = bench.step(kitchen, state, "wait", "place")
    state, reasons = bench.step(kitchen, state, "wait", "start")
    assert reasons == [None, None]
    state, _ = bench.step(kitchen, state, "wait", "pick(slot 1)")
    assert hand(state, 1) == "bun > grill 4"
    state, _ = bench.step(kitchen, state, "navigate(pass)", "navigate(counter_1)")
    state, _ = bench.step(kitchen, state, "navigate(grill_1)", "place")
    state, _ = bench.step(kitchen, state, "pick")
    assert hand(state) == "egg > grill 4"


def test_what_goes_into_a_pot_later_has_its_own_minutes(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pot_1", "aisle: egg", pot_1=["onion"])
    state, _ = bench.step(kitchen, state, "start")
    state, _ = bench.step(kitchen, state, "navigate(aisle)", "navigate(pot_1)")
    state, _ = bench.step(kitchen, state, "wait", "place")
    state, _ = bench.step(kitchen, state, "wait", "start")
    state = passing(bench, kitchen, state, 2)
    state, _ = bench.step(kitchen, state, "wait", "pick")
    assert hand(state, 1) == "(egg > boil 3 + onion > boil 6)"


def test_what_was_not_started_in_a_pot_stays_raw(bench: Bench) -> None:
    kitchen = bench.kitchen(rooms={"pot_1": 2})
    state = bench.state(kitchen, "pot_1", "pot_1: egg", pot_1=["onion"])
    state, _ = bench.step(kitchen, state, "start", "place")
    state, _ = bench.step(kitchen, state, "pick")
    assert hand(state) == "(egg + onion > boil 1)"


def test_cooked_again_in_the_same_way_is_one_longer_step(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "grill_1", grill_1=["bun > grill 3"])
    state, _ = bench.step(kitchen, state, "start")
    state, _ = bench.step(kitchen, state, "pick")
    assert hand(state) == "bun > grill 4"


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
    assert hand(state) == "bun > grill 2"


# ---------------------------------------------------------------------- serve, discard, wait


def ordered(kitchen: Kitchen, state: KitchenState) -> KitchenState:
    lines = [{"item": "Burger"}, {"item": "Burger"}]
    return after_event(kitchen, state, {"kind": "new_order", "order": "o1", "lines": lines})


def test_serve_closes_the_line(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = ordered(kitchen, bench.state(kitchen, "pass: dish[egg]", "pass: dish[egg]"))
    state = passing(bench, kitchen, state, 3)
    state, reasons = bench.step(kitchen, state, "serve(o1.2)", "serve(o1.2)")
    assert reasons == [None, "closed_line"]
    assert (hand(state, 0), hand(state, 1)) == (None, "dish[egg]")
    assert (state.lines["o1.2"].status, state.lines["o1.2"].closed_at) == ("served", 3)
    assert list(state.open_lines()) == ["o1.1"]


@pytest.mark.parametrize(
    ("place", "line", "reason"),
    [
        ("counter_1: dish[egg]", "o1.1", "wrong_station"),
        ("pass", "o1.1", "hands_empty"),
        ("pass: plate", "o1.1", "unsuitable"),
        ("pass: egg", "o1.1", "unsuitable"),
        ("pass: dish[egg]", "o1.3", "unknown_line"),
        ("pass: dish[egg]", "o1", "unknown_line"),
    ],
)
def test_serve_that_cannot_be_done(bench: Bench, place: str, line: str, reason: str) -> None:
    kitchen = bench.kitchen()
    state = ordered(kitchen, bench.state(kitchen, place))
    after, reasons = bench.step(kitchen, state, f"serve({line})")
    assert reasons == [reason]
    assert len(after.open_lines()) == 2


def test_a_cancelled_line_is_closed(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = ordered(kitchen, bench.state(kitchen, "pass: dish[egg]"))
    state = after_event(kitchen, state, {"kind": "remove_line", "line": "o1.1"})
    _, reasons = bench.step(kitchen, state, "serve(o1.1)")
    assert reasons == ["closed_line"]


def test_discard(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "bin: dish[egg]", "bin", "pass: egg")
    after, reasons = bench.step(kitchen, state, "discard", "discard", "discard")
    assert reasons == [None, "hands_empty", "wrong_station"]
    assert [hand(after, worker) for worker in range(3)] == [None, None, "egg"]


def test_a_worker_without_a_readable_action_waits(bench: Bench) -> None:
    restaurant = Restaurant(bench.kitchen())
    before = restaurant.start()
    after, outcomes = restaurant.step(before, {"ann": "wait", "bob": "take a break"})
    assert {worker: outcome.fail for worker, outcome in outcomes.items()} == {
        "ann": None,
        "bob": "no_action",
        "cem": "no_action",
    }
    assert outcomes["cem"].why == "cem gave no action."
    assert "take a break" in outcomes["bob"].why
    assert after.workers == before.workers


# ------------------------------------------------------------------------------------- Faults


def test_a_broken_station_can_be_entered_and_emptied_and_nothing_else(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "aisle", "board_1: egg", "grill_1", grill_1=["bun"])
    for station in ("grill_1", "board_1", "board_2"):
        state = broken(kitchen, state, station, 9)
    state, reasons = bench.step(kitchen, state, "navigate(board_2)", "place", "start")
    assert reasons == [None, "out_of_service", "out_of_service"]
    state, reasons = bench.step(kitchen, state, "chop", "wait", "pick")
    assert reasons == ["out_of_service", None, None]
    assert hand(state, 2) == "bun"


def test_a_broken_counter_can_only_be_emptied(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "counter_1", "counter_1: oil", counter_1=["egg"])
    state = broken(kitchen, state, "counter_1", 1)
    state, reasons = bench.step(kitchen, state, "pick", "place")
    assert reasons == [None, "out_of_service"]


def test_a_broken_dispenser_gives_nothing_out(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = broken(kitchen, bench.state(kitchen, "fridge"), "fridge", 2)
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
    state = passing(bench, kitchen, state, before - 1)
    state = broken(kitchen, state, "oven_1", outage)
    state = passing(bench, kitchen, state, outage + later)
    state, _ = bench.step(kitchen, state, "pick")
    assert hand(state) == f"bun > bake {before + later}"


@pytest.mark.parametrize("waited", [0, 1, 3])
def test_what_is_taken_out_during_an_outage_has_its_minutes_from_before(
    bench: Bench, waited: int
) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pan_1", pan_1=["bun", "egg"])
    state, _ = bench.step(kitchen, state, "start")
    state = passing(bench, kitchen, state, 2)
    state = passing(bench, kitchen, broken(kitchen, state, "pan_1", 9), waited)
    state, reasons = bench.step(kitchen, state, "pick")
    assert reasons == [None]
    assert hand(state) == "(bun > fry 3 + egg > fry 3)"


def test_two_outages_pause_twice(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "oven_1", oven_1=["bun"])
    state, _ = bench.step(kitchen, state, "start")
    for _ in range(2):
        state = passing(bench, kitchen, broken(kitchen, state, "oven_1", 3), 3 + 1)
    state, _ = bench.step(kitchen, state, "pick")
    assert hand(state) == "bun > bake 3"


@pytest.mark.parametrize(("first", "second", "end"), [(2, 5, 6), (5, 1, 5)])
def test_a_second_fault_lasts_until_the_later_end(
    bench: Bench, first: int, second: int, end: int
) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "oven_1", oven_1=["bun"])
    state = broken(kitchen, state, "oven_1", first)
    state = passing(bench, kitchen, state, 1)
    state = broken(kitchen, state, "oven_1", second)
    while "oven_1" in state.out:
        assert bench.step(kitchen, state, "start")[1] == ["out_of_service"]
        state = passing(bench, kitchen, state, 1)
    assert state.timestep == end
    assert bench.step(kitchen, state, "start")[1] == [None]


def test_a_worker_out_of_service_stands_in_the_aisle_with_what_it_holds(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = ill(kitchen, bench.state(kitchen, "board_1: egg", "aisle"), "ann", 2)
    assert places(state)[0] == "aisle"
    state, reasons = bench.step(kitchen, state, "place", "navigate(board_1)")
    assert reasons == ["out_of_service", None]
    state, reasons = bench.step(kitchen, state, "navigate(nowhere)")
    assert reasons == ["out_of_service"]
    state, reasons = bench.step(kitchen, state, "navigate(bin)")
    assert reasons == [None]
    assert hand(state) == "egg"


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
    state = ill(kitchen, bench.state(kitchen), "ann", 1)
    assert bench.step(kitchen, state, action)[1] == [reason]


def test_the_hand_is_looked_at_before_the_outage_of_the_station(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = broken(kitchen, bench.state(kitchen, "grill_1: egg", "grill_2"), "grill_1", 1)
    state = broken(kitchen, state, "grill_2", 1)
    assert bench.step(kitchen, state, "start", "place")[1] == ["hands_full", "hands_empty"]


# --------------------------------------------------------------------------------- Restaurant


def test_a_planner_does_not_see_when_a_fault_ends(bench: Bench) -> None:
    kitchen = bench.kitchen()
    restaurant = Restaurant(kitchen)
    soon = broken(kitchen, restaurant.start(), "oven_1", 2)
    late = broken(kitchen, restaurant.start(), "oven_1", 7)
    assert soon != late
    assert restaurant.observe(soon) == restaurant.observe(late)
    assert restaurant.observe(restaurant.start()) == restaurant.start()


def test_what_is_asked_for(bench: Bench) -> None:
    kitchen = bench.kitchen()
    restaurant = Restaurant(kitchen)
    state = restaurant.start()
    assert restaurant.finished(state)
    state = ordered(kitchen, state)
    assert not restaurant.finished(state)
    assert restaurant.lookups(state) == ["Burger"]
    state = after_event(kitchen, state, {"kind": "cancel_order", "order": "o1"})
    assert restaurant.finished(state)
    assert restaurant.lookups(state) == []


def test_what_cannot_be_read_is_told(bench: Bench) -> None:
    restaurant = Restaurant(bench.kitchen())
    assert restaurant.unreadable("navigate(nowhere)") is None
    assert restaurant.unreadable("dance") is not None
    assert restaurant.unreadable(restaurant.idle) is None
