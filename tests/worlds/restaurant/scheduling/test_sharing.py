"""A thing that several lines could use goes to one of them; the others do without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cookmas.kitchen.components import Component
from cookmas.kitchen.stages import Held
from cookmas.worlds.restaurant.scheduling import improving
from cookmas.worlds.restaurant.scheduling.bound import LEFT_OUT, state_bound
from cookmas.worlds.restaurant.scheduling.effort import URGED_LINES
from cookmas.worlds.restaurant.scheduling.found import Found
from cookmas.worlds.restaurant.scheduling.handling import Handling
from cookmas.worlds.restaurant.scheduling.improving import Improving
from cookmas.worlds.restaurant.scheduling.reuse import find_remaining
from cookmas.worlds.restaurant.scheduling.schedule import make_schedule
from cookmas.worlds.restaurant.scheduling.sharing import best_withheld


def wanting(floor: Any, component: Callable[[str], Component], *foods: str) -> Any:
    """A kitchen with a line for each of some foods."""
    shift = floor.shift("standard", workers=3, effort=600)
    shift.order(["Classic Burger"] * len(foods))
    shift.wanted = {
        line: (component(food),) for line, food in zip(shift.wanted, foods, strict=True)
    }
    return shift


def one_carrot(floor: Any, component: Callable[[str], Component]) -> Any:
    """A carrot is chopped that a begun quick dish and one that takes long could use."""
    shift = wanting(floor, component, "carrot > chop 9", "carrot > chop 9 > boil 15-18")
    shift.wanted["o1.1"] = (*shift.wanted["o1.1"], component("tomato"))
    shift.state = floor.with_things(shift.state, "board_1: carrot > chop 9", plating_1=["tomato"])
    return shift


def test_a_thing_is_withheld_from_the_line_that_can_do_without_it(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = one_carrot(floor, component)
    withheld = best_withheld(shift.kitchen, shift.seen(), shift.open(), frozenset())
    assert withheld == {("o1.1", "worker_1")}


def test_nothing_is_withheld_where_that_helps_nobody(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = one_carrot(floor, component)
    shift.state = shift.state._replace(contents={})
    assert not best_withheld(shift.kitchen, shift.seen(), shift.open(), frozenset())


def test_a_schedule_is_shorter_where_the_right_line_gets_a_shared_thing(
    floor: Any, component: Callable[[str], Component], monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = one_carrot(floor, component)
    shared = make_schedule(shift.kitchen, shift.seen(), shift.open(), effort=600)
    shift.play()
    shift.sound()
    shift = one_carrot(floor, component)
    monkeypatch.setattr(improving, "best_withheld", lambda *_: frozenset())
    monkeypatch.setattr(Improving, "_vary_handling", lambda *_: [])
    by_order = make_schedule(shift.kitchen, shift.seen(), shift.open(), effort=600)
    assert len(shared.schedule) < len(by_order.schedule)


@pytest.mark.parametrize("holder", ["worker_1", "plating_1", "pot_1"])
def test_the_bound_counts_a_line_that_is_left_without_a_shared_thing(
    floor: Any, component: Callable[[str], Component], holder: str
) -> None:
    food = "(carrot > boil 30-40 + onion > boil 30-40)"
    done = "(carrot > boil 30 + onion > boil 30)"
    shift = wanting(floor, component, food, food)
    made = {"pot_1": ["carrot", "onion"], "plating_1": [done]}
    lying = {holder: made[holder]} if holder in made else {}
    hands = (f"aisle: {done}",) if holder not in made else ()
    shift.state = floor.with_things(
        shift.state._replace(timestep=30), *hands, since={"pot_1": 0}, **lying
    )
    bound = state_bound(shift.kitchen, shift.seen(), shift.open())
    assert bound.value == bound.parts[LEFT_OUT] > 30 > bound.parts["critical path"]
    assert bound.value <= len(shift.plan())


def test_two_things_at_one_station_serve_two_lines(
    floor: Any, component: Callable[[str], Component]
) -> None:
    shift = wanting(floor, component, "carrot > bake 30-40", "carrot > bake 30-40")
    shift.state = floor.with_things(shift.state, counter_1=["carrot > bake 30"] * 2)
    bound = state_bound(shift.kitchen, shift.seen(), shift.open())
    assert bound.value <= len(shift.plan()) < 30


def test_other_handlings_are_tried_until_something_is_found(
    floor: Any, component: Callable[[str], Component], monkeypatch: pytest.MonkeyPatch
) -> None:
    shift = wanting(floor, component, "carrot > chop 2", "onion > chop 2", "tomato > chop 2")
    shift.state = floor.with_things(
        shift.state, board_1=["carrot"], board_2=["onion"], board_3=["tomato"]
    )
    call = shift.call(600)
    search, tried = call._glance, []

    def glance(*asked: Any) -> Found | None:
        tried.append(asked)
        call.spent += call.shares.handling * call.effort / 2
        return search(*asked) if len(tried) > 3 else None

    monkeypatch.setattr(call, "_search_without_foresight", lambda *_: None)
    monkeypatch.setattr(call, "_glance", glance)
    assert call.best(Handling()) is not None
    assert len(tried) == 4


@pytest.mark.parametrize("more", [0, 1])
def test_only_few_lines_are_worth_finding_out_who_is_to_have_what(
    floor: Any, component: Callable[[str], Component], monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    asked: list[str] = []

    def withheld(*_: Any) -> frozenset[tuple[str, str]]:
        asked.append("who has what")
        return frozenset()

    monkeypatch.setattr(improving, "best_withheld", withheld)
    shift = wanting(floor, component, *["carrot"] * (URGED_LINES + more))
    call = shift.call(60, bound=1)
    monkeypatch.setattr(call, "_search_without_foresight", lambda *_: None)
    monkeypatch.setattr(call, "_vary_handling", lambda *_: [])
    assert call.best(Handling()) is None
    assert len(asked) == 1 - more


def test_a_running_pan_gets_the_food_that_it_waits_for(
    floor: Any, component: Callable[[str], Component]
) -> None:
    fried = "(carrot > chop 2 > fry 6-7 + egg > fry 2-3)"
    shift = wanting(floor, component, "(egg + milk) > mix 2", fried)
    shift.wanted["o1.1"] = (*shift.wanted["o1.1"], component("tomato"))
    for _ in range(4):
        shift.tick(dict.fromkeys(shift.kitchen.workers, "wait"))
    shift.state = floor.with_things(
        shift.state,
        "pan_1: egg",
        since={"pan_1": 2},
        pan_1=["carrot > chop 2"],
        plating_1=["tomato"],
    )
    work = find_remaining(shift.kitchen, shift.seen(), shift.open())
    held = [s.kind for s in work.stages for entry in s.inputs if isinstance(entry.source, Held)]
    assert held == ["pan"]
