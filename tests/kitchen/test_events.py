"""Orders, changes, cancellations and faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cookmas.episodes.world import Trigger
from cookmas.files.errors import InputError
from cookmas.kitchen.events import parse_event
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState, OrderLine, Outage, make_opening_state
from cookmas.kitchen.world import Restaurant

if TYPE_CHECKING:
    from tests.kitchen.conftest import Bench

Event = dict[str, Any]


def new_order(order: str = "o1", *items: str, due: int | None = 9) -> Event:
    lines = [{"item": item, "note": ""} for item in items or ("Burger", "Burger")]
    return {"kind": "new_order", "order": order, "lines": lines, "due": due}


def add_line(order: str = "o1", item: str = "Burger", note: str = "") -> Event:
    return {"kind": "add_line", "order": order, "item": item, "note": note}


def remove(line: str) -> Event:
    return {"kind": "remove_line", "line": line}


def change(line: str, note: str) -> Event:
    return {"kind": "change_line", "line": line, "note": note}


def cancel(order: str = "o1") -> Event:
    return {"kind": "cancel_order", "order": order}


def fault(timesteps: int, **what: str) -> Event:
    return {"kind": "fault", "timesteps": timesteps, **what}


def refusing(line: str, why: str = "nobody knows what it is") -> Event:
    return {"kind": "refuse_line", "line": line, "why": why}


def accepted(kitchen: Kitchen, state: KitchenState, event: Event) -> tuple[KitchenState, Trigger]:
    after, ruling = Restaurant(kitchen).apply(state, event)
    assert ruling.refused is None
    assert ruling.trigger is not None
    return after, ruling.trigger


def after(kitchen: Kitchen, *events: Event) -> KitchenState:
    """The state at timestep 0 after these events, all accepted."""
    state = make_opening_state(kitchen)
    for event in events:
        state, _ = accepted(kitchen, state, event)
    return state


def refused(kitchen: Kitchen, state: KitchenState, event: Event) -> str:
    same, ruling = Restaurant(kitchen).apply(state, event)
    assert same == state, "what is refused changes nothing"
    assert ruling.trigger is None
    assert ruling.refused is not None
    return ruling.refused


def served(bench: Bench, kitchen: Kitchen, state: KitchenState, line: str) -> KitchenState:
    """The state once worker 1 has served a line."""
    ready = bench.state(kitchen, "pass: dish[egg]")
    ready = KitchenState(
        timestep=state.timestep,
        workers=ready.workers,
        contents=state.contents,
        out=state.out,
        stock=state.stock,
        lines=state.lines,
    )
    done, reasons = bench.step(kitchen, ready, f"serve({line})")
    assert reasons == [None]
    return done


# ---------------------------------------------------------------------------------- New order


def test_a_new_order_opens_its_lines(bench: Bench) -> None:
    kitchen = bench.kitchen()
    event = {
        "kind": "new_order",
        "order": "table-4",
        "lines": [{"item": "Burger"}, {"item": "Soup of the Day", "note": "without onion"}],
        "due": 25,
    }
    state, trigger = accepted(kitchen, make_opening_state(kitchen), event)
    assert state.lines == {
        "table-4.1": OrderLine("Burger", "", 25, "open", None),
        "table-4.2": OrderLine("Soup of the Day", "without onion", 25, "open", None),
    }
    assert trigger == Trigger(kind="new_order", cause="order table-4 came in")


def test_an_order_may_be_due_at_no_time(bench: Bench) -> None:
    state = after(bench.kitchen(), {**new_order(), "due": None})
    assert state.lines["o1.1"].due is None


def test_orders_keep_the_order_in_which_they_came_in(bench: Bench) -> None:
    state = after(bench.kitchen(), new_order("o2"), new_order("o1"), add_line("o2"))
    assert list(state.lines) == ["o2.1", "o2.2", "o1.1", "o1.2", "o2.3"]


def test_an_order_of_that_name_has_come_in_before(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = after(kitchen, new_order())
    assert refused(kitchen, state, new_order()) == "there is an order o1 already"
    state, _ = accepted(kitchen, state, cancel())
    assert refused(kitchen, state, new_order()) == "there is an order o1 already"


def test_an_item_that_is_not_on_the_menu(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = make_opening_state(kitchen)
    why = refused(kitchen, state, new_order("o1", "Burger", "Tea", "Air", "Tea"))
    assert why == "not on the menu: Air, Tea"
    assert accepted(kitchen, state, new_order("o1"))[0].open_lines()


# ------------------------------------------------------------------------------------ Changes


def test_a_line_is_added_with_the_next_number_and_the_due_time(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = after(kitchen, new_order(due=7), remove("o1.2"))
    state, trigger = accepted(kitchen, state, add_line("o1", "Soup of the Day", "extra onion"))
    assert state.lines["o1.3"] == OrderLine("Soup of the Day", "extra onion", 7, "open", None)
    assert trigger == Trigger(kind="changed_order", cause="o1.3 (Soup of the Day) was added")


def test_a_line_that_cannot_be_added(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = after(kitchen, new_order())
    assert refused(kitchen, state, add_line("o2")) == "there is no order o2"
    assert refused(kitchen, state, add_line("o1", "Tea")) == "not on the menu: Tea"
    state = after(kitchen, new_order(), remove("o1.1"), remove("o1.2"))
    assert refused(kitchen, state, add_line()) == "order o1 is cancelled"


def test_a_line_is_added_to_an_order_that_was_served(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = served(bench, kitchen, after(kitchen, new_order("o1", "Burger")), "o1.1")
    state, _ = accepted(kitchen, state, add_line())
    assert list(state.open_lines()) == ["o1.2"]


def test_a_line_is_removed(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state, _ = bench.step(kitchen, after(kitchen, new_order()))
    state, trigger = accepted(kitchen, state, remove("o1.1"))
    assert state.lines["o1.1"] == OrderLine("Burger", "", 9, "cancelled", 1)
    assert state.lines["o1.2"].status == "open"
    assert trigger == Trigger(kind="changed_order", cause="o1.1 was removed")


def test_new_words_replace_the_old_ones_altogether(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = after(kitchen, new_order(), change("o1.1", "without egg"))
    state, trigger = accepted(kitchen, state, change("o1.1", "extra oil"))
    assert state.lines["o1.1"] == OrderLine("Burger", "extra oil", 9, "open", None)
    assert state.lines["o1.2"].note == ""
    assert trigger == Trigger(kind="changed_order", cause="o1.1 was changed")


@pytest.mark.parametrize("event", [remove("o1.1"), change("o1.1", "without egg")])
def test_a_closed_line_is_neither_removed_nor_changed(bench: Bench, event: Event) -> None:
    kitchen = bench.kitchen()
    state = after(kitchen, new_order())
    gone, _ = accepted(kitchen, state, remove("o1.1"))
    assert refused(kitchen, gone, event) == "order line o1.1 is already cancelled"
    eaten = served(bench, kitchen, state, "o1.1")
    assert refused(kitchen, eaten, event) == "order line o1.1 is already served"


@pytest.mark.parametrize("line", ["o1.3", "o1", "o1.", "", "o2.1"])
def test_a_line_that_is_not_there(bench: Bench, line: str) -> None:
    kitchen = bench.kitchen()
    state = after(kitchen, new_order())
    assert refused(kitchen, state, remove(line)) == f"there is no order line {line}"
    assert refused(kitchen, state, change(line, "")) == f"there is no order line {line}"


# ------------------------------------------------------------------------------------- Cancel


def test_cancelling_an_order_cancels_its_open_lines(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = served(bench, kitchen, after(kitchen, new_order(), new_order("o10")), "o1.1")
    state, trigger = accepted(kitchen, state, cancel())
    assert {name: (line.status, line.closed_at) for name, line in state.lines.items()} == {
        "o1.1": ("served", 0),
        "o1.2": ("cancelled", 1),
        "o10.1": ("open", None),
        "o10.2": ("open", None),
    }
    assert trigger == Trigger(kind="cancelled_order", cause="order o1 was cancelled")


def test_an_order_without_open_lines_is_not_cancelled(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = after(kitchen, new_order(), cancel())
    assert refused(kitchen, state, cancel()) == "order o1 has no open lines"
    assert refused(kitchen, state, cancel("o9")) == "there is no order o9"


# ------------------------------------------------------------------------------------- Faults


def test_a_station_breaks(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state, trigger = accepted(kitchen, make_opening_state(kitchen), fault(3, station="oven_1"))
    assert state.out == {"oven_1": Outage(0, 3)}
    assert trigger == Trigger(kind="fault", cause="oven_1 is out of service")


def test_an_outage_ends_in_time(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = after(kitchen, fault(2, station="oven_1"), fault(3, worker="bob"))
    seen = []
    for _ in range(3):
        state, _ = bench.step(kitchen, state)
        seen.append(sorted(state.out))
    assert seen == [["bob", "oven_1"], ["bob"], []]


@pytest.mark.parametrize(("second", "until"), [(1, 5), (4, 5), (6, 7)])
def test_a_second_fault_lasts_until_the_later_end(bench: Bench, second: int, until: int) -> None:
    kitchen = bench.kitchen()
    state, _ = bench.step(kitchen, after(kitchen, fault(5, station="oven_1")))
    state, _ = accepted(kitchen, state, fault(second, station="oven_1"))
    assert state.out == {"oven_1": Outage(0, until)}


def test_a_worker_goes_to_the_aisle_and_keeps_what_it_holds(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "pass: plate", "grill_1: egg")
    state, _ = accepted(kitchen, state, fault(2, worker="bob"))
    assert [(w.station, str(w.holding)) for w in state.workers[:2]] == [
        ("pass", "plate"),
        ("aisle", "egg"),
    ]
    assert state.out == {"bob": Outage(0, 2)}


def test_who_falls_ill_makes_room_at_once(bench: Bench) -> None:
    kitchen = bench.kitchen()
    state = bench.state(kitchen, "aisle", "grill_1")
    state, _ = accepted(kitchen, state, fault(1, worker="bob"))
    assert bench.step(kitchen, state, "navigate(grill_1)")[1] == [None]


@pytest.mark.parametrize(
    "what", [{"station": "oven_9"}, {"worker": "zoe"}, {"station": "ann"}, {"worker": "oven_1"}]
)
def test_a_fault_of_nothing_is_refused(bench: Bench, what: dict[str, str]) -> None:
    kitchen = bench.kitchen()
    why = refused(kitchen, make_opening_state(kitchen), fault(1, **what))
    assert why == f"there is no {next(iter(what.values()))}"


# ----------------------------------------------------------------------------------- Notation


@pytest.mark.parametrize(
    ("event", "where"),
    [
        ({}, "event, kind"),
        ({"kind": "earthquake"}, "event, kind"),
        ({"kind": "new_order", "order": "o1"}, "event, new_order.lines"),
        ({**new_order(), "lines": []}, "event, new_order.lines"),
        ({**new_order(), "lines": [{"note": ""}]}, "event, new_order.lines.0.item"),
        ({**new_order(), "lines": [{"item": 3}]}, "event, new_order.lines.0.item"),
        ({**new_order(), "order": "o.1"}, "event, new_order.order"),
        ({**new_order(), "order": ""}, "event, new_order.order"),
        ({**new_order(), "order": "1st"}, "event, new_order.order"),
        ({**new_order(), "due": -1}, "event, new_order.due"),
        ({**new_order(), "due": "soon"}, "event, new_order.due"),
        ({**cancel(), "reason": "rain"}, "event, cancel_order.reason"),
        ({"kind": "change_line", "line": "o1.1"}, "event, change_line.note"),
        ({"kind": "remove_line"}, "event, remove_line.line"),
        ({"kind": "add_line", "order": "o1"}, "event, add_line.item"),
        (fault(0, station="oven_1"), "event, fault.timesteps"),
        (fault(1), "event, fault"),
        (fault(1, station="oven_1", worker="ann"), "event, fault"),
    ],
)
def test_what_is_no_event_is_one_line_with_the_field(event: Event, where: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_event(event)
    assert caught.value.where == where
    assert "\n" not in str(caught.value)
    assert caught.value.problem


def test_the_restaurant_takes_no_other_events(bench: Bench) -> None:
    restaurant = Restaurant(bench.kitchen())
    with pytest.raises(InputError):
        restaurant.apply(restaurant.start(), {"kind": "earthquake"})


def test_a_line_that_the_kitchen_refuses_is_closed_and_wakes_nobody(bench: Bench) -> None:
    kitchen = bench.kitchen()
    world, state = Restaurant(kitchen), after(kitchen, new_order())
    assert world.decline_event("o1.1", "nobody knows what it is") == refusing("o1.1")
    closed, ruling = world.apply(state, refusing("o1.1"))
    assert (ruling.refused, ruling.trigger) == (None, None)
    assert [(line.status, line.closed_at) for line in closed.lines.values()] == [
        ("refused", 0),
        ("open", None),
    ]
    assert refused(kitchen, closed, change("o1.1", "rare")) == "order line o1.1 is already refused"
    assert refused(kitchen, closed, refusing("o1.1")) == "order line o1.1 is already refused"
    assert refused(kitchen, closed, refusing("o7.1")) == "there is no order line o7.1"
    long = world.decline_event("o1.2", "why " * 1000)
    assert world.apply(state, long)[1].refused is None
