"""A thing that several lines could use goes to one of them; the others do without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cookmas.kitchen.components import Component
from cookmas.kitchen.stages import Held
from cookmas.solving.restaurant.scheduling.bound import state_bound
from cookmas.solving.restaurant.scheduling.reuse import find_remaining


def wanting(floor: Any, component: Callable[[str], Component], *foods: str) -> Any:
    """A kitchen with a line for each of some foods."""
    shift = floor.shift("standard", workers=3, effort=600)
    shift.order(["Classic Burger"] * len(foods))
    shift.wanted = {
        line: (component(food),) for line, food in zip(shift.wanted, foods, strict=True)
    }
    return shift


def test_two_things_at_one_station_serve_two_lines(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = wanting(floor, component, "carrot > bake 30-40", "carrot > bake 30-40")
    shift.state = floor.with_things(shift.state, counter_1=["carrot > bake 30"] * 2)
    bound = state_bound(shift.kitchen, shift.seen(), shift.open())
    assert bound.value <= len(shift.plan()) < 30


def test_a_running_pan_gets_the_food_that_it_waits_for(
    floor: Any, component: Callable[[str], Component]
) -> None:
    fried = "(carrot > chop 2 > fry 6-7 + egg > fry 2-3)"
    shift = wanting(floor, component, "(egg + milk) > mix 2", fried)
    shift.wanted["o1.1"] = (*shift.wanted["o1.1"], component("tomato"))
    for _ in range(4):
        shift.tick(dict.fromkeys(shift.kitchen.workers, "wait"))
    shift.state = floor.with_things(
        shift.state,
        "pan_1: egg",
        since={"pan_1": 2},
        pan_1=["carrot > chop 2"],
        plating_1=["tomato"],
    )
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    held = [s.kind for s in work.stages for entry in s.inputs if isinstance(entry.source, Held)]
    assert held == ["pan"]
