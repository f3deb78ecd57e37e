"""A dish that too few workers cannot cook together: what takes longest is cooked apart before."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.kitchen.components import parse_component
from cookmas.solving.restaurant.scheduling.bound import state_bound
from cookmas.solving.restaurant.scheduling.claims import choose_joining
from cookmas.solving.restaurant.scheduling.reuse import Handling

SOUP = (
    "(beans > boil 14-16 + carrot > chop 2 > boil 14-16 + macaroni > boil 8-9 + "
    "macaroni > boil 8-9 + stock > boil 14-16)"
)
"""A worker alone needs nine timesteps to add the macaroni; eight are left while the rest boils."""

RICE = "(carrot > chop 2 > fry 6-7 + egg > fry 3-4 + peas > fry 6-7 + rice > boil 10-12 > fry 6-7)"
"""The egg takes five timesteps; there are four while the rest fries."""


def shift_of(floor: Any, *dishes: str, name: str = "small", workers: int = 1) -> Any:
    return floor.wanting(*((dish,) for dish in dishes), name=name, workers=workers)


def leave_one(shift: Any, *kinds: str) -> None:
    for kind in kinds:
        for station in shift.kitchen.of_kind(kind)[1:]:
            shift.happen({"kind": "fault", "station": station, "timesteps": 2000})


@pytest.mark.parametrize("dish", [SOUP, RICE])
@pytest.mark.parametrize("name", ["small", "large"])
def test_a_worker_alone_serves_it_right(floor: Any, dish: str, name: str) -> None:
    shift = shift_of(floor, dish, "bread > slice 1", dish, name=name)
    shift.finish()
    assert shift.calls == [0]
    assert shift.leftovers() == []


@pytest.mark.parametrize("dish", [SOUP, RICE])
def test_a_single_vessel_of_its_kind_is_enough(floor: Any, dish: str) -> None:
    shift = shift_of(floor, dish, dish)
    leave_one(shift, "pot", "pan")
    assert shift.result().fallback is None
    shift.finish()
    assert len(shift.calls) == 1


@pytest.mark.parametrize("dish", [SOUP, pytest.param(RICE, marks=pytest.mark.conformance)])
@pytest.mark.parametrize("single", [(), ("pot", "pan")], ids=["all vessels", "a single vessel"])
def test_asked_at_every_timestep_it_gets_done(
    floor: Any, dish: str, single: tuple[str, ...]
) -> None:
    shift = shift_of(floor, dish)
    leave_one(shift, *single)
    planned = len(shift.result().schedule)
    while shift.state.open_lines() and shift.state.timestep < 1.2 * planned:
        shift.tick(shift.result().schedule[0])
    shift.sound()


def test_where_there_are_two_vessels_no_counter_is_needed(floor: Any) -> None:
    shift = shift_of(floor, SOUP)
    counters = shift.kitchen.of_kind("counter")
    full = {name: ["dill"] * shift.kitchen.stations[name].slots for name in counters}
    shift.state = floor.with_things(shift.state, **full)
    shift.finish()


def test_only_what_was_cooked_there_waits_on_a_counter(floor: Any) -> None:
    shift = shift_of(floor, "(egg > chop 1 > boil 3 + stock > boil 14-16)")
    leave_one(shift, "pot")
    work = shift.left(handling=Handling(apart=frozenset({"o1.1"})))
    assert [stage.kind for stage in work.stages].count("counter") == 1


def test_what_is_put_by_for_a_plate_holds_up_nothing(floor: Any) -> None:
    shift = shift_of(floor, "(bread + butter) > assemble 1")
    shift.state = floor.with_things(shift.state, plating_1=["bread"])
    by = frozenset({"plating_1"})
    tasks = shift.problem(handling=Handling(put_by=by)).tasks
    assert [stage.kind for stage in tasks.work.stages] == ["plating", "counter", "plating"]
    assert tasks.set_aside == {}


def test_the_bound_is_that_of_the_other_lines(floor: Any) -> None:
    alone = shift_of(floor, SOUP).result()
    assert (alone.bound, alone.status) == (None, "feasible")
    shift = shift_of(floor, SOUP, "bread > slice 1")
    other = {"o1.2": shift.wanted["o1.2"]}
    result = shift.result()
    assert result.bound == state_bound(shift.kitchen, shift.seen(), other).value
    assert result.status == "feasible"


def test_a_schedule_that_cooks_apart_is_continued_without_a_bound(floor: Any) -> None:
    shift = shift_of(floor, SOUP)
    planned = shift.result().schedule
    shift.tick(planned[0])
    again = shift.result(underway=planned[1:])
    assert (again.bound, again.status) == (None, "feasible")
    assert len(again.schedule) <= len(planned) - 1


def test_two_workers_cook_it_together(floor: Any) -> None:
    result = shift_of(floor, SOUP, workers=2).result()
    actions = [action for row in result.schedule for action in row.values()]
    assert actions.count("start") == 2, "once for the macaroni"
    assert result.bound is not None


def test_what_is_cooked_apart_is_done_with_the_rest() -> None:
    join = choose_joining(parse_component(SOUP, {}), apart=True)
    assert [str(part) for part in join.parts] == [
        "beans > boil 5-6",
        "carrot > chop 2 > boil 5-6",
        "macaroni",
        "macaroni",
        "stock > boil 5-6",
    ]
    minutes = [(step.low, step.high) for step in join.cooking]
    assert minutes == [(9, 10), (9, 10), (8, 9), (8, 9), (9, 10)]
