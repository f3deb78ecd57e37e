"""The client against a real HTTP server: what is tried again, what is a value, what is an error."""

from __future__ import annotations

import asyncio
import gc
import time
from typing import Any

import pytest

from cookmas.files.errors import InfrastructureError
from cookmas.orchestrator.models.budget import Prices
from cookmas.orchestrator.models.message import Message, Schema, ToolCall, ToolSpec, Usage
from cookmas.orchestrator.models.openai_model import OpenAIModel
from tests.orchestrator.models.endpoint import (
    Server,
    breaks_off,
    fails,
    question,
    resets,
    says,
    serving,
    stalls,
)

SCHEMA = Schema(name="dinner", schema={"type": "object", "properties": {}})


async def test_a_request_reaches_the_endpoint_as_it_is(server: Server, model: OpenAIModel) -> None:
    tool = ToolSpec(name="look_up", description="Looks.", parameters={"type": "object"})
    request = question(schema=SCHEMA, tools=(tool,), temperature=0.5, max_tokens=9, seed=3)
    await model.answer(request)
    body = server.seen[0].body
    assert server.seen[0].path == "/v1/chat/completions"
    assert body["model"] == "stub"
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "What is for dinner?"},
    ]
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA.schema
    assert body["tools"][0]["function"]["name"] == "look_up"
    assert (body["temperature"], body["max_tokens"], body["seed"]) == (0.5, 9, 3)


async def test_what_is_not_said_is_left_to_the_endpoint(server: Server, model: OpenAIModel) -> None:
    await model.answer(question())
    assert set(server.seen[0].body) == {"model", "messages"}


async def test_a_conversation_with_tools_goes_there_and_back(
    server: Server, model: OpenAIModel
) -> None:
    called = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": "{"}}
    server.script = [says(None, tool_calls=[called], finish_reason="tool_calls")]
    request = question()
    answer, _ = await model.answer(request)
    call = ToolCall(id="c1", name="look_up", arguments="{")
    assert (answer.text, answer.tool_calls, answer.finish_reason) == ("", (call,), "tool_calls")
    again = (
        *request.messages,
        Message(role="assistant", content="", tool_calls=(call,)),
        Message(role="tool", content="Soup.", tool_call_id="c1"),
    )
    await model.answer(question().__class__(messages=again))
    sent = server.seen[1].body["messages"]
    whole = {"name": "look_up", "arguments": "{}"}
    assert sent[2]["tool_calls"] == [{**called, "function": whole}], "endpoints read them as JSON"
    assert sent[3] == {"role": "tool", "content": "Soup.", "tool_call_id": "c1"}


async def test_tokens_and_costs(server: Server) -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 300,
        "prompt_tokens_details": {"cached_tokens": 400},
        "completion_tokens_details": {"reasoning_tokens": 250},
    }
    server.default = says(usage=usage)
    prices = Prices(input=2.0, cached=0.5, output=10.0)
    answer, measured = await OpenAIModel("stub", server.url, prices=prices).answer(question())
    assert answer.usage == Usage(prompt=1000, completion=300, cached=400, reasoning=250)
    assert measured.cost == pytest.approx((600 * 2 + 400 * 0.5 + 300 * 10) / 1e6)
    assert measured.retries == 0
    assert measured.seconds > 0
    _, free = await OpenAIModel("stub", server.url).answer(question())
    assert free.cost is None


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"finish_reason": "length"}, "length"),
        ({"refusal": "I would rather not."}, "refusal"),
        ({"finish_reason": "content_filter"}, "refusal"),
        ({"finish_reason": None}, "stop"),
    ],
)
async def test_what_a_model_does_wrong_is_an_answer(
    server: Server, model: OpenAIModel, more: Any, reason: Any
) -> None:
    server.default = says("{broken json", **more)
    answer, measured = await model.answer(question(schema=SCHEMA))
    assert (answer.text, answer.finish_reason) == ("{broken json", reason)
    assert bool(answer.refusal) is (reason == "refusal")
    assert (measured.retries, len(server.seen)) == (0, 1)


