"""What providers say is one of a few outcomes: their words, codes and statuses, at the wire."""

from __future__ import annotations

import json
import ssl
import time
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import formatdate
from typing import Any

import pytest

from cookmas.files.errors import EndpointAwayError, InfrastructureError, MachineError
from cookmas.orchestrator.models.access import CERTIFICATES, describe_certificate, describe_proxy
from cookmas.orchestrator.models.faults import Response, read_wait
from cookmas.orchestrator.models.message import Message, Request, Schema, ToolSpec
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.models.outcome import judge, read_usage

SCHEMA = Schema(name="schedule", schema={"type": "object"})
WRITTEN_CALL = '<tool_call>{"name": "look_up", "arguments": {}}</tool_call>'
TOOL = ToolSpec(name="look_up", description="d", parameters={"type": "object"})
ASKED = Request(messages=(Message(role="user", content="x" * 4000),))

TOO_LONG = (
    "prompt is too long: 209353 tokens > 200000 maximum",
    "Input is too long for requested model.",
    "Range of input length should be [1, 30720]",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "the model is loaded with context length of only 4096 tokens, which is not enough.",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "Your request exceeded model token limit: 262144",
    "Prompt exceeds max length",
    "the request exceeds the available context size (4096 tokens), try increasing it",
    "input length exceeds maximum context length",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096",
    "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens",
    "`inputs` must have less than 1024 tokens. Given: 1500",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.",
    "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "invalid params, context window exceeds limit (2013)",
    "litellm.ContextWindowExceededError: upstream",
    "Please reduce the length of the messages or completion.",
)
SOMETHING_ELSE = (
    "messages.2.content: text in the context of tool results must have a length of at least 1",
    "Extra inputs are not permitted, input_value={'content': 'prompt is too long'}",
    "Unknown field context_window_size",
    "the size of an image is limited in this context",
)


@pytest.mark.parametrize("words", TOO_LONG)
@pytest.mark.parametrize("status", [400, 500])
async def test_a_prompt_that_is_too_long_is_known_by_every_provider_s_words(
    server: Any, model: Any, ways: Any, words: str, status: int
) -> None:
    server.default = ways.fails(status, {"message": words})
    answer, _ = await model.answer(ASKED)
    assert (answer.finish_reason, answer.by_words, len(server.seen)) == ("context_length", True, 1)


@pytest.mark.parametrize("words", SOMETHING_ELSE)
async def test_another_complaint_is_not_about_the_length(
    server: Any, model: Any, ways: Any, words: str
) -> None:
    server.default = ways.fails(400, {"message": words})
    with pytest.raises(InfrastructureError):
        await model.answer(ASKED)


@pytest.mark.parametrize(
    ("status", "error", "reason"),
    [
        (400, {"message": "no", "code": "tokens_limit_reached"}, "context_length"),
        (400, {"message": "no", "code": "data_inspection_failed"}, "refusal"),
        (403, {"message": "no", "metadata": {"reasons": ["violence"]}}, "refusal"),
    ],
)
async def test_structure_counts_before_words(
    server: Any, model: Any, ways: Any, status: int, error: Any, reason: str
) -> None:
    server.default = ways.fails(status, error)
    answer, _ = await model.answer(ASKED)
    assert (answer.finish_reason, answer.by_words) == (reason, False)


REFUSALS = (
    "Content Exists Risk",
    "your prompt was flagged",
    "Output is blocked",
    "Output blocked by content filtering policy",
    "The guardrail checks defined in the config failed.",
    "The response was filtered due to the prompt triggering our content management policy",
    "The request was rejected because it was considered high risk",
    "Input data may contain inappropriate content.",
    "Your request was rejected as a result of our safety system.",
    "moderation: category violence",
)


@pytest.mark.parametrize("words", REFUSALS)
@pytest.mark.parametrize("status", [400, 403, 422, 446])
async def test_a_refusal_is_known_by_words(
    server: Any, model: Any, ways: Any, words: str, status: int
) -> None:
    server.default = ways.fails(status, {"message": words})
    answer, _ = await model.answer(ASKED)
    assert (answer.finish_reason, answer.refusal, answer.by_words) == ("refusal", words, True)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, {"error": {"message": "your prompt was flagged"}}),
        (403, b"<html><title>Attention! Your content was blocked</title></html>"),
        (403, {"error": {"message": "Sorry, you have been blocked"}}),
    ],
)
async def test_what_a_proxy_says_is_no_refusal(
    server: Any, model: Any, ways: Any, status: int, body: Any
) -> None:
    server.default = ways.fails(status, body)
    with pytest.raises(InfrastructureError, match=r"flagged|blocked"):
        await model.answer(ASKED)


