"""What holds up others is put by on a counter, or given up and made anew."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cookmas.kitchen.components import Component
from cookmas.kitchen.stages import FoodInSlot, Made
from cookmas.solving.restaurant.scheduling import planning
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.reuse import Handling, find_remaining
from cookmas.solving.restaurant.scheduling.window import Window
from tests.sampling import seeds


def full_of_halves(floor: Any, component: Callable[[str], Component]) -> Any:
    """A chicken is nearly baked, and all plating places wait for something that takes long."""
    shift = floor.shift("small", workers=3, effort=600)
    shift.order(["Classic Burger"] * 4)
    late = component("beans > boil 15-18")
    foods: list[tuple[Component, ...]] = [(component("chicken > bake 20-22"),)]
    foods += [(component(name), late) for name in ("feta", "olives", "lettuce")]
    shift.wanted = dict(zip(shift.wanted, foods, strict=True))
    shift.state = floor.with_things(
        shift.state._replace(timestep=17),
        since={"oven_1": 0},
        oven_1=["chicken"],
        plating_1=["plate", "feta"],
        plating_2=["plate", "olives"],
        plating_3=["plate", "lettuce"],
    )
    return shift


def test_what_must_not_burn_is_put_by_on_a_counter(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    assert not any("bin" in action for row in shift.plan() for action in row.values())
    shift.play()
    shift.sound()
    assert shift.leftovers() == []


def test_what_is_put_by_goes_through_a_counter(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    kitchen, state, wanted = shift.kitchen, shift.seen(), shift.open()
    stages = find_remaining(
        kitchen, state, wanted, handling=Handling(put_by=frozenset({"oven_1"}))
    ).stages
    (counter,) = [n for n, stage in enumerate(stages) if stage.kind == "counter"]
    (entry,) = stages[counter].inputs
    assert entry.source == Made(counter - 1)
    assert stages[counter - 1].inputs[0].source == FoodInSlot(0, 1)
    assert not stages[counter].cooks


def test_a_counter_takes_as_much_as_it_has_slots(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    kitchen, state, wanted = shift.kitchen, shift.seen(), shift.open()
    work = find_remaining(kitchen, state, wanted, handling=Handling(put_by=frozenset({"oven_1"})))
    assert Window(Problem(kitchen, state, work)).safety.units["counter"] == 4


def test_what_is_put_down_takes_a_slot_of_the_counter(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = full_of_halves(floor, component)
    lying = {name: [str(c.thing) for c in things] for name, things in shift.state.contents.items()}
    state = floor.with_things(
        shift.state, "aisle: bread", **lying, counter_1=["flour", "butter", "egg"]
    )
    work = find_remaining(
        shift.kitchen, state, shift.open(), handling=Handling(given_up=frozenset({"worker_1"}))
    )
    work.junk[0] = "counter_1"
    resources = Problem(shift.kitchen, state, work).resources
    assert resources.is_stuck(resources.levels, "counter", 0)


def test_what_cannot_be_gone_on_with_is_put_by_before_it_is_given_up() -> None:
    first = Handling().make_gentler("oven_1")
    assert first == Handling(put_by=frozenset({"oven_1"}))
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
    shift.play()
    shift.sound()


@pytest.mark.parametrize("name", ["board_1", "worker_1", "pot_1"])
def test_what_lies_where_it_can_be_taken_is_not_put_by(
    floor: Any, component: Callable[[str], Component], name: str
) -> None:
    shift = floor.shift("small", workers=2)
    shift.order(["Classic Burger"])
    soup = component("(stock > boil 5-6 + onion > boil 5-6)")
    shift.wanted = {"o1.1": (component("tomato > chop 2"), soup)}
    state = floor.with_things(
        shift.state._replace(timestep=3),
        "aisle: plate",
        since={"pot_1": 1},
        board_1=["tomato > chop 2"],
        pot_1=["stock", "onion"],
    )
    work = find_remaining(
        shift.kitchen, state, shift.open(), handling=Handling(put_by=frozenset({name}))
    )
    assert sum(stage.rests for stage in work.stages) == (name != "board_1")
