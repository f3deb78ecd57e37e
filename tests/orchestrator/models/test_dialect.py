"""What a request becomes for an endpoint that does not accept all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest

from cookmas.orchestrator.models.dialect import Dialect, to_wire
from cookmas.orchestrator.models.message import Message, Request

Said = tuple[Literal["system", "user", "assistant"], str]


@pytest.mark.parametrize(
    ("said", "sent"),
    [
        ([("system", "a"), ("user", "b")], [("user", "a\n\nb")]),
        (
            [("system", "a"), ("assistant", "b"), ("user", "c"), ("user", "d"), ("system", "e")],
            [("assistant", "b"), ("user", "a\n\ne\n\nc"), ("user", "d")],
        ),
        ([("system", "a"), ("assistant", "b")], [("user", "a"), ("assistant", "b")]),
    ],
)
def test_without_a_system_its_text_is_in_front_of_the_users_first(
    said: Sequence[Said], sent: Sequence[Said]
) -> None:
    request = Request(messages=tuple(Message(role=role, content=text) for role, text in said))
    body = to_wire(request, Dialect(system=False))
    assert [(each["role"], each["content"]) for each in body["messages"]] == list(sent)
