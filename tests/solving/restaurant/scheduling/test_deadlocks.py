"""Kitchens in which a search could get stuck, or go on wrongly."""

from collections.abc import Callable
from typing import Any

import pytest

from cookmas.kitchen.components import Component, parse_component
from cookmas.kitchen.customizations import Extra, customise
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.profile import give_back, span
from cookmas.solving.restaurant.scheduling.reuse import find_remaining
from cookmas.solving.restaurant.scheduling.schedule import make_schedule


def test_one_worker_fills_a_pot_with_two_foods_that_go_in_late(floor: Any) -> None:
    shift = floor.shift("small", workers=1, effort=6000)
    shift.order(["Chicken Noodle Soup"])
    extra = (Extra(food="noodles"),)
    shift.wanted["o1.1"] = customise(floor.items["Chicken Noodle Soup"], extra, {})
    shift.play(100)
    shift.sound()


@pytest.mark.parametrize("effort", [60, 6000])
def test_a_narrow_mixer_is_no_deadlock(floor: Any, effort: int) -> None:
    shift = floor.shift("small", workers=6, effort=effort)
    shift.order(["Pork Schnitzel", "Shepherd's Pie"])
    shift.play(150)
    shift.sound()


def test_what_lies_unstarted_in_a_pot_out_of_service_is_not_started(floor: Any) -> None:
    shift = floor.shift("standard", workers=1)
    shift.order(["Buttered Toast"])
    shift.wanted["o1.1"] = (parse_component("(stock > boil 3 + onion > boil 3)", {}),)
    shift.state = floor.with_things(shift.state, "pot_1", pot_1=["stock", "onion"], out=["pot_1"])
    assert "start" not in [row["worker_1"] for row in shift.plan()][:1]


@pytest.mark.parametrize("free", [0, 1])
def test_what_is_useless_makes_room_for_what_is_in_progress(floor: Any, free: int) -> None:
    shift = floor.shift("small", workers=3)
    shift.order(["Buttered Toast"] * (1 + free))
    foods = ["salmon > fry 10-11", "beans > boil 10-11"][-1 - free :]
    shift.wanted = {
        line: (parse_component(food, {}),) for line, food in zip(shift.wanted, foods, strict=True)
    }
    useless = {f"plating_{number}": ["egg"] for number in range(1, 4 - free)}
    shift.state = floor.with_things(
        shift.state._replace(timestep=5),
        since={"pot_1": 0, "pan_1": 0},
        pot_1=["beans"],
        **({"pan_1": ["salmon"]} if free else {}),
        **useless,
    )
    assert not any("counter" in action for row in shift.plan() for action in row.values())
    shift.play(60)
    shift.sound()


def test_what_is_useless_in_a_plating_place_out_of_service_is_not_joined(floor: Any) -> None:
    shift = floor.shift("small", workers=1)
    shift.order(["Buttered Toast", "Buttered Toast", "Buttered Toast"])
    shift.state = floor.with_things(
        shift.state,
        plating_1=["egg", "milk"],
        plating_2=["egg", "milk"],
        plating_3=["egg", "milk"],
        out=["plating_1"],
    )

    from cookmas.kitchen.state import Outage

    shift.state = shift.state._replace(out={"plating_1": Outage(0, 30)})
    shift.play(200)
    shift.sound()


def test_a_mixer_is_free_when_the_last_thing_that_lies_in_it_is_gone(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = floor.shift("small", workers=2, effort=600)
    shift.order(["Buttered Toast", "Buttered Toast"])
    shift.wanted["o1.2"] = (component("(cream + egg) > mix 2 > fry 4-5"),)
    shift.state = floor.with_things(
        shift.state, plating_1=["plate", "bread > grill 4"], mixer_1=["butter", "milk"]
    )
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    resources = Problem(shift.kitchen, shift.seen(), work).resources
    levels, (_, slot) = resources.levels, resources.slot_levels["mixer_1"]
    for first_free, free_from in ((9, None), (4, 9)):
        give_back(levels, *resources.lying_levels["mixer_1"], -1 << first_free)
        assert levels[slot] == (-1 if free_from is None else span(0, free_from))
    result = make_schedule(shift.kitchen, shift.seen(), shift.open(), effort=600)
    assert (result.fallback, result.blocked) == (None, ())
    assert result.status in ("optimal", "feasible")
