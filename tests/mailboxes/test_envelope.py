"""Messages from outside are bounded, plain and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from cookmas.files.errors import InputError
from cookmas.mailboxes.protocol import MOST_BYTES, MOST_ENTRIES, Answer, read_envelope

GOOD: dict[str, Any] = {"id": "1", "sender": "anna", "event": {"kind": "x"}}


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else "x"


@pytest.mark.parametrize(
    "bad",
    [
        {"id": ""},
        {"id": 65 * "x"},
        {"id": 7},
        {"id": "a\nb"},
        {"sender": "\x1b[31m"},
        {"sender": None},
        {"event": "x"},
        {"event": {"words": MOST_BYTES * "x"}},
        {"event": {"lines": (MOST_ENTRIES + 1) * [1]}},
        {"event": {str(number): 1 for number in range(MOST_ENTRIES + 1)}},
        {"event": {"x": nested(20)}},
        {"event": {"x": nested(500)}},
        {"event": {"x": "\ud800"}},
        {"event": {"x": float("nan")}},
        {"event": {"x": object()}},
        {"meaning": {"x": MOST_BYTES * "x"}},
        {"more": 1},
    ],
)
def test_what_is_too_much_or_no_message_is_refused_in_one_line(bad: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        read_envelope({**GOOD, **bad})
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_a_message_is_read_as_it_is() -> None:
    envelope = read_envelope({**GOOD, "meaning": {"1": []}})
    assert envelope.model_dump() == {**GOOD, "meaning": {"1": []}}


def test_only_what_was_taken_is_taken_already() -> None:
    taken = Answer(id="1", status="taken", about="o1")
    refused = Answer(id="1", status="refused", why="no")
    assert taken.repeat().status == "taken_already"
    assert refused.repeat() == refused
