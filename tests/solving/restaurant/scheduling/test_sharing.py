"""A thing that several lines could use goes to one of them; the others do without it."""

from __future__ import annotations

from typing import Any

from cookmas.kitchen.stages import Held


def test_two_things_at_one_station_serve_two_lines(floor: Any) -> None:
    shift = floor.wanting(*[["carrot > bake 30-40"]] * 2, name="standard", effort=600)
    shift.state = floor.with_things(shift.state, counter_1=["carrot > bake 30"] * 2)
    bound = shift.bound()
    assert bound.value <= len(shift.plan()) < 30


def test_a_running_pan_gets_the_food_that_it_waits_for(floor: Any) -> None:
    fried = "(carrot > chop 2 > fry 6-7 + egg > fry 2-3)"
    dishes = ["(egg + milk) > mix 2", "tomato"], [fried]
    shift = floor.wanting(*dishes, name="standard", effort=600)
    for _ in range(4):
        shift.tick(dict.fromkeys(shift.kitchen.workers, "wait"))
    shift.state = floor.with_things(
        shift.state,
        "pan_1: egg",
        since={"pan_1": 2},
        pan_1=["carrot > chop 2"],
        plating_1=["tomato"],
    )
    work = shift.left()
    held = [s.kind for s in work.stages for entry in s.inputs if isinstance(entry.source, Held)]
    assert held == ["pan"]
