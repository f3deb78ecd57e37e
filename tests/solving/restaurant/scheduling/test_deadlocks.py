"""Kitchens in which a search could get stuck, or go on wrongly."""

from collections.abc import Callable
from typing import Any

import pytest

from cookmas.kitchen.components import Component
from cookmas.kitchen.customizations import Extra, customise
from cookmas.kitchen.state import Outage
from cookmas.solving.restaurant.scheduling.problem import Problem
from cookmas.solving.restaurant.scheduling.profile import give_back, span


def test_one_worker_fills_a_pot_with_two_foods_that_go_in_late(floor: Any) -> None:
    shift = floor.shift("small", workers=1, effort=6000)
    shift.order(["Chicken Noodle Soup"])
    extra = (Extra(food="noodles"),)
    shift.wanted["o1.1"] = customise(floor.items["Chicken Noodle Soup"], extra, {})
    shift.finish(100)


@pytest.mark.parametrize("effort", [60, 6000])
def test_a_narrow_mixer_is_no_deadlock(floor: Any, effort: int) -> None:
    shift = floor.shift("small", workers=6, effort=effort)
    shift.order(["Pork Schnitzel", "Shepherd's Pie"])
    shift.finish(150)


def test_what_lies_unstarted_in_a_pot_out_of_service_is_not_started(floor: Any) -> None:
    soup = "(stock > boil 3 + onion > boil 3)"
    shift = floor.wanting([soup], name="standard", workers=1)
    shift.state = floor.with_things(shift.state, "pot_1", pot_1=["stock", "onion"], out=["pot_1"])
    assert "start" not in [row["worker_1"] for row in shift.plan()][:1]


@pytest.mark.parametrize("free", [0, 1])
def test_what_is_useless_makes_room_for_what_is_in_progress(floor: Any, free: int) -> None:
    shift = floor.wanting(*[["salmon > fry 10-11"], ["beans > boil 10-11"]][-1 - free :])
    useless = {f"plating_{number}": ["egg"] for number in range(1, 4 - free)}
    shift.state = floor.with_things(
        shift.state._replace(timestep=5),
        since={"pot_1": 0, "pan_1": 0},
        pot_1=["beans"],
        **({"pan_1": ["salmon"]} if free else {}),
        **useless,
    )
    assert not any("counter" in action for row in shift.plan() for action in row.values())
    shift.finish(60)


def test_what_is_useless_in_a_plating_place_out_of_service_is_not_joined(floor: Any) -> None:
    shift = floor.shift("small", workers=1)
    shift.order(["Buttered Toast", "Buttered Toast", "Buttered Toast"])
    useless = {f"plating_{number}": ["egg", "milk"] for number in (1, 2, 3)}
    shift.state = floor.with_things(shift.state, out=["plating_1"], **useless)
    shift.state = shift.state._replace(out={"plating_1": Outage(0, 30)})
    shift.finish(200)


def test_a_mixer_is_free_when_the_last_thing_that_lies_in_it_is_gone(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = floor.shift("small", workers=2, effort=600)
    shift.order(["Buttered Toast", "Buttered Toast"])
    shift.wanted["o1.2"] = (component("(cream + egg) > mix 2 > fry 4-5"),)
    shift.state = floor.with_things(
        shift.state, plating_1=["plate", "bread > grill 4"], mixer_1=["butter", "milk"]
    )
    problem: Problem = shift.problem()
    resources = problem.resources
    levels, (_, slot) = resources.levels, resources.slot_levels["mixer_1"]
    for first_free, free_from in ((9, None), (4, 9)):
        give_back(levels, *resources.lying_levels["mixer_1"], -1 << first_free)
        assert levels[slot] == (-1 if free_from is None else span(0, free_from))
    result = shift.result(effort=600)
    assert (result.fallback, result.blocked) == (None, ())
    assert result.status in ("optimal", "feasible")