UNKNOWN = (
    (400, {"error": {"message": "E-7734: declined"}}, "E-7734: declined"),
    (403, {"detail": "Request denied by rule 12"}, "Request denied by rule 12"),
    (403, b"<html><title>Just a moment...</title></html>", "Just a moment"),
    (418, b"I am a teapot", "I am a teapot"),
    (422, {"code": "ZZ-1", "message": "no"}, "status 422: no"),
    (426, b"", "status 426: the response is empty"),
)


@pytest.mark.parametrize(("status", "body", "words"), UNKNOWN)
async def test_a_refusal_of_an_unknown_kind_is_asked_again_and_then_said(
    server: Any, model: Any, ways: Any, status: int, body: Any, words: str
) -> None:
    server.script = [ways.fails(status, body)]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)
    server.default = ways.fails(status, body)
    with pytest.raises(InfrastructureError, match=r"\(3 tries\)") as caught:
        await model.answer(ASKED)
    assert words in str(caught.value)
    assert not isinstance(caught.value, EndpointAwayError)
    assert len(server.seen) == 2 + 3


QUOTED = (
    'MidStreamFallbackError: BadRequestError - {\n  "error": {\n    "code": 400, ',
    'Upstream said b\'{\\n  \\"error\\": {\\n \\"code\\": 400, ',
    "Error code: 400 - {'error': {'code': '400', ",
)
"""The beginnings of messages in which gateways quote another server's error."""


@pytest.mark.parametrize("status", [200, 500, 502, 503])
@pytest.mark.parametrize("quoted", QUOTED)
async def test_the_status_that_a_gateway_quotes_counts(
    server: Any, model: Any, ways: Any, status: int, quoted: str
) -> None:
    asked = replace(ASKED, max_tokens=100_000)
    message = f"{quoted} maxOutputTokens should be less, 'status': 'INVALID_ARGUMENT'"
    server.default = ways.fails(status, {"message": message, "code": str(status)})
    with pytest.raises(InfrastructureError, match="maxOutputTokens") as caught:
        await model.answer(asked)
    assert not isinstance(caught.value, EndpointAwayError)
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [500, 503])
async def test_a_status_that_says_enough_is_not_overruled_by_a_quoted_one(
    server: Any, model: Any, ways: Any, status: int
) -> None:
    server.default = ways.fails(401, {"message": f"{{'code': {status}, 'message': 'no'}}"})
    with pytest.raises(InfrastructureError):
        await model.answer(ASKED)
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [401, 402, 404, 405, 407, 410, 414, 415, 431])
async def test_a_status_that_says_enough_ends_a_call_at_once(
    server: Any, model: Any, ways: Any, status: int
) -> None:
    server.default = ways.fails(status, {"message": "your prompt has too many tokens, and no"})
    with pytest.raises(InfrastructureError, match="and no"):
        await model.answer(ASKED)
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (451, {"detail": "no"}),
        (400, {"error": {"code": "content_filter", "message": "no"}}),
        (403, {"error": {"message": "no", "metadata": {"reasons": ["violence"]}}}),
        (403, {"error": {"message": "no", "inner": {"code": "ResponsibleAIPolicyViolation"}}}),
        (200, {"error": {"code": 451, "message": "no"}}),
        (500, {"error": {"type": "moderation_blocked", "message": "no"}}),
    ],
)
async def test_a_refusal_of_a_filter_is_known_without_words(
    server: Any, model: Any, ways: Any, status: int, body: Any
) -> None:
    server.default = ways.fails(status, json.dumps(body).encode())
    answer, _ = await model.answer(ASKED)
    assert (answer.finish_reason, answer.refusal) == ("refusal", "no")


