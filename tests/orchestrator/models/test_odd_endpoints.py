"""Endpoints that answer in ways of their own, and keys that are no secrets."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cookmas.files.errors import InfrastructureError, MissingError
from cookmas.orchestrator.models.dialect import Dialect, to_wire
from cookmas.orchestrator.models.message import Message, Request, ToolCall
from cookmas.orchestrator.models.openai_model import OpenAIModel
from tests.orchestrator.models.endpoint import (
    Server,
    completion,
    fails,
    judged,
    question,
    resets,
    says,
)


@pytest.mark.parametrize("key", ["x", "mix", "EMPTY", "ollama"])
async def test_a_key_that_is_no_secret_changes_no_answer(
    key: str, server: Server, monkeypatch: Any
) -> None:
    monkeypatch.setenv("COOKMAS_API_KEY", key)
    said = f"mix the {key} and cook it extra long"
    server.default = says(said)
    answer, _ = await OpenAIModel("stub", server.url).answer(question())
    assert answer.text == said


async def test_a_key_is_hidden_however_it_is_escaped(server: Server, monkeypatch: Any) -> None:
    monkeypatch.setenv("COOKMAS_API_KEY", 'sk-a/b"c-marker')
    body = json.dumps(completion("PLACE")).replace("PLACE", "sk-a\\/b\\u0022c-\\u006darker")
    server.default = fails(200, body.encode())
    answer, _ = await OpenAIModel("stub", server.url).answer(question())
    assert answer.text == "[key]"


async def test_half_a_character_is_replaced(server: Server, model: OpenAIModel) -> None:
    server.default = says("So\ud83d")
    answer, _ = await model.answer(question())
    assert answer.text == "So?"


async def test_the_bytes_count_and_not_the_charset_that_is_named(
    server: Server, model: OpenAIModel
) -> None:
    async def behave(exchange: Any) -> None:
        head = {"content-type": "application/json; charset=utf-16"}
        await exchange.send(200, completion("Soupe \u00e9"), head)

    server.default = behave
    answer, _ = await model.answer(question())
    assert answer.text == "Soupe \u00e9"


async def test_a_limit_that_is_too_large_is_not_the_model_s_fault(
    server: Server, model: OpenAIModel
) -> None:
    message = "'max_tokens' is too large: 9000. This model's maximum context length is 4096."
    server.default = fails(400, {"message": message})
    with pytest.raises(InfrastructureError, match="too large: 9000"):
        await model.answer(question(max_tokens=9000))


async def test_the_endpoint_of_the_environment(server: Server, monkeypatch: Any) -> None:
    with pytest.raises(MissingError, match="no key for OpenAI"):
        OpenAIModel("stub")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    answer, _ = await OpenAIModel("stub").answer(question())
    assert answer.text == "Hello"


async def test_a_reset_says_that_it_is_one(server: Server, no_backoff: Any) -> None:
    server.default = resets
    with pytest.raises(InfrastructureError, match=r"there is no connection: \w+"):
        await OpenAIModel("stub", server.url, retries=0).answer(question())


CALL = {"id": "1", "type": "function", "function": {"name": "cook", "arguments": "{}"}}
PARTS = [{"type": "text", "text": "So"}, {"type": "image"}, {"type": "text", "text": "up"}]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param(PARTS, "Soup", id="parts"),
        pytest.param(None, "", id="null"),
        pytest.param(7, "7", id="a number"),
        pytest.param({"text": "Soup"}, '{"text": "Soup"}', id="an object"),
        pytest.param({}, "{}", id="nothing"),
    ],
)
def test_whatever_a_model_writes_is_its_answer(content: Any, text: str) -> None:
    answer = judged(200, completion(content, refusal=""))
    assert (answer.text, answer.refusal, answer.finish_reason) == (text, None, "stop")


@pytest.mark.parametrize(
    ("calls", "names"),
    [
        ([{**CALL, "function": {"name": None, "arguments": None}}], [""]),
        ([{**CALL, "function": {"name": 5, "arguments": [1]}}], ["5"]),
        ([{"id": None}], [""]),
        ([{"function": "cook"}], [""]),
        (["cook"], []),
        ("cook", []),
        ({"cook": 1}, []),
        ([CALL], ["cook"]),
    ],
)
def test_whatever_tools_a_model_invents_are_its_answer(calls: Any, names: list[str]) -> None:
    answer = judged(200, completion("", tool_calls=calls))
    assert [call.name for call in answer.tool_calls] == names


@pytest.mark.parametrize("code", ["tool_use_failed", "json_validate_failed"])
async def test_an_endpoint_that_refuses_what_its_model_wrote_gives_an_answer(
    code: str, server: Server, model: OpenAIModel
) -> None:
    error = {"message": "Failed to call a function.", "code": code, "failed_generation": "<cook>"}
    server.default = fails(400, error)
    answer, _ = await model.answer(question())
    assert (answer.text, answer.finish_reason) == ("<cook>", "stop")


def test_arguments_that_are_no_object_are_not_sent_back() -> None:
    wishes = [ToolCall(id="1", name="x", arguments=text) for text in ('{"a": 1}', "{", "[1]", "")]
    said = Message(role="assistant", content="", tool_calls=tuple(wishes))
    sent = to_wire(Request(messages=(said,)), Dialect())["messages"][0]["tool_calls"]
    assert [call["function"]["arguments"] for call in sent] == ['{"a": 1}', "{}", "{}", "{}"]