async def test_a_prompt_that_is_too_long_is_an_answer(server: Server, model: OpenAIModel) -> None:
    error = {"message": "maximum context length is 8 tokens", "code": "context_length_exceeded"}
    server.default = fails(400, error)
    answer, _ = await model.answer(question(schema=SCHEMA))
    assert (answer.text, answer.finish_reason, len(server.seen)) == ("", "context_length", 1)


async def test_a_schema_that_is_refused_is_not_sent_again(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [fails(400, {"message": "response_format is not supported"})]
    first, measured = await model.answer(question(schema=SCHEMA))
    await model.answer(question(schema=SCHEMA))
    assert (first.text, measured.retries) == ("Hello", 0)
    sent = ["response_format" in exchange.body for exchange in server.seen]
    assert sent == [True, False, False]


async def test_a_schema_whose_bounds_are_refused_is_sent_without_them(
    server: Server, model: OpenAIModel
) -> None:
    words = {"type": "string", "maxLength": 9}
    listed = {"anyOf": [{"type": "array", "items": words}, words]}
    schema = Schema(name="dinner", schema={"type": "object", "properties": {"a": listed}})
    server.script = [fails(400, {"message": "'maxLength' is not permitted."})]
    for _ in range(2):
        await model.answer(question(schema=schema))
    sent = [exchange.body["response_format"]["json_schema"]["schema"] for exchange in server.seen]
    bare = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}
    assert sent[0] == schema.schema
    assert sent[1:] == [{"type": "object", "properties": {"a": bare}}] * 2


async def test_a_bad_request_that_is_not_about_the_schema_does_not_cost_the_schema(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [fails(400), fails(400)]
    answer, measured = await model.answer(question(schema=SCHEMA))
    assert (answer.simplified, measured.retries) == ((), 1)
    sent = ["response_format" in exchange.body for exchange in server.seen]
    assert sent == [True, False, True]


async def test_the_newer_name_of_the_token_limit(server: Server, model: OpenAIModel) -> None:
    complaint = {"message": "Use 'max_completion_tokens' instead."}
    server.script = [fails(400, complaint)]
    await model.answer(question(schema=SCHEMA, max_tokens=7))
    body = server.seen[1].body
    assert body["max_completion_tokens"] == 7
    assert "max_tokens" not in body
    assert "response_format" in body


async def test_what_passes_is_tried_again_and_counted(server: Server, model: OpenAIModel) -> None:
    server.script = [
        fails(429),
        fails(500),
        fails(503, b"<html>gateway</html>"),
        resets,
        breaks_off,
        fails(200, b"{not json"),
    ]
    answer, measured = await model.answer(question())
    assert (answer.text, measured.retries, len(server.seen)) == ("Hello", 6, 7)


@pytest.mark.parametrize("body", [b"", b"[]", b'{"choices": []}', b'{"error": "busy"}', b"null"])
async def test_a_body_that_is_no_completion_is_tried_again(
    server: Server, model: OpenAIModel, body: Any
) -> None:
    server.script = [fails(200, body)]
    _, measured = await model.answer(question())
    assert measured.retries == 1


@pytest.mark.parametrize("exact", [True, False])
async def test_retry_after_is_waited_for(server: Server, model: OpenAIModel, exact: Any) -> None:
    began = time.perf_counter()
    moment = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 1.3))
    server.script = [fails(429, headers={"retry-after": "0.3" if exact else moment})]
    _, measured = await model.answer(question())
    assert time.perf_counter() - began >= 0.3
    assert measured.retries == 1


async def test_a_retry_after_beyond_the_deadline_is_not_waited_for(
    server: Server, model: OpenAIModel
) -> None:
    server.default = fails(429, {"message": "slow down"}, headers={"retry-after": "3600"})
    began = time.perf_counter()
    with pytest.raises(InfrastructureError, match="slow down"):
        await model.answer(question())
    assert time.perf_counter() - began < 60
    assert len(server.seen) == 1


