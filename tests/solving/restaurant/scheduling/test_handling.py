"""What holds up others is put by on a counter, or given up and made anew."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cookmas.kitchen.stages import FoodInSlot, Made
from cookmas.solving.restaurant.scheduling import planning
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.reuse import Handling
from cookmas.solving.restaurant.scheduling.window import Window
from tests.sampling import seeds


@pytest.fixture
def full_of_halves(floor: Any) -> Any:
    """A chicken is nearly baked, and all plating places wait for something that takes long."""
    halves = ((name, "beans > boil 15-18") for name in ("feta", "olives", "lettuce"))
    shift = floor.wanting(["chicken > bake 20-22"], *halves, effort=600)
    shift.state = floor.with_things(
        shift.state._replace(timestep=17),
        since={"oven_1": 0},
        oven_1=["chicken"],
        plating_1=["plate", "feta"],
        plating_2=["plate", "olives"],
        plating_3=["plate", "lettuce"],
    )
    return shift


def test_what_must_not_burn_is_put_by_on_a_counter(full_of_halves: Any) -> None:
    assert not any("bin" in act for row in full_of_halves.plan() for act in row.values())
    full_of_halves.finish()
    assert full_of_halves.leftovers() == []


PUT_BY = Handling(put_by=frozenset({"oven_1"}))


def test_what_is_put_by_goes_through_a_counter(full_of_halves: Any) -> None:
    stages = full_of_halves.left(handling=PUT_BY).stages
    (counter,) = [n for n, stage in enumerate(stages) if stage.kind == "counter"]
    (entry,) = stages[counter].inputs
    assert entry.source == Made(counter - 1)
    assert stages[counter - 1].inputs[0].source == FoodInSlot(0, 1)
    assert not stages[counter].cooks


def test_a_counter_takes_as_much_as_it_has_slots(full_of_halves: Any) -> None:
    assert Window(full_of_halves.problem(handling=PUT_BY)).safety.units["counter"] == 4


def test_what_is_put_down_takes_a_slot_of_the_counter(floor: Any, full_of_halves: Any) -> None:
    shift = full_of_halves
    lying = {name: [str(c.thing) for c in things] for name, things in shift.state.contents.items()}
    shift.state = floor.with_things(
        shift.state, "aisle: bread", **lying, counter_1=["flour", "butter", "egg"]
    )
    work = shift.left(handling=Handling(given_up=frozenset({"worker_1"})))
    work.junk[0] = "counter_1"
    resources = Problem(shift.kitchen, shift.seen(), work).resources
    assert resources.is_stuck(resources.levels, "counter", 0)


def test_what_cannot_be_gone_on_with_is_put_by_before_it_is_given_up() -> None:
    first = Handling().make_gentler("oven_1")
    assert first == PUT_BY
    assert first is not None
    second = first.make_gentler("oven_1")
    assert second == Handling(frozenset({"oven_1"}), frozenset({"oven_1"}))
    assert second is not None
    assert second.make_gentler("oven_1") is None


@pytest.mark.parametrize("seed", seeds(0, 2, 4))
def test_what_is_dealt_with_otherwise_goes_as_planned(
    floor: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "CLOSE", 0.0)
    monkeypatch.setattr(planning, "NEAR", 0.0)
    shift = floor.shift("small", workers=6, effort=200)
    rng = Random(seed)
    shift.order(rng.choices(list(floor.items), k=3), rng)
    for _ in range(6):
        shift.play(5)
        shift.queue = []
        if rng.random() < 0.5:
            shift.order(rng.choices(list(floor.items), k=1), rng)
    shift.finish()


@pytest.mark.parametrize("name", ["board_1", "worker_1", "pot_1"])
def test_what_lies_where_it_can_be_taken_is_not_put_by(floor: Any, name: str) -> None:
    dish = "tomato > chop 2", "(stock > boil 5-6 + onion > boil 5-6)"
    shift = floor.wanting(dish, workers=2)
    shift.state = floor.with_things(
        shift.state._replace(timestep=3),
        "aisle: plate",
        since={"pot_1": 1},
        board_1=["tomato > chop 2"],
        pot_1=["stock", "onion"],
    )
    work = shift.left(handling=Handling(put_by=frozenset({name})))
    assert sum(stage.rests for stage in work.stages) == (name != "board_1")
