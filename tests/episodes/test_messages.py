"""What the form of a message asks for: every field that is not optional, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.episodes.conversation import Usage
from cookmas.episodes.messages import MessageField, MessageForm
from cookmas.files.errors import InputError

FORM = MessageForm(
    kind="order",
    event="new_order",
    fields=(
        MessageField(name="item", choices=("toast", "soup")),
        MessageField(name="count", kind=int),
        MessageField(name="note", optional=True),
    ),
)


@pytest.mark.parametrize(
    ("given", "event"),
    [
        ({"item": "toast", "count": 2}, {"item": "toast", "count": 2}),
        ({"item": "soup", "count": " 3 ", "note": ""}, {"item": "soup", "count": 3}),
        (
            {"item": "soup", "count": "0", "note": "hot"},
            {"item": "soup", "count": 0, "note": "hot"},
        ),
    ],
)
def test_a_form_becomes_an_event(given: dict[str, Any], event: dict[str, Any]) -> None:
    assert FORM.fill(named=given) == {"kind": "new_order", **event}
    assert FORM.fill([given["item"]], {n: x for n, x in given.items() if n != "item"}) == {
        "kind": "new_order",
        **event,
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"item": "toast"}, "expected item (such as 'toast') and count (such as '5') and note"),
        ({"count": 1}, "expected item"),
        ({"item": "toast", "count": 1, "x": 1}, "expected item"),
        ({"item": "toast", "count": 1, "notes": ""}, "notes: there is no such field"),
        ({"item": "tea", "count": 1}, "item: expected one of toast, soup"),
        ({"item": "toast", "count": "1.5"}, "count: expected a whole number"),
        ({"item": 3, "count": 1}, "item: expected text"),
    ],
)
def test_what_does_not_fill_a_form_is_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as raised:
        FORM.fill(named=given)
    assert str(raised.value).startswith("message 'order'")
    assert said in str(raised.value)


def test_a_form_says_which_fields_may_be_left_out() -> None:
    assert [field["optional"] for field in FORM.form()["fields"]] == [False, False, True]
    assert FORM.usage() == "order item=toast count=5 [note=]"


def test_the_tokens_of_a_call_are_those_of_its_request_and_its_answer() -> None:
    assert Usage(prompt=100, completion=20, cached=60, reasoning=5).total == 120
