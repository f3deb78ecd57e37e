"""Orders, changes, cancellations and faults."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.episodes.world import Trigger
from cookmas.files.errors import InputError
from cookmas.kitchen.events import parse_event
from cookmas.kitchen.state import OrderLine, Outage
from tests.kitchen.bench import Bench

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


def after(*events: Event) -> Bench:
    """Return a bench at timestep 0 after these events, all accepted, with a trigger each."""
    bench = Bench()
    for event in events:
        assert bench.take(event)
    return bench


def serve(bench: Bench, line: str) -> None:
    """Let the first worker serve a line."""
    bench.stand("pass: dish[egg]")
    bench.do(f"serve({line})")


# ------------------------------------------------------------------------------------- Orders


def test_a_new_order_opens_its_lines() -> None:
    bench = Bench()
    lines = [{"item": "Burger"}, {"item": "Soup of the Day", "note": "without onion"}]
    came = bench.take({"kind": "new_order", "order": "table-4", "lines": lines, "due": 25})
    assert came == Trigger(kind="new_order", cause="order table-4 came in")
    assert bench.state.lines == {
        "table-4.1": OrderLine("Burger", "", 25, "open", None),
        "table-4.2": OrderLine("Soup of the Day", "without onion", 25, "open", None),
    }


def test_an_order_may_be_due_at_no_time() -> None:
    assert after(new_order(due=None)).state.lines["o1.1"].due is None


def test_orders_keep_the_order_in_which_they_came_in() -> None:
    bench = after(new_order("o2"), new_order("o1"), add_line("o2"))
    assert list(bench.state.lines) == ["o2.1", "o2.2", "o1.1", "o1.2", "o2.3"]


BEFORE = [new_order()]
GONE = [new_order(), cancel()]

REFUSALS: dict[str, tuple[list[Event], Event, str]] = {
    "an order of that name": (BEFORE, new_order(), "there is an order o1 already"),
    "an order that was cancelled": (GONE, new_order(), "there is an order o1 already"),
    "items not on the menu": (
        *([], new_order("o1", "Burger", "Tea", "Air", "Tea")),
        "not on the menu: Air, Tea",
    ),
    "a line of no order": (BEFORE, add_line("o2"), "there is no order o2"),
    "a line not on the menu": (BEFORE, add_line("o1", "Tea"), "not on the menu: Tea"),
    "a line of a cancelled order": (
        *([new_order(), remove("o1.1"), remove("o1.2")], add_line()),
        "order o1 is cancelled",
    ),
    "nothing is left to cancel": (GONE, cancel(), "order o1 has no open lines"),
    "no order to cancel": (GONE, cancel("o9"), "there is no order o9"),
    **{
        f"{each['kind']} of the line {line!r}": (BEFORE, each, f"there is no order line {line}")
        for line in ("o1.3", "o1", "o1.", "", "o2.1")
        for each in (remove(line), change(line, ""))
    },
    **{
        f"a fault of {name}": ([], fault(1, **{what: name}), f"there is no {name}")
        for what, name in (
            *(("station", "oven_9"), ("worker", "zoe"), ("station", "ann"), ("worker", "oven_1")),
        )
    },
}
"""Events that are accepted, one that is refused after them, and the reason."""


@pytest.mark.parametrize("case", REFUSALS)
def test_what_is_refused_changes_nothing(case: str) -> None:
    before, event, why = REFUSALS[case]
    bench = after(*before)
    assert bench.refuse(event) == why
    bench.take(new_order("o3"))
    assert "o3.1" in bench.state.open_lines()


# ------------------------------------------------------------------------------------ Changes


def test_a_line_is_added_with_the_next_number_and_the_due_time() -> None:
    bench = after(new_order(due=7), remove("o1.2"))
    came = bench.take(add_line("o1", "Soup of the Day", "extra onion"))
    assert came == Trigger(kind="changed_order", cause="o1.3 (Soup of the Day) was added")
    line = bench.state.lines["o1.3"]
    assert line == OrderLine("Soup of the Day", "extra onion", 7, "open", None)


def test_a_line_is_added_to_an_order_that_was_served() -> None:
    bench = after(new_order("o1", "Burger"))
    serve(bench, "o1.1")
    bench.take(add_line())
    assert list(bench.state.open_lines()) == ["o1.2"]


def test_a_line_is_removed() -> None:
    bench = after(new_order())
    bench.wait(1)
    assert bench.take(remove("o1.1")) == Trigger(kind="changed_order", cause="o1.1 was removed")
    assert bench.state.lines["o1.1"] == OrderLine("Burger", "", 9, "cancelled", 1)
    assert bench.state.lines["o1.2"].status == "open"


def test_new_words_replace_the_old_ones_altogether() -> None:
    bench = after(new_order(), change("o1.1", "without egg"))
    came = bench.take(change("o1.1", "extra oil"))
    assert came == Trigger(kind="changed_order", cause="o1.1 was changed")
    assert bench.state.lines["o1.1"] == OrderLine("Burger", "extra oil", 9, "open", None)
    assert bench.state.lines["o1.2"].note == ""


@pytest.mark.parametrize("event", [remove("o1.1"), change("o1.1", "without egg")])
def test_a_closed_line_is_neither_removed_nor_changed(event: Event) -> None:
    gone, eaten = after(new_order(), remove("o1.1")), after(new_order())
    assert gone.refuse(event) == "order line o1.1 is already cancelled"
    serve(eaten, "o1.1")
    assert eaten.refuse(event) == "order line o1.1 is already served"


def test_cancelling_an_order_cancels_its_open_lines() -> None:
    bench = after(new_order(), new_order("o10"))
    serve(bench, "o1.1")
    assert bench.take(cancel()) == Trigger(kind="cancelled_order", cause="order o1 was cancelled")
    assert {name: (line.status, line.closed_at) for name, line in bench.state.lines.items()} == {
        "o1.1": ("served", 0),
        "o1.2": ("cancelled", 1),
        "o10.1": ("open", None),
        "o10.2": ("open", None),
    }


# ------------------------------------------------------------------------------------- Faults


def test_a_station_breaks() -> None:
    bench = Bench()
    came = bench.take(fault(3, station="oven_1"))
    assert came == Trigger(kind="fault", cause="oven_1 is out of service")
    assert bench.state.out == {"oven_1": Outage(0, 3)}


def test_an_outage_ends_in_time() -> None:
    bench = after(fault(2, station="oven_1"), fault(3, worker="bob"))
    seen = []
    for _ in range(3):
        bench.wait(1)
        seen.append(sorted(bench.state.out))
    assert seen == [["bob", "oven_1"], ["bob"], []]


@pytest.mark.parametrize(("second", "until"), [(1, 5), (4, 5), (6, 7)])
def test_a_second_fault_lasts_until_the_later_end(second: int, until: int) -> None:
    bench = after(fault(5, station="oven_1"))
    bench.wait(1)
    bench.take(fault(second, station="oven_1"))
    assert bench.state.out == {"oven_1": Outage(0, until)}


def test_a_worker_goes_to_the_aisle_and_keeps_what_it_holds() -> None:
    bench = Bench("pass: plate", "grill_1: egg")
    bench.take(fault(2, worker="bob"))
    assert bench.places[:2] == ["pass", "aisle"]
    assert bench.hands[:2] == ["plate", "egg"]
    assert bench.state.out == {"bob": Outage(0, 2)}


def test_who_falls_ill_makes_room_at_once() -> None:
    bench = Bench("aisle", "grill_1")
    bench.take(fault(1, worker="bob"))
    bench.do("navigate(grill_1)")


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


def test_the_restaurant_takes_no_other_events() -> None:
    with pytest.raises(InputError):
        Bench().take({"kind": "earthquake"})


def test_a_line_that_the_kitchen_refuses_is_closed_and_wakes_nobody() -> None:
    bench = after(new_order())
    assert bench.restaurant.decline_event("o1.1", "nobody knows what it is") == refusing("o1.1")
    assert bench.take(refusing("o1.1")) is None
    assert [(line.status, line.closed_at) for line in bench.state.lines.values()] == [
        ("refused", 0),
        ("open", None),
    ]
    for event in (change("o1.1", "rare"), refusing("o1.1")):
        assert bench.refuse(event) == "order line o1.1 is already refused"
    assert bench.refuse(refusing("o7.1")) == "there is no order line o7.1"
    bench.take(bench.restaurant.decline_event("o1.2", "why " * 1000))
