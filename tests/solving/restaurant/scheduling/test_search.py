"""The beam: food that waits for food, makes room, and states that lead nowhere."""

from __future__ import annotations

from typing import Any

PIE = "(butter > slice 1 + flour) > assemble 1 > bake 12-14"


def test_what_is_full_makes_room_for_what_must_not_burn(floor: Any) -> None:
    salad = "lettuce > chop 2"
    dishes = ["chicken > bake 20-22", salad], [PIE], ["feta", salad], ["olives", salad]
    shift = floor.wanting(*dishes, effort=600)
    shift.state = floor.with_things(
        shift.state._replace(timestep=20),
        since={"oven_1": 0},
        oven_1=["chicken"],
        plating_1=["butter > slice 1", "flour"],
        plating_2=["plate", "feta"],
        plating_3=["plate", "olives"],
    )
    assert not any("bin" in action for row in shift.plan() for action in row.values())
    shift.finish()
    assert shift.leftovers() == []