@pytest.mark.parametrize("status", [408, 409, 423, 424, 425, 429, 499, 500, 502, 503, 504, 520])
async def test_a_passing_status_is_tried_again(
    server: Any, model: Any, ways: Any, status: int
) -> None:
    server.script = [ways.fails(status, {"message": "no"})]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (413, "Request Entity Too Large"),
        (413, "Request exceeds the maximum allowed number of bytes"),
        (413, "Request too large on tokens per minute (TPM): Limit 6000, Requested 8205"),
        (429, "Request too large on tokens per min (TPM): Limit 30,000, Requested 34,239."),
        (429, "Rate limit exceeded: free-models-per-day"),
        (429, "You have reached your daily limit"),
        (500, "tools param requires --jinja flag"),
        (400, "registry.example.invalid/stub does not support tools"),
        (403, "Country, region, or territory not supported"),
        (501, "not here"),
        (505, "not here"),
    ],
)
async def test_what_no_wait_mends_ends_at_once(
    server: Any, model: Any, ways: Any, status: int, words: str
) -> None:
    server.default = ways.fails(status, {"message": words})
    with pytest.raises(InfrastructureError) as caught:
        await model.answer(ASKED)
    assert words in str(caught.value)
    assert not isinstance(caught.value, EndpointAwayError)
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "words",
    [
        "Rate limit reached: 3 requests per minute; your daily limit is 200",
        "You exceeded your current quota. See https://help.invalid/error-code#token-limit",
        "Limit 6000, Used 5000, Requested 2000. Please try again in 1ms.",
    ],
)
async def test_a_limit_of_minutes_is_waited_for(
    server: Any, model: Any, ways: Any, words: str
) -> None:
    error = {"message": words, "code": "insufficient_quota" if "quota" in words else "x"}
    server.script = [ways.fails(429, error)]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)


WRITTEN_CALLS = (
    (500, {"message": "error parsing tool call: raw='{}]', err=invalid character"}),
    (500, {"message": "Failed to parse tool call arguments as JSON"}),
)


@pytest.mark.parametrize(("status", "error"), WRITTEN_CALLS)
async def test_a_tool_call_that_the_server_could_not_read_is_the_model_s(
    server: Any, model: Any, ways: Any, status: int, error: Any
) -> None:
    server.default = ways.fails(status, error)
    answer, _ = await model.answer(Request(messages=ASKED.messages, tools=(TOOL,)))
    assert (answer.finish_reason, answer.text) == ("unreadable_call", error["message"])
    with pytest.raises(InfrastructureError):
        await model.answer(ASKED)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("function_call_filter: MALFORMED_FUNCTION_CALL", "unreadable_call"),
        ("stop: max_tokens", "length"),
        ("content_filter:violence", "refusal"),
        ("content_filter", "refusal"),
        ("something: else", "something: else"),
    ],
)
async def test_the_parts_of_a_finish_reason_count(
    server: Any, model: Any, ways: Any, reason: str, expected: str
) -> None:
    server.default = ways.says("Soup", finish_reason=reason)
    answer, _ = await model.answer(ASKED)
    assert answer.finish_reason == expected


@pytest.mark.parametrize(
    "body",
    [
        b'data: {"choices": 7}\n\ndata: [DONE]\n\n',
        b'data: {"choices": ["x"]}\n\ndata: [DONE]\n\n',
        b'data: {"choices": [{"delta": {"tool_calls": ["x"]}}]}\n\ndata: [DONE]\n\n',
    ],
)
async def test_no_response_is_the_planner_s_failure(
    server: Any, model: Any, ways: Any, body: Any, caplog: Any
) -> None:
    server.script = [ways.fails(200, body)]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)
    assert "malformed: " in caplog.text


