"""The lower bound of a replan where several lines could use what is under way."""

from __future__ import annotations

from itertools import zip_longest
from random import Random
from typing import Any

import pytest

from cookmas.kitchen.actions import parse_action
from cookmas.kitchen.simulator import step
from cookmas.solving.restaurant.scheduling.bound import IDLE_END, state_bound
from tests.sampling import seeds

PUT_BY = (
    "navigate(plating_1) pick navigate(counter_1) place navigate(fridge) pick(lettuce) "
    "navigate(plating_1) place assemble pick navigate(pass) serve(o1.2) navigate(counter_1) pick "
    "navigate(plating_1) place navigate(plates) pick navigate(plating_1) place navigate(aisle)",
    "navigate(plates) pick navigate(plating_1) place navigate(pantry) pick(potato) "
    f"navigate(oven_1) place start {'wait ' * 29}pick navigate(plating_1) place assemble pick "
    "navigate(pass) serve(o1.1)",
)
"""What two workers do who put by what lies on the only plating place while it is wanted."""


@pytest.mark.parametrize("seed", seeds(0, 5, 60))
def test_no_schedule_beats_the_bound_however_things_are_shared(floor: Any, seed: int) -> None:
    shift, rng = floor.random(seed, most=4)
    shift.play(rng.randint(2, 15))
    shift.order(rng.choices(list(floor.items), k=3))
    shift.order([shift.state.lines[line].item for line in shift.state.open_lines()][:2])
    bound = shift.bound()
    before = shift.state.timestep
    shift.finish()
    assert bound.value <= shift.state.timestep - before


def test_a_scarce_station_counts_where_things_are_shared(floor: Any) -> None:
    shift, rng = floor.shift("small", workers=6), Random(12)
    shift.order(rng.choices(list(floor.items), k=3))
    shift.play(4)
    shift.order(rng.choices(list(floor.items), k=3))
    bound = shift.bound()
    assert bound.value >= bound.parts["load of mixer"] > bound.parts["work content"]


def test_what_waits_on_a_plate_may_be_put_by_for_another_dish(floor: Any) -> None:
    shift = floor.wanting(("bread > slice 1", "potato > bake 30"), ("lettuce",), workers=2)
    state = floor.with_things(
        shift.state, plating_1=["bread > slice 1"], out=["plating_2", "plating_3"]
    )
    bound = state_bound(shift.kitchen, state, shift.wanted)
    for actions in zip_longest(*(text.split() for text in PUT_BY), fillvalue="wait"):
        state, outcomes = step(shift.kitchen, state, [parse_action(text) for text in actions])
        assert all(outcome.done for outcome in outcomes)
    assert not state.open_lines()
    assert bound.value <= state.timestep


@pytest.mark.parametrize("seed", seeds(1, 4, 12))
def test_no_schedule_beats_the_bound_that_counts_idle_workers(floor: Any, seed: int) -> None:
    rng = Random(100 + seed)
    shift = floor.shift(rng.choice(["small", "small", "standard"]), workers=rng.randint(4, 6))
    shift.order(rng.choices(list(floor.items), k=rng.randint(1, 4)), rng)
    while shift.state.open_lines():
        bound = shift.bound()
        schedule = shift.plan()
        assert bound.parts[IDLE_END] <= bound.value <= len(schedule)
        shift.play(rng.randint(1, 9))


def test_few_plating_places_leave_workers_idle_at_the_end(floor: Any) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(["Buttered Toast"] * 8)
    bound = shift.bound()
    assert bound.parts[IDLE_END] == bound.parts["work content"] + 3


def test_foods_gathered_on_a_plate_may_go_to_different_lines(floor: Any) -> None:
    bread, tomato = ["bread > slice 9"], ["tomato > slice 9"]
    shift = floor.wanting(bread, tomato, bread, workers=1)
    shift.state = floor.with_things(shift.state, plating_1=[*bread, *tomato])
    bound = shift.bound()
    assert bound.value <= len(shift.plan())


def test_foods_go_into_a_pot_one_after_the_other(floor: Any) -> None:
    soup = ["(stock > boil 9 + beans > boil 9 + carrot > boil 9 + onion > boil 4)"]
    shift = floor.wanting(*[soup] * 4, workers=6)
    bound = shift.bound()
    first, last, pots = 2, 7, 2
    taken = 2 + 1 + 9 + 2 * 2
    assert bound.parts["load of pot"] >= first + 4 * taken // pots + last - 2
    assert bound.value <= len(shift.plan())


def test_a_thing_that_several_lines_could_use_leaves_the_bound_of_all_lines_together(
    floor: Any,
) -> None:
    shift = floor.wanting(*[["rice > boil 20-22"]] * 4, workers=6)
    before = shift.bound()
    shift.state = floor.with_things(shift.state, plating_1=["plate"])
    bound = shift.bound()
    assert bound.parts["load of pot"] == before.parts["load of pot"]
    assert bound.value <= len(shift.plan())


def test_a_line_that_could_use_two_things_is_spared_its_work_once(floor: Any) -> None:
    bread, rice = ["bread > slice 9"], ["rice > boil 10-12"]
    shift = floor.wanting(bread, rice, rice, rice, workers=1)
    things = {"plating_1": bread, "plating_2": ["plate"]}
    more = {**things, "plating_3": bread}
    one, two = (
        state_bound(shift.kitchen, floor.with_things(shift.state, **lying), shift.wanted)
        for lying in (things, more)
    )
    assert one.parts["work content"] == two.parts["work content"]


def test_a_line_alone_takes_the_food_that_is_nearly_done(floor: Any) -> None:
    shift = floor.wanting(["potato > deep-fry 6-8"], workers=6)
    shift.state = floor.with_things(
        shift.state._replace(timestep=6), "aisle: potato", fryer_1=["potato"], since={"fryer_1": 0}
    )
    bound = shift.bound()
    shift.state = shift.state._replace(
        workers=tuple(worker._replace(holding=None) for worker in shift.state.workers)
    )
    assert bound.value == shift.bound().value


@pytest.mark.parametrize(("station", "least"), [("pass", 1), ("plating_1", 2)])
def test_a_finished_dish_is_served_at_once_only_at_the_pass(
    floor: Any, station: str, least: int
) -> None:
    shift = floor.shift("small", workers=2)
    shift.order(["Buttered Toast", "Garden Salad"])
    toast, salad = (floor.plated(shift.wanted[line]) for line in ("o1.1", "o1.2"))
    hands = f"pass: {toast}", f"{station}: {salad}"
    shift.state = floor.with_things(shift.state, *hands)
    bound = shift.bound()
    assert bound.value == least
    assert len(shift.plan()) == least
