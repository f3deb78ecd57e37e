"""What holds up others is put by on a counter, or given up and made anew."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from kitchen.components import Component
from kitchen.stages import Here, Made
from worlds.restaurant.scheduling import improving, schedule
from worlds.restaurant.scheduling.handling import Handling
from worlds.restaurant.scheduling.improving import EXPANSION, MOST_COST, Improving
from worlds.restaurant.scheduling.reuse import remaining


def full_of_halves(floor: Any, component: Callable[[str], Component]) -> Any:
    """A chicken is nearly baked, and all plating places wait for something that takes long."""
    shift = floor.shift("small", workers=3, effort=600)
    shift.order(["Classic Burger"] * 4)
    late = component("beans > boil 15-18")
    foods = [(component("chicken > bake 20-22"),)]
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
    stages = remaining(kitchen, state, wanted, put_by=frozenset({"oven_1"})).stages
    (counter,) = [n for n, stage in enumerate(stages) if stage.kind == "counter"]
    (entry,) = stages[counter].inputs
    assert entry.source == Made(counter - 1)
    assert stages[counter - 1].inputs[0].source == Here(0, 1)
    assert not stages[counter].cooks


def test_a_mixer_that_waits_for_a_potato_is_emptied_for_what_can_be_mixed_at_once(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = floor.shift("small", workers=4, effort=600)
    shift.order(["Classic Burger"] * 4)
    mash = component("(milk + butter + potato > peel 1 > chop 2 > boil 14-16) > mix 2")
    batter = component("(egg + flour + milk) > mix 3 > fry 2-3")
    foods = [(mash,), *[(batter,)] * 3]
    shift.wanted = dict(zip(shift.wanted, foods, strict=True))
    shift.state = floor.with_things(shift.state, mixer_1=["milk"])
    planned = len(shift.plan())
    assert planned <= MIXER_FREED
    shift.play()
    shift.sound()


MIXER_FREED = 45
"""Timesteps that serve everything where the mixer is not left to the mash all the time."""


def test_what_cannot_be_gone_on_with_is_put_by_before_it_is_given_up() -> None:
    first = Handling().without("oven_1")
    assert first == Handling(put_by=frozenset({"oven_1"}))
    assert first is not None
    second = first.without("oven_1")
    assert second == Handling(frozenset({"oven_1"}), frozenset({"oven_1"}))
    assert second is not None and second.without("oven_1") is None


@pytest.mark.parametrize("seed", range(4))
def test_a_call_stops_at_what_it_may_spend(
    floor: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improving, "CLOSE", 0.0)
    monkeypatch.setattr(improving, "NEAR", 0.0)
    shift = floor.shift("small", workers=5)
    rng = Random(seed)
    shift.order(rng.choices(list(floor.items), k=2 + seed), rng)
    shift.play(8)
    shift.queue = []
    call = Improving(shift.kitchen, shift.seen(), shift.open(), frozenset(), schedule.EFFORT)
    assert call.best(Handling())
    assert call.spent <= 2 * MOST_COST * schedule.EFFORT
    assert call.spent > EXPANSION


@pytest.mark.parametrize("seed", range(4))
def test_what_is_dealt_with_otherwise_goes_as_planned(
    floor: Any, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(improving, "CLOSE", 0.0)
    monkeypatch.setattr(improving, "NEAR", 0.0)
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
