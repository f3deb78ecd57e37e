"""What a page of a person's place gets as an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from cookmas.files.errors import InputError
from cookmas.people import polling
from cookmas.people.polling import Sent, poll, receive

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
    app = Starlette(routes=[receive("/", Words, 200, take)])
    answer = TestClient(app).post("/", json=sent)
    assert answer.status_code == code
    assert SECRET not in answer.text
    assert "pass@" not in answer.text
    told = answer.json()
    assert told == expected if code == 200 else expected in told["why"]


def test_a_page_without_news_is_answered_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polling, "PATIENCE", 0.02)
    seen: list[str] = []

    async def wait_past(last: str) -> None:
        seen.append(last)
        await asyncio.Event().wait()

    app = Starlette(routes=[poll("/", wait_past, lambda: {"number": len(seen), "key": SECRET})])
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    answer = TestClient(app).get("/?seen=7")
    assert answer.json() == {"number": 1, "key": "[SOME_API_KEY]"}
    assert seen == ["7"]
