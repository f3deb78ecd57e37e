"""What guests may send to an open restaurant, and what they are told otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cookmas.episodes.messages import MOST_OPEN
from cookmas.files.errors import InputError
from cookmas.kitchen.state import KitchenState, OrderLine, make_opening_state
from cookmas.kitchen.world import Restaurant
from cookmas.mailboxes.protocol import MOST_LETTERS
from cookmas.scenarios.kitchens import build_kitchen, kitchen_path
from cookmas.scenarios.menu import load_menu
from cookmas.worlds.restaurant.desk import RestaurantDesk
from tests.sampling import examples

KITCHEN = build_kitchen(kitchen_path("small"), load_menu())
DESK = RestaurantDesk(Restaurant(KITCHEN))


def order(words: Any, **more: Any) -> dict[str, Any]:
    return DESK.admit({"kind": "new_order", "words": words, **more}, {"live": 6})


def test_an_order_in_words_has_a_line_for_each_dish() -> None:
    admitted = order("2 classic burger: no onion, well done; French Fries;")
    burger = {"item": "Classic Burger", "note": "no onion, well done"}
    fries = {"item": "French Fries", "note": ""}
    assert admitted == {"kind": "new_order", "order": "live7", "lines": [burger, burger, fries]}


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("Classic Burger x2", "Classic Burger; Classic Burger"),
        ("Classic Burger ×2", "Classic Burger; Classic Burger"),  # noqa: RUF001
        ("two Classic Burger", "Classic Burger; Classic Burger"),
        ("2x classic burgers", "Classic Burger; Classic Burger"),
        ("２ Classic Burger", "Classic Burger; Classic Burger"),  # noqa: RUF001
        ("a Classic Burger", "Classic Burger"),
        ("1 fish taco", "Fish Tacos"),
        ("1 Fish & Chips", "Fish and Chips"),
        ("1 Fish ＆ Chips and a Ramen", "Fish and Chips; Ramen"),  # noqa: RUF001
        ("1 Classic Burger, no onion", "Classic Burger: no onion"),
        ("1 Classic Burger (no onion)", "Classic Burger: no onion"),
        ("1 Classic Burger [no onion], Ramen", "Classic Burger: no onion; Ramen"),
        ("1 Classic Burger - no onion", "Classic Burger: no onion"),
        ("1 Classic Burger, 1 French Fries", "Classic Burger; French Fries"),
        ("Classic Burger, no onion, and 2 Ramen", "Classic Burger: no onion; Ramen; Ramen"),
        ("Classic Burger: like the Ramen, no onion", "Classic Burger: like the Ramen, no onion"),
        ("1 Classic Burger: 2 onion and lettuce", "Classic Burger: 2 onion and lettuce"),
        ("2 Unicorn Steak: rare", "Unicorn Steak: rare; Unicorn Steak: rare"),
    ],
)
def test_an_order_may_be_written_as_people_write(words: str, lines: str) -> None:
    found = order(words)["lines"]
    assert (
        "; ".join(f"{line['item']}: {line['note']}".removesuffix(": ") for line in found) == lines
    )


@pytest.mark.parametrize(
    "words",
    ["1 Classic Burger deluxe", "2 Classic Burger x3", "9999 Classic Burger", "1.5 Classic Burger",
     "Classic Burger (no onion) x2", "1 Classic Burger no onion", ":"],
)  # fmt: skip
def test_words_without_a_place_are_told_the_form(words: str) -> None:
    with pytest.raises(InputError, match="expected NUMBER DISH: WORDS, such as '1 "):
        order(words)


@given(st.text(max_size=60), st.sampled_from([",", " and ", ":", " x", "("]))
def test_any_words_of_an_order_are_lines_or_an_error(words: str, sign: str) -> None:
    try:
        lines = order(f"1 Classic Burger{sign}{words}")["lines"]
    except InputError:
        return
    assert lines[0]["item"] == "Classic Burger"


def test_what_was_admitted_is_admitted_as_it_is() -> None:
    admitted = order("1 Garden Salad")
    assert DESK.admit(admitted, {"live": 6}) == admitted


SALAD = {"item": "Garden Salad", "note": "no cucumber"}


@pytest.mark.parametrize(
    ("kind", "event", "admitted"),
    [
        ("cancel", {"name": "live3"}, {"kind": "cancel_order", "order": "live3"}),
        ("cancel", {"name": "live3.2"}, {"kind": "remove_line", "line": "live3.2"}),
        (
            "add_line",
            {"order": "live3", "words": "garden salad: no cucumber"},
            {"kind": "add_line", "order": "live3", **SALAD},
        ),
    ],
)
def test_the_other_things_a_guest_may_say(kind: str, event: Any, admitted: Any) -> None:
    assert DESK.admit({"kind": kind, **event}, {}) == admitted


@pytest.mark.parametrize(
    "event",
    [
        *(
            {"kind": "new_order", "words": words}
            for words in ("", ["1 Garden Salad"], "51 Garden Salad", "Garden Salad: " + 501 * "x")
        ),
        {"kind": "new_order", "words": "Garden Salad", "order": "o1"},
        {"kind": "new_order", "words": "Garden Salad", "price": 3},
        {"kind": "add_line", "order": "live1", "words": "2 Garden Salad"},
        {"kind": "fault", "worker": "worker_1", "timesteps": 1000},
        {"kind": "refuse_line", "line": "live1.1", "why": "too much work"},
        {"kind": "dance"},
        {"words": "Garden Salad"},
        {"kind": {"$gt": ""}},
        {"kind": "change_line", "line": 3, "note": "x"},
    ],
)
def test_anything_else_is_refused_in_one_sentence(event: Any) -> None:
    with pytest.raises(InputError) as refused:
        DESK.admit(event, {})
    assert "\n" not in str(refused.value)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=10,
)
kinds = st.sampled_from(["new_order", "add_line", "change_line", "cancel", "fault", "x"])


@settings(max_examples=examples(100, tests=10))
@given(event=st.dictionaries(st.text(max_size=8), plain), kind=kinds, words=plain)
def test_nothing_that_a_stranger_sends_is_a_bug(event: Any, kind: str, words: Any) -> None:
    try:
        admitted = DESK.admit({**event, "kind": kind, "words": words}, {})
    except InputError:
        return
    allowed = ("new_order", "add_line", "change_line", "remove_line", "cancel_order")
    assert admitted["kind"] in allowed


def with_open_lines(number: int) -> KitchenState:
    lines = {f"o1.{line}": OrderLine("Garden Salad") for line in range(number)}
    return make_opening_state(KITCHEN)._replace(lines=lines)


def test_only_what_asks_for_more_waits_while_the_kitchen_is_full() -> None:
    quiet, busy = DESK.room(with_open_lines(0)), DESK.room(with_open_lines(MOST_OPEN))
    assert quiet({"kind": "new_order"})
    assert not busy({"kind": "new_order"})
    assert not busy({"kind": "add_line"})
    assert busy({"kind": "cancel"})


def test_some_orders_beyond_the_limit_are_taken_at_once() -> None:
    room = DESK.room(with_open_lines(MOST_OPEN - 1))
    small = {"kind": "new_order", "words": "Garden Salad"}
    assert [room(small) for _ in range(10)] == [True] * (MOST_LETTERS + 1) + [False]


def test_large_orders_that_come_at_once_are_counted_by_their_lines() -> None:
    room = DESK.room(with_open_lines(MOST_OPEN - 1))
    large = {"kind": "new_order", "words": "50 Garden Salad"}
    assert [room(large) for _ in range(3)] == [True, False, False]
    lines = [{"item": "Garden Salad"}] * 30
    room = DESK.room(with_open_lines(0))
    assert [room({"kind": "new_order", "lines": lines}) for _ in range(3)] == [True, True, False]
    assert not room({"kind": "new_order", "words": 5})
    assert room({"kind": "change_line"})