async def test_the_choice_with_the_promised_calls_is_the_answer(
    server: Any, model: Any, ways: Any
) -> None:
    call = {"id": "1", "function": {"name": "look_up", "arguments": "{}"}}
    first = {"message": {"content": "Soup"}, "finish_reason": "tool_calls"}
    second = {"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
    server.default = ways.fails(200, json.dumps({"choices": [first, second]}).encode())
    answer, _ = await model.answer(Request(messages=ASKED.messages, tools=(TOOL,)))
    assert [call.name for call in answer.tool_calls] == ["look_up"]


async def test_an_unknown_field_with_the_answer_is_named(
    server: Any, model: Any, ways: Any
) -> None:
    server.default = ways.says("", output_text="Soup")
    with pytest.raises(InfrastructureError, match="unknown field 'output_text'"):
        await model.answer(ASKED)


async def test_a_prompt_that_was_read_in_part_is_told_once(
    server: Any, model: Any, ways: Any, caplog: Any
) -> None:
    for counted in (660, 660, 667):
        server.script = [
            ways.says("Soup", usage={"prompt_tokens": counted, "completion_tokens": 1})
        ]
        await model.answer(ASKED)
    told = [each.message for each in caplog.records if "read less than was sent" in each.message]
    assert len(told) == 1
    assert "660 tokens of about 1000" in told[0]


async def test_a_prompt_that_was_read_is_not_told(
    server: Any, model: Any, ways: Any, caplog: Any
) -> None:
    server.default = ways.says("Soup", usage={"prompt_tokens": 667, "completion_tokens": 1})
    await model.answer(ASKED)
    assert "read less" not in caplog.text


@pytest.mark.parametrize("place", ["usage", "usage_metadata"])
async def test_counts_are_found_wherever_they_stand(
    server: Any, model: Any, ways: Any, place: str
) -> None:
    choice = {"message": {"content": "Soup"}, place: {"input_tokens": 900, "output_tokens": 2}}
    server.default = ways.fails(200, json.dumps({"choices": [choice]}).encode())
    answer, _ = await model.answer(ASKED)
    assert (answer.usage.prompt, answer.usage.completion, answer.usage.estimated) == (900, 2, False)


@pytest.mark.parametrize(
    "counted",
    [
        {"inputTokens": 900, "outputTokens": 2, "cacheReadInputTokens": 100, "totalTokens": 902},
        {"promptTokenCount": 900, "candidatesTokenCount": 2, "cachedTokens": 100},
        {"promptTokens": 900, "completionTokens": 2, "promptTokensDetails": {"cachedTokens": 100}},
        {"totalTokenCount": 902, "outputTokens": 2, "cached_tokens": 100},
    ],
)
async def test_counts_are_found_in_either_way_of_writing_names(
    server: Any, model: Any, ways: Any, counted: Any
) -> None:
    server.default = ways.says("Soup", usage=counted)
    answer, _ = await model.answer(ASKED)
    usage = answer.usage
    assert (usage.prompt, usage.completion, usage.cached, usage.estimated) == (900, 2, 100, False)


async def test_a_redirect_shows_its_target(server: Any, model: Any, ways: Any) -> None:
    async def behave(exchange: Any) -> None:
        await exchange.send(
            302, {}, {"location": "https://team.example.invalid/access/login?kid=0"}
        )

    server.default = behave
    with pytest.raises(InfrastructureError, match=r"team\.example\.invalid.*a login page"):
        await model.answer(ASKED)


@pytest.mark.parametrize(
    "reason", ["error", "abort", "network_error", "insufficient_system_resource"]
)
@pytest.mark.parametrize("text", ["", '{"schedule": ['])
async def test_an_answer_that_the_endpoint_has_broken_is_asked_for_again(
    server: Any, model: Any, ways: Any, reason: str, text: str
) -> None:
    server.script = [ways.says(text, finish_reason=reason)]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)


async def test_a_stream_that_broke_off_is_asked_for_again(
    server: Any, model: Any, ways: Any
) -> None:
    server.script = [ways.fails(200, b'data: {"choices": [{"delta": {"content": "Hel"}}]}\n\n')]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)


@pytest.mark.parametrize("where", ["body", "choice"])
async def test_an_error_beside_a_whole_answer_is_no_answer(
    server: Any, model: Any, ways: Any, where: str
) -> None:
    """OpenRouter sends what the upstream provider wrote until it failed, with its error."""
    error = {"code": 502, "message": "Upstream has failed"}
    body = ways.completion("Half")
    (body if where == "body" else body["choices"][0])["error"] = error

    async def behave(exchange: Any) -> None:
        await exchange.send(200, body)

    server.script = [behave]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)


