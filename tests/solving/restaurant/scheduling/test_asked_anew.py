"""Asked anew at every timestep, and in the middle of things, the scheduler goes on with them."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.kitchen.components import parse_component
from tests.sampling import sampled

EGG_RICE = "(rice > fry 4-5 + peas > fry 4-5 + egg > fry 2)"


@pytest.fixture
def shift(floor: Any) -> Any:
    made = floor.shift("standard", 3, effort=600)
    made.order(["Egg Fried Rice"])
    made.wanted = {"o1.1": (parse_component(EGG_RICE, made.kitchen.doneness),)}
    return made


@pytest.mark.parametrize("seed", sampled([500, 501, 504, 505, 511, 512, 517], 7))
def test_searched_for_at_every_timestep_it_gets_done(floor: Any, seed: int) -> None:
    shift, _ = floor.random(seed, most=3, effort=600)
    planned = len(shift.plan())
    while shift.state.open_lines() and shift.state.timestep < 2 * planned:
        shift.underway = []
        shift.tick(shift.plan()[0])
    shift.sound()


def actions(shift: Any) -> list[str]:
    return [action for row in shift.plan() for action in row.values()]


def test_what_is_held_for_a_full_pan_waits_until_the_pan_is_started(floor: Any, shift: Any) -> None:
    shift.state = floor.with_things(
        shift.state, "aisle: egg", pan_1=["rice", "peas"], plating_1=["plate"]
    )
    planned = actions(shift)
    assert planned.count("start") == 2
    assert not any(action.startswith(("pick(egg", "discard")) for action in planned)
    shift.finish()


def test_what_lies_in_a_running_pan_is_started_with_what_comes_next(floor: Any, shift: Any) -> None:
    two = EGG_RICE.replace("egg > fry 2", "egg > fry 2 + egg > fry 2")
    shift.wanted = {"o1.1": (parse_component(two, shift.kitchen.doneness),)}
    shift.state = floor.with_things(
        shift.state, "pan_1: egg", pan_1=["rice", "peas"], plating_1=["plate"], since={"pan_1": -1}
    )
    pan = shift.state.contents["pan_1"]
    egg = pan[0]._replace(slot=3, thing=shift.state.workers[0].holding, since=None)
    shift.state = shift.state._replace(contents={**shift.state.contents, "pan_1": (*pan, egg)})
    assert [row["worker_1"] for row in shift.plan()[:2]] == ["place", "start"]
    shift.finish()


def test_hands_are_emptied_only_onto_counters_with_room(floor: Any) -> None:
    shift = floor.shift("standard", 3)
    shift.order(["Buttered Toast"])
    counters = shift.kitchen.of_kind("counter")
    full = {name: ["dill"] * shift.kitchen.stations[name].slots for name in counters}
    full[counters[-1]].pop()
    shift.state = floor.with_things(shift.state, "aisle: tomato", "aisle: lemon", **full)
    shift.finish()
