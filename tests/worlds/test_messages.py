"""What a message of a world takes, and what is said of one that is filled in otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.episodes.messages import MessageField, MessageForm, message_of
from cookmas.files.errors import InputError
from cookmas.worlds.corridor.domain import DOMAIN as CORRIDOR
from cookmas.worlds.restaurant.domain import DOMAIN as RESTAURANT

ADD = MessageForm(
    kind="add",
    event="add_line",
    title="Add",
    fields=(
        MessageField(name="order", label="Order", example="live1"),
        MessageField(name="words", label="What", example="1 Salad"),
    ),
)
WHAT = "expected order (such as 'live1') and words (such as '1 Salad')"


@pytest.mark.parametrize(
    ("values", "named"),
    [(("o", "w"), {}), (("o",), {"words": "w"}), ((), {"words": "w", "order": "o"})],
)
def test_a_message_becomes_an_event_of_the_world(
    values: tuple[str, ...], named: dict[str, str]
) -> None:
    assert ADD.fill(values, named) == {"kind": "add_line", "order": "o", "words": "w"}


@pytest.mark.parametrize(
    ("values", "named", "why"),
    [
        (("o",), {}, WHAT),
        (("o", "w", "more"), {}, WHAT),
        (("o", "w"), {"words": "again"}, WHAT),
        (("o", "w"), {"note": "no onion"}, WHAT),
        (("o",), {"words": 5}, "words: expected text"),
    ],
)
def test_a_message_that_is_filled_in_otherwise_is_refused(
    values: tuple[str, ...], named: dict[str, Any], why: str
) -> None:
    with pytest.raises(InputError) as refused:
        ADD.fill(values, named)
    assert why in str(refused.value)


def test_a_message_that_a_world_does_not_take_is_refused() -> None:
    with pytest.raises(InputError, match="no such message, only add"):
        message_of([ADD], "bid")


def test_a_restaurant_says_what_may_be_ordered() -> None:
    world = RESTAURANT.scenario("level1/01", {}).world()
    order, *later = RESTAURANT.messages(world)
    assert order.fill(["1 Salad"]) == {"kind": "new_order", "words": "1 Salad"}
    assert order.fields[0].form()["choices"] == list(world.kitchen.menu)
    assert [message.kind for message in later] == ["add", "change", "cancel"]


def test_a_world_that_takes_none_has_none() -> None:
    assert list(CORRIDOR.messages()) == []