async def test_an_empty_text_without_tokens_is_no_answer(
    server: Any, model: Any, ways: Any
) -> None:
    nothing = {"prompt_tokens": 5, "completion_tokens": 0}
    server.script = [ways.says("", usage=nothing)]
    _, measured = await model.answer(ASKED)
    assert measured.retries == 1
    server.script = [ways.says("", usage={"prompt_tokens": 5, "completion_tokens": 7})]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("", 0)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"detail": "Not here"}', "Not here"),
        (b'[{"error": {"message": "In a list"}}]', "In a list"),
        (b'{"error": "A text"}', "A text"),
        (b'{"errors": [{"message": "Many"}]}', "Many"),
        (b'{"msg": "Short"}', "Short"),
        (b'{"Message": "Large"}', "Large"),
        (b"plain words", "plain words"),
        (b"<html><head><title>Just a moment</title></head></html>", "Just a moment"),
    ],
)
async def test_the_words_of_an_error_are_shown_whatever_its_shape(
    server: Any, model: Any, ways: Any, body: bytes, words: str
) -> None:
    server.default = ways.fails(418, body)
    with pytest.raises(InfrastructureError, match=words) as caught:
        await model.answer(ASKED)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("headers", "body", "words", "seconds"),
    [
        ({"retry-after-ms": "6000"}, {}, "", 6.0),
        ({"retry-after": "7"}, {}, "", 7.0),
        ({}, {"details": [{"retryDelay": "25s"}]}, "", 25.0),
        ({}, {"error": "x", "estimated_time": 20.0}, "", 20.0),
        ({}, {}, "Quota exceeded. Please retry in 25.5s.", 25.5),
        ({}, {}, "Rate limit reached. Please try again in 1m30s.", 90.0),
        ({}, {}, "try again in 250ms", 0.25),
        ({"retry-after": "nan"}, {}, "", None),
        ({"retry-after": "-3"}, {}, "", None),
        ({}, {}, "Your limit resets in 2 days", 172_800.0),
        ({"x-ratelimit-reset-requests": "6m0s"}, {}, "", 360.0),
        ({"x-ratelimit-reset-tokens": "2m", "x-ratelimit-reset-requests": "1s"}, {}, "", 120.0),
        ({"x-ratelimit-reset": "9", "x-ratelimit-remaining": "3"}, {}, "", None),
        ({"ratelimit-reset": "30", "ratelimit-remaining": "0"}, {}, "", 30.0),
        ({}, {}, "nothing is said", None),
    ],
)
def test_a_wait_is_read_wherever_it_is_said(
    headers: dict[str, str], body: Any, words: str, seconds: float | None
) -> None:
    assert read_wait(headers, body, words) == seconds


@pytest.mark.parametrize("form", ["milliseconds", "seconds", "body", "iso", "http"])
def test_a_reset_may_be_a_time_of_the_day(form: str) -> None:
    at = time.time() + 43_200
    header, iso = str(int(at * 1000)), datetime.fromtimestamp(at, UTC).isoformat()
    headers, body, words = {
        "milliseconds": ({"x-ratelimit-reset": header}, {}, ""),
        "seconds": ({"x-ratelimit-reset": str(int(at))}, {}, ""),
        "body": ({}, {"metadata": {"headers": {"X-RateLimit-Reset": header}}}, ""),
        "iso": ({}, {}, f"The limit resets at {iso.replace('+00:00', 'Z')}."),
        "http": ({"retry-after": formatdate(at, usegmt=True)}, {}, ""),
    }[form]
    assert read_wait(headers, body, words) == pytest.approx(43_200, abs=5)


