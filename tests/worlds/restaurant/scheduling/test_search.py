"""The beam: food that waits for food, makes room, and states that lead nowhere."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cookmas.kitchen.components import Component
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.search import EXAMINED_STATES, Move, Search
from cookmas.worlds.restaurant.scheduling.states import PartialSchedule, RankedTask

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


def test_a_state_that_leads_nowhere_is_left_soon(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(Random(1).choices(list(floor.items), k=3))
    search = Search(
        Problem(
            shift.kitchen, shift.seen(), find_remaining(shift.kitchen, shift.seen(), shift.open())
        )
    )
    (state,) = search.open_states(1)
    begun: list[PartialSchedule] = []
    moves = search._moves

    def counted(state: PartialSchedule, rank: list[RankedTask], most: int) -> list[Move]:
        begun.append(state)
        return moves(state, rank, most)

    monkeypatch.setattr(search, "_moves", counted)
    monkeypatch.setattr(search, "_advance", lambda *_: False)
    assert search._expand(state, 3, Random(1)) == []
    assert len(begun) <= EXAMINED_STATES
