"""What a page of a person's place gets as an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from cookmas.files.errors import InputError
from cookmas.seats.polling import Sent, receive_as

SECRET = "sk-0123456789-never-shown"


class Words(Sent):
    """What the page sends."""

    words: str


async def take(sent: Words) -> Mapping[str, Any]:
    if sent.words == "refuse":
        raise InputError("answer", f"{SECRET} at https://ann:pass@host is no answer")
    return {"heard": [sent.words, {"key": SECRET}]}


@pytest.mark.parametrize(
    ("sent", "code", "expected"),
    [
        ({"words": "hello"}, 200, {"heard": ["hello", {"key": "[SOME_API_KEY]"}]}),
        ({"words": "refuse"}, 409, "[SOME_API_KEY] at https://[password]@host"),
        ({"words": "hello", SECRET: "x"}, 400, "[SOME_API_KEY]"),
        ({"words": "too long" * 50}, 409, "200 bytes"),
    ],
)
def test_an_answer_to_a_page_shows_no_secret(
    sent: Mapping[str, str], code: int, expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    app = Starlette(routes=[Route("/", receive_as(Words, 200, take), methods=["POST"])])
    answer = TestClient(app).post("/", json=sent)
    assert answer.status_code == code
    assert SECRET not in answer.text
    assert "pass@" not in answer.text
    told = answer.json()
    assert told == expected if code == 200 else expected in told["why"]