@pytest.mark.parametrize(
    ("counted", "expected"),
    [
        ({"prompt_tokens": 1000, "completion_tokens": 100}, (1000, 100, 0, 0, False)),
        (
            {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_cache_hit_tokens": 900},
            (1000, 100, 900, 0, False),
        ),
        (
            {"prompt_tokens": 9, "completion_tokens": 1, "cached_tokens": 99},
            (108, 1, 99, 0, False),
        ),
        (
            {
                "prompt_tokens": 1000,
                "completion_tokens": 100,
                "total_tokens": 3100,
                "completion_tokens_details": {"reasoning_tokens": 2000},
            },
            (1000, 2100, 0, 2000, False),
        ),
        (
            {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1300},
            (1000, 300, 0, 200, False),
        ),
        ({"prompt_tokens": 1000, "total_tokens": 1100}, (1000, 100, 0, 0, False)),
        ({"total_tokens": 1100}, (1000, 100, 0, 0, True)),
        ({"prompt_tokens": 0, "completion_tokens": 0}, (1000, 1, 0, 0, True)),
        ({"prompt_tokens": 0, "completion_tokens": 7}, (1000, 7, 0, 0, True)),
        ({"prompt_tokens": -5, "completion_tokens": "x"}, (1000, 1, 0, 0, True)),
        ({"prompt_tokens": float("nan")}, (1000, 1, 0, 0, True)),
        (None, (1000, 1, 0, 0, True)),
    ],
)
def test_tokens_are_right_for_every_shape_of_usage(counted: Any, expected: Any) -> None:
    usage = read_usage(counted, ASKED, "text")
    found = (usage.prompt, usage.completion, usage.cached, usage.reasoning, usage.estimated)
    assert found == expected


async def test_thoughts_and_signatures_go_back_until_they_are_refused(
    server: Any, model: Any, ways: Any
) -> None:
    server.script = [ways.says("one", reasoning_content="Hm.")]
    answer, _ = await model.answer(ASKED)
    said = Message(role="assistant", content=answer.text, extra=answer.extra)
    again = Request(messages=(*ASKED.messages, said))
    await model.answer(again)
    assert server.seen[-1].body["messages"][-1]["reasoning_content"] == "Hm."
    server.script = [ways.fails(400, {"message": "reasoning_content is not permitted"})]
    answer, _ = await model.answer(again)
    assert answer.simplified == ("thoughts",)
    await model.answer(again)
    assert "reasoning_content" not in server.seen[-1].body["messages"][-1]


async def test_a_stray_refusal_costs_one_request_its_schema(
    server: Any, model: Any, ways: Any
) -> None:
    asked = Request(messages=ASKED.messages, schema=SCHEMA)
    server.script = [ways.fails(400, {"message": "Provider returned error"})]
    first, _ = await model.answer(asked)
    second, _ = await model.answer(asked)
    assert (first.simplified, second.simplified) == (("schema",), ())
    sent = ["response_format" in exchange.body for exchange in server.seen]
    assert sent == [True, False, True]


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ({"function_call": {"name": "look_up", "arguments": '{"a": 1}'}}, ()),
        ({"tool_calls": [{"function": {"name": "functions.look_up"}}]}, ("prefixed_name",)),
        (
            {"content": '<tool_call>{"name": "look_up", "arguments": {}}</tool_call>'},
            ("call_in_text",),
        ),
    ],
)
async def test_a_tool_call_is_found_where_it_is(
    server: Any, model: Any, ways: Any, message: Any, found: Any
) -> None:
    server.default = ways.says(message.pop("content", None), **message)
    answer, _ = await model.answer(Request(messages=ASKED.messages, tools=(TOOL,)))
    assert [(call.name, bool(call.id)) for call in answer.tool_calls] == [("look_up", True)]
    assert answer.lenient == found


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "look_up", "arguments": {"a": "1"}}</tool_call>',
        "<tool_call><function=look_up><parameter=a>\n1\n</parameter></function></tool_call>",
        '<function=look_up>{"a": "1"}</function>',
        "<tool_call>look_up\n<arg_key>a</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
        '[TOOL_CALLS] [{"name": "look_up", "arguments": {"a": "1"}}]',
        '<|python_tag|>{"name": "look_up", "parameters": {"a": "1"}}',
        'to=functions.look_up<|channel|>commentary<|message|>{"a": "1"}<|call|>',
    ],
    ids=["Hermes", "Qwen", "Llama 3.1", "GLM", "Mistral", "Llama", "gpt-oss"],
)
def test_a_call_in_the_text_is_read_in_the_form_of_each_family(text: str) -> None:
    body = {"choices": [{"message": {"content": f"Let me look. {text}"}}]}
    for tools in ((TOOL,), ()):
        answer = judge(Response(body=body), Request(messages=ASKED.messages, tools=tools), "m")
        read = [(call.name, json.loads(call.arguments)) for call in answer.tool_calls]
        assert read == ([("look_up", {"a": "1"})] if tools else [])
        assert (text in answer.text) == (not tools)


async def test_a_failure_tells_the_complaint_about_an_earlier_form(
    server: Any, model: Any, ways: Any
) -> None:
    asked = Request(messages=ASKED.messages, schema=SCHEMA)
    server.script = [ways.fails(400, {"message": "no json_schema here"})]
    server.default = ways.fails(401, {"message": "who are you?"})
    with pytest.raises(InfrastructureError, match=r"who are you\?; before that: no json_schema"):
        await model.answer(asked)


