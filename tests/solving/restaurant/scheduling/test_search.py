"""The beam: food that waits for food, makes room, and states that lead nowhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cookmas.kitchen.components import Component

PIE = "(butter > slice 1 + flour) > assemble 1 > bake 12-14"


def test_what_is_full_makes_room_for_what_must_not_burn(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = floor.shift("small", workers=3, effort=600)
    shift.order(["Classic Burger"] * 4)
    chicken, salad = component("chicken > bake 20-22"), component("lettuce > chop 2")
    foods = [(chicken, salad), (component(PIE),), (component("feta"), salad)]
    foods.append((component("olives"), salad))
    shift.wanted = dict(zip(shift.wanted, foods, strict=True))
    shift.state = floor.with_things(
        shift.state._replace(timestep=20),
        since={"oven_1": 0},
        oven_1=["chicken"],
        plating_1=["butter > slice 1", "flour"],
        plating_2=["plate", "feta"],
        plating_3=["plate", "olives"],
    )
    assert not any("bin" in action for row in shift.plan() for action in row.values())
    shift.play()
    shift.sound()
    assert shift.leftovers() == []
