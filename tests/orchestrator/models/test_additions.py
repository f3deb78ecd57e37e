"""Fields and headers that a user adds to requests are sent, recorded, and kept apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cookmas.commands.options.model import split_list
from cookmas.files.errors import InputError, MissingError, TraceError
from cookmas.orchestrator.models.cassette import Cassette
from cookmas.orchestrator.models.message import Message, Request
from cookmas.orchestrator.models.options import ModelOptions
from tests.orchestrator.models.endpoint import Server, fails, says

ASKED = Request(messages=(Message(role="user", content="x"),))
TOKEN = "tenant-marker-77"


def _model(server: Server, **more: Any) -> Any:
    options = ModelOptions(model="stub", base_url=server.url, outage_limit=0.0, **more)
    return options.make()


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (("top_k=20",), {"top_k": 20}),
        (("service_tier=flex",), {"service_tier": "flex"}),
        (('a={"b": [true]}', "c=null"), {"a": {"b": [True]}, "c": None}),
        ({"chat_template_kwargs": {"enable_thinking": False}},
         {"chat_template_kwargs": {"enable_thinking": False}}),
    ],
)  # fmt: skip
async def test_fields_are_sent_with_each_request(server: Server, given: Any, sent: Any) -> None:
    answer, _ = await _model(server, extra=given).answer(ASKED)
    body = server.seen[-1].body
    assert {name: body[name] for name in sent} == sent
    assert [text.partition("=")[0] for text in answer.added] == sorted(sent)


async def test_the_value_of_a_header_is_sent_and_never_recorded(
    server: Server, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("TENANT", TOKEN)
    server.default = says(f"your token is {TOKEN}")
    tape = tmp_path / "tape.jsonl"
    answer, _ = await _model(server, header=["X-Tenant=TENANT"], record=tape).answer(ASKED)
    assert server.seen[-1].headers["x-tenant"] == TOKEN
    assert answer.added == ("X-Tenant=TENANT",)
    assert TOKEN not in answer.text + tape.read_text()
    assert "X-Tenant=TENANT" in tape.read_text()


async def test_a_cassette_answers_only_requests_with_the_same_additions(
    server: Server, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    server.script = [says("without"), says("with")]
    await _model(server, record=tape).answer(ASKED)
    await _model(server, record=tape, extra=["think=true"]).answer(ASKED)
    for extra, text in ((("think=true",), "with"), ((), "without")):
        replayed, _ = await ModelOptions(replay=tape, extra=extra).make().answer(ASKED)
        assert replayed.text == text
    with pytest.raises(TraceError, match="no answers of stub to requests with think=false"):
        Cassette(tape, name="stub", added=("think=false",))


@pytest.mark.parametrize(
    ("option", "text", "said"),
    [
        ("extra", "top_k", "expected KEY=VALUE"),
        ("extra", "=3", "expected KEY=VALUE"),
        ("extra", "messages=[]", "writes the field 'messages' itself"),
        ("extra", "stream=true", "writes the field 'stream' itself"),
        ("extra", "tools=[]", "writes the field 'tools' itself"),
        ("extra", "temperature=1", "has an option, --temperature"),
        ("extra", "max_tokens=1", "has an option, --max-tokens"),
        ("header", "X-Tenant", "expected NAME=VARIABLE"),
        ("header", "X-Tenant=secret-token", "expected NAME=VARIABLE"),
        ("header", "Authorization=TOKEN", "set by --key-from"),
    ],
)
def test_what_cannot_be_added_is_refused_in_one_line(option: str, text: str, said: str) -> None:
    given: dict[str, Any] = {option: (text,)}
    with pytest.raises(InputError, match=said) as caught:
        ModelOptions(model="stub", **given)
    assert "secret-token" not in str(caught.value)


def test_a_name_has_one_value() -> None:
    twice: list[dict[str, Any]] = [{"extra": ("a=1", "a=2")}, {"header": ("X-A=A", "x-a=B")}]
    for given in twice:
        with pytest.raises(InputError, match="has two values"):
            ModelOptions(model="stub", **given)


async def test_a_header_needs_its_variable(server: Server, monkeypatch: Any) -> None:
    monkeypatch.delenv("TENANT", raising=False)
    with pytest.raises(MissingError, match="TENANT is not set"):
        _model(server, header=("X-Tenant=TENANT",))
    monkeypatch.setenv("TENANT", "a\nb")
    with pytest.raises(InputError, match="plain characters for the header X-Tenant"):
        _model(server, header=("X-Tenant=TENANT",))


def test_a_seat_has_additions_of_its_own() -> None:
    given = ("a=1", "bob:a=2", 'bob:b={"x:y": 3}', 'c={"x:y": 1}')
    assert split_list(given) == (
        ("a=1", 'c={"x:y": 1}'),
        {"bob": ("a=2", 'b={"x:y": 3}')},
    )


async def test_a_stream_can_be_chosen(server: Server) -> None:
    event = {"choices": [{"delta": {"content": "Soup"}, "finish_reason": "stop"}]}
    server.default = fails(200, f"data: {json.dumps(event)}\n\n".encode())
    answer, _ = await _model(server, stream=True).answer(ASKED)
    assert (answer.text, server.seen[-1].body["stream"], len(server.seen)) == ("Soup", True, 1)