async def test_a_model_of_the_responses_api_is_named_so(server: Any, model: Any, ways: Any) -> None:
    said = "This is not a chat model: use v1/responses"
    server.default = ways.fails(404, {"message": said})
    with pytest.raises(InfrastructureError, match="speaks only the Responses API"):
        await model.answer(ASKED)


@pytest.mark.parametrize("tools", [(), (TOOL,)])
@pytest.mark.parametrize(
    ("name", "arguments", "is_answer"),
    [
        ("json_tool_call", '{"a": ["x"]}', True),
        ("any_name_of_a_gateway", '{"a": ["x', True),
        ("look_down", '{"b": 1}', False),
        ("look_down", '["a"]', False),
    ],
)
async def test_a_call_with_the_fields_of_the_schema_is_the_answer(
    server: Any, model: Any, ways: Any, tools: Any, name: str, arguments: str, is_answer: bool
) -> None:
    call = {"id": "1", "function": {"name": name, "arguments": arguments}}
    server.default = ways.says("", tool_calls=[call])
    schema = Schema(name="x", schema={"type": "object", "properties": {"a": {"type": "array"}}})
    answer, _ = await model.answer(Request(messages=ASKED.messages, tools=tools, schema=schema))
    expected = is_answer or (not tools and arguments.startswith("{"))
    assert (answer.text == arguments) is expected
    assert (answer.lenient == ("structured_tool",)) is expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:1080"),
        ("HTTP_PROXY", "proxy.corp:8080:x"),
        ("SSL_CERT_FILE", "/nonexistent/ca.pem"),
        ("OPENAI_ORG_ID", "a\nb"),
    ],
)
def test_a_fault_of_this_machine_names_its_variable(
    monkeypatch: Any, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(MachineError, match=f"^{name}: "):
        OpenAIModel("stub", "http://127.0.0.1:9/v1")


REFUSED_CERTIFICATE = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: {}"


@pytest.mark.parametrize(
    ("why", "kind", "told"),
    [
        ("certificate has expired", InfrastructureError, "has expired; its operator"),
        ("certificate is not yet valid", InfrastructureError, "is not valid yet; its operator"),
        ("Hostname mismatch", InfrastructureError, "is for another name"),
        ("self-signed certificate", MachineError, "this machine does not trust"),
    ],
)
def test_a_certificate_that_is_refused_says_whose_fault_it_is(
    monkeypatch: Any, why: str, kind: type[Exception], told: str
) -> None:
    for name in CERTIFICATES:
        monkeypatch.delenv(name, raising=False)
    error = OSError()
    error.__cause__ = ssl.SSLError(REFUSED_CERTIFICATE.format(why))
    described = describe_certificate(error, "https://here")
    assert type(described) is kind
    assert told in str(described)
    error.__cause__ = ssl.SSLError("[SSL: WRONG_VERSION_NUMBER] wrong version number")
    assert describe_certificate(error, "https://here") is None


def test_the_file_that_does_not_vouch_for_a_certificate_is_named(monkeypatch: Any) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/ours.pem")
    error = OSError()
    error.__cause__ = ssl.SSLError(REFUSED_CERTIFICATE.format("self-signed certificate"))
    told = str(describe_certificate(error, "https://here"))
    assert told.startswith("SSL_CERT_FILE: /ours.pem does not vouch for")


def test_the_proxy_on_the_way_is_named_unless_it_is_passed_by(monkeypatch: Any) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:8080")
    assert "the variable HTTPS_PROXY sends it" in describe_proxy("https://here/v1")
    monkeypatch.setenv("NO_PROXY", "here")
    assert describe_proxy("https://here/v1") == ""


async def test_an_endpoint_that_only_streams_is_asked_for_a_stream(
    server: Any, model: Any, ways: Any
) -> None:
    pieces = (
        b'data: {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}\n\n'
        b': keep-alive\n\ndata: {"choices": [{"index": 0, "delta": {"content": "lo"}, '
        b'"finish_reason": "stop"}], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}\n\n'
        b"data: [DONE]\n\n"
    )
    server.script = [
        ways.fails(400, {"message": "This model only support stream mode"}),
        ways.fails(200, pieces),
    ]
    answer, _ = await model.answer(ASKED)
    assert (answer.text, answer.usage.completion, answer.finish_reason) == ("Hello", 2, "stop")
    assert server.seen[-1].body["stream"] is True
