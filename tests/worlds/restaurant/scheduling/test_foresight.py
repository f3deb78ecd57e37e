"""What is gained by planning ahead, where one station is in the way of everything."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cookmas.kitchen.components import Component
from cookmas.worlds.restaurant.scheduling import improving, schedule
from cookmas.worlds.restaurant.scheduling.bound import state_bound
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.ranking import RankedTask
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.search import EXAMINED_STATES, Move, Search
from cookmas.worlds.restaurant.scheduling.states import PartialSchedule, Solution
from cookmas.worlds.restaurant.scheduling.urging import Urging

LAMB = (
    "(butter + butter + milk + potato > peel 1 > chop 2 > boil 14-16) > mix 2",
    "(mint > chop 2 + vinegar) > mix 1",
    "lamb chop > grill medium",
)
ROAST = (
    "carrot > peel 1 > slice 1 > boil 6-7",
    "chicken > bake 20-22",
    "chicken > bake 20-22",
    "potato > peel 1 > chop 2 > boil 6-7 > bake 13-15",
    "stock > fry 5-6",
)
PIE = "(butter > slice 1 + flour) > assemble 1 > bake 12-14"


def one_dish(floor: Any, component: Callable[[str], Component], parts: Any, workers: int) -> Any:
    shift = floor.shift("small", workers, effort=schedule.EFFORT)
    shift.order(["Classic Burger"])
    shift.wanted = {"o1.1": tuple(map(component, parts))}
    return shift


def test_a_mixer_is_used_before_the_sauce_that_needs_it_later(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = one_dish(floor, component, LAMB, 6)
    planned = len(shift.plan())
    assert planned == state_bound(shift.kitchen, shift.seen(), shift.open()).value
    shift.play()
    shift.sound()


def test_a_food_waits_for_one_that_is_longer_in_the_only_oven(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = one_dish(floor, component, ROAST, 3)
    assert len(shift.plan()) <= 48
    shift.play()
    shift.sound()


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


@pytest.mark.parametrize("seed", range(4))
def test_what_is_planned_ahead_goes_as_planned(
    floor: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improving, "CLOSE", 0.0)
    monkeypatch.setattr(improving, "NEAR", 0.0)
    shift = floor.shift("small", workers=3 + seed, effort=60)
    rng = Random(seed)
    shift.order(rng.choices(list(floor.items), k=rng.randint(1, 7)), rng)
    planned = len(shift.plan())
    bound = state_bound(shift.kitchen, shift.seen(), shift.open()).value
    shift.play(rng.randint(5, 20))
    shift.queue = []
    shift.play()
    shift.sound()
    assert bound <= planned


def test_urging_ends_where_nothing_is_left_to_try(floor: Any) -> None:
    shift = floor.shift("small")
    shift.order(["Classic Burger"])
    dish = floor.plated(shift.wanted["o1.1"])
    shift.state = floor.with_things(shift.state, f"pass: {dish}")
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    found = Urging(Problem(shift.kitchen, shift.seen(), work)).best_urged(10**9, 0, None)
    assert found
    assert found.length == 1


def test_what_cannot_wait_is_placed_once_for_all_searches_with_urgencies(
    floor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = floor.shift("small", workers=6)
    shift.order(Random(1).choices(list(floor.items), k=3))
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    urging = Urging(Problem(shift.kitchen, shift.seen(), work))
    opened: list[int] = []
    opening = urging.search.open_states

    def counted(width: int) -> list[PartialSchedule]:
        opened.append(width)
        urging.search.resources.fills_gaps = True
        return opening(width)

    monkeypatch.setattr(urging.search, "open_states", counted)
    filled: list[bool] = []
    best = urging.search.best

    def noted(*asked: Any, **named: Any) -> Solution | None:
        filled.append(urging.search.resources.fills_gaps)
        return best(*asked, **named)

    monkeypatch.setattr(urging.search, "best", noted)
    assert urging.best_urged(5000, 0, None)
    assert opened == [1]
    assert len(filled) > 2
    assert all(filled), "what was squeezed in at first is watched in all of them"


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
    assert search._expand(state, 3, 0, Random(1)) == []
    assert len(begun) <= EXAMINED_STATES
