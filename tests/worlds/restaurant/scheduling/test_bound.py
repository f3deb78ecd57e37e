"""The lower bound of a replan where several lines could use what is under way."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kitchen.components import parse_component
from tests.sampling import seeds
from worlds.restaurant.scheduling.bound import state_bound


@pytest.mark.parametrize("seed", seeds(0, 16, 60))
def test_no_schedule_beats_the_bound_however_things_are_shared(floor: Any, seed: int) -> None:
    shift, rng = floor.random(seed, most=4)
    shift.play(rng.randint(2, 15))
    shift.order(rng.choices(list(floor.items), k=3))
    shift.order([shift.state.lines[line].item for line in shift.state.open_lines()][:2])
    bound = state_bound(shift.kitchen, shift.seen(), shift.open())
    before = shift.state.timestep
    shift.play()
    shift.sound()
    assert bound.value <= shift.state.timestep - before


def test_a_scarce_station_counts_where_things_are_shared(floor: Any) -> None:
    shift, rng = floor.shift("small", workers=6), Random(12)
    shift.order(rng.choices(list(floor.items), k=3))
    shift.play(4)
    shift.order(rng.choices(list(floor.items), k=3))
    bound = state_bound(shift.kitchen, shift.seen(), shift.open())
    assert bound.value == bound.parts["load of mixer"] > bound.parts["work content"]


def test_foods_gathered_on_a_plate_may_go_to_different_lines(floor: Any) -> None:
    shift = floor.shift("small", workers=1)
    doneness = shift.kitchen.doneness
    bread, tomato = (parse_component(f"{food} > slice 9", doneness) for food in ("bread", "tomato"))
    shift.order(["Buttered Toast"] * 3)
    shift.wanted = {"o1.1": (bread,), "o1.2": (tomato,), "o1.3": (bread,)}
    shift.state = floor.with_things(shift.state, plating_1=["bread > slice 9", "tomato > slice 9"])
    bound = state_bound(shift.kitchen, shift.seen(), shift.open())
    assert "the longest line" in bound.parts
    assert bound.value <= len(shift.plan())