async def test_an_endpoint_that_stays_broken_is_an_infrastructure_error(
    server: Server, no_backoff: Any
) -> None:
    server.default = fails(500, {"message": "out of order"})
    model = OpenAIModel("stub", server.url, retries=2)
    with pytest.raises(InfrastructureError, match=r"out of order.*\(3 tries\)"):
        await model.answer(question())
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    ("status", "error", "expected"),
    [
        (401, {"message": "Incorrect API key"}, "the key is not accepted"),
        (403, {"message": "not yours", "type": "permission_error"}, "status 403: not yours"),
        (404, {"message": "The model `stub` does not exist"}, "no such model"),
        (429, {"message": "pay", "code": "insufficient_quota"}, "pay"),
    ],
)
async def test_what_does_not_pass_is_an_error_at_once(
    server: Server, model: OpenAIModel, status: Any, error: Any, expected: str
) -> None:
    server.default = fails(status, error)
    with pytest.raises(InfrastructureError, match=expected) as caught:
        await model.answer(question())
    assert "\n" not in str(caught.value)
    assert len(server.seen) == 1


async def test_nobody_listens(server: Server, no_backoff: Any) -> None:
    model = OpenAIModel("stub", "http://127.0.0.1:9/v1", retries=1)
    with pytest.raises(InfrastructureError, match=r"there is no connection.*\(2 tries\)"):
        await model.answer(question())


async def test_the_deadline_ends_a_stalled_call(server: Server, no_backoff: Any) -> None:
    server.default = stalls
    model = OpenAIModel("stub", server.url, deadline=0.6)
    began = time.perf_counter()
    with pytest.raises(InfrastructureError, match=r"no answer within 0\.6 seconds"):
        await model.answer(question())
    assert 0.5 < time.perf_counter() - began < 60
    await server.left()


async def test_the_deadline_is_for_all_tries_together(server: Server, no_backoff: Any) -> None:
    async def broken_after_a_while(exchange: Any) -> None:
        await asyncio.sleep(0.2)
        await exchange.send(500, {})

    server.script = [broken_after_a_while]
    server.default = stalls
    began = time.perf_counter()
    with pytest.raises(InfrastructureError, match=r"within 1 seconds \([23] tries\); before that"):
        await OpenAIModel("stub", server.url, deadline=1).answer(question())
    assert 0.9 < time.perf_counter() - began < 60


async def test_a_stalled_try_is_given_up_for_another(server: Server, no_backoff: Any) -> None:
    server.script = [stalls]
    answer, measured = await OpenAIModel("stub", server.url, deadline=2).answer(question())
    assert (answer.text, measured.retries) == ("Hello", 1)
    assert 1 <= measured.seconds < 2


async def test_slow_answers_are_waited_for(server: Server) -> None:
    server.default = says(after=0.3)
    _, measured = await OpenAIModel("stub", server.url, deadline=6).answer(question())
    assert measured.retries == 0
    assert measured.seconds >= 0.3


async def test_a_hundred_calls_at_once(server: Server) -> None:
    together = asyncio.Event()

    async def says_to_all(exchange: Any) -> None:
        if server.open == 100:
            together.set()
        await together.wait()
        await says()(exchange)

    server.default = says_to_all
    model = OpenAIModel("stub", server.url, deadline=120)
    answers = await asyncio.gather(*(model.answer(question(f"{n}")) for n in range(100)))
    assert server.most_open == 100
    assert {answer.text for answer, _ in answers} == {"Hello"}
    assert len({exchange.body["messages"][1]["content"] for exchange in server.seen}) == 100


def test_a_client_outlives_its_event_loop(monkeypatch: Any) -> Any:
    monkeypatch.setenv("COOKMAS_API_KEY", "k")
    model: OpenAIModel | None = None

    async def ask() -> str:
        nonlocal model
        async with serving() as server:
            if model is None:
                model = OpenAIModel("stub", server.url)
            model._url = server.url
            answer, _ = await model.answer(question())
            return answer.text

    assert [asyncio.run(ask()), asyncio.run(ask())] == ["Hello", "Hello"]


async def test_closing_and_going_on(server: Server, model: OpenAIModel) -> None:
    await model.answer(question())
    await model.close()
    await server.left()
    answer, _ = await model.answer(question())
    assert answer.text == "Hello"


async def test_a_dropped_model_closes_its_connections(
    server: Server, recwarn: pytest.WarningsRecorder
) -> None:
    model = OpenAIModel("stub", server.url)
    server.default = says("Soup")
    await model.answer(question())
    assert server.open == 1
    holder: dict[str, Any] = {"model": model}
    holder["holder"] = holder
    del model, holder
    gc.collect()
    await server.left()
    assert not recwarn.list
