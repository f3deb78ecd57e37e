"""What providers say is one of a few outcomes: their words, codes and statuses."""

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
from cookmas.orchestrator.models.dialect import read_body
from cookmas.orchestrator.models.faults import EndpointFault, Response, read_wait, reading
from cookmas.orchestrator.models.message import (
    Message,
    Request,
    Schema,
    ToolSpec,
    Usage,
)
from cookmas.orchestrator.models.openai_model import OpenAIModel
from cookmas.orchestrator.models.outcome import judge, read_usage
from tests.orchestrator.models.endpoint import ASKED, Server, completion, fails, judged, says

SCHEMA = Schema(name="schedule", schema={"type": "object"})
WRITTEN_CALL = '<tool_call>{"name": "look_up", "arguments": {}}</tool_call>'
TOOL = ToolSpec(name="look_up", description="d", parameters={"type": "object"})


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
def test_a_prompt_that_is_too_long_is_known_by_every_provider_s_words(
    words: str, status: int
) -> None:
    answer = judged(status, {"error": {"message": words}})
    assert (answer.finish_reason, answer.by_words) == ("context_length", True)


@pytest.mark.parametrize("words", SOMETHING_ELSE)
def test_another_complaint_is_not_about_the_length(words: str) -> None:
    with pytest.raises(EndpointFault):
        judged(400, {"error": {"message": words}})


@pytest.mark.parametrize(
    ("status", "error", "reason"),
    [
        (400, {"message": "no", "code": "tokens_limit_reached"}, "context_length"),
        (400, {"message": "no", "code": "data_inspection_failed"}, "refusal"),
        (403, {"message": "no", "metadata": {"reasons": ["violence"]}}, "refusal"),
    ],
)
def test_structure_counts_before_words(status: int, error: Any, reason: str) -> None:
    answer = judged(status, {"error": error})
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
def test_a_refusal_is_known_by_words(words: str, status: int) -> None:
    answer = judged(status, {"error": {"message": words}})
    assert (answer.finish_reason, answer.refusal, answer.by_words) == ("refusal", words, True)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, {"error": {"message": "your prompt was flagged"}}),
        (403, "<html><title>Attention! Your content was blocked</title></html>"),
        (403, {"error": {"message": "Sorry, you have been blocked"}}),
    ],
)
def test_what_a_proxy_says_is_no_refusal(status: int, body: Any) -> None:
    with pytest.raises(EndpointFault, match=r"flagged|blocked"):
        judged(status, body)


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
    server: Server, model: OpenAIModel, status: int, body: Any, words: str
) -> None:
    server.script = [fails(status, body)]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)
    server.default = fails(status, body)
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
def test_the_status_that_a_gateway_quotes_counts(status: int, quoted: str) -> None:
    message = f"{quoted} maxOutputTokens should be less, 'status': 'INVALID_ARGUMENT'"
    error = {"message": message, "code": str(status)}
    with pytest.raises(EndpointFault, match="maxOutputTokens") as caught:
        judged(status, {"error": error}, replace(ASKED, max_tokens=100_000))
    assert (caught.value.kind, caught.value.status) == ("lasting", 400)


@pytest.mark.parametrize("status", [500, 503])
def test_a_status_that_says_enough_is_not_overruled_by_a_quoted_one(status: int) -> None:
    with pytest.raises(EndpointFault) as caught:
        judged(401, {"error": {"message": f"{{'code': {status}, 'message': 'no'}}"}})
    assert caught.value.kind == "lasting"


@pytest.mark.parametrize("status", [401, 402, 404, 405, 407, 410, 414, 415, 431])
def test_a_status_that_says_enough_ends_a_call_at_once(status: int) -> None:
    error = {"message": "your prompt has too many tokens, and no"}
    with pytest.raises(EndpointFault, match="and no") as caught:
        judged(status, {"error": error})
    assert caught.value.kind == "lasting"


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
def test_a_refusal_of_a_filter_is_known_without_words(status: int, body: Any) -> None:
    answer = judged(status, body)
    assert (answer.finish_reason, answer.refusal) == ("refusal", "no")


PASSING = (408, 409, 423, 424, 425, 429, 499, 500, 502, 503, 504, 520, 529)


@pytest.mark.parametrize("status", PASSING)
async def test_a_passing_status_is_tried_again(
    server: Server, model: OpenAIModel, status: int
) -> None:
    server.script = [fails(status, {"message": "no"})]
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
    server: Server, model: OpenAIModel, status: int, words: str
) -> None:
    server.default = fails(status, {"message": words})
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
    server: Server, model: OpenAIModel, words: str
) -> None:
    error = {"message": words, "code": "insufficient_quota" if "quota" in words else "x"}
    server.script = [fails(429, error)]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)


WRITTEN_CALLS = (
    (500, {"message": "error parsing tool call: raw='{}]', err=invalid character"}),
    (500, {"message": "Failed to parse tool call arguments as JSON"}),
)


@pytest.mark.parametrize(("status", "error"), WRITTEN_CALLS)
def test_a_tool_call_that_the_server_could_not_read_is_the_model_s(status: int, error: Any) -> None:
    answer = judged(status, {"error": error}, replace(ASKED, tools=(TOOL,)))
    assert (answer.finish_reason, answer.text) == ("unreadable_call", error["message"])
    with pytest.raises(EndpointFault):
        judged(status, {"error": error})


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
def test_the_parts_of_a_finish_reason_count(reason: str, expected: str) -> None:
    assert judged(200, completion("Soup", finish_reason=reason)).finish_reason == expected


@pytest.mark.parametrize(
    "body",
    [
        b'data: {"choices": 7}\n\ndata: [DONE]\n\n',
        b'data: {"choices": ["x"]}\n\ndata: [DONE]\n\n',
        b'data: {"choices": [{"delta": {"tool_calls": ["x"]}}]}\n\ndata: [DONE]\n\n',
    ],
)
async def test_no_response_is_the_planner_s_failure(
    server: Server, model: OpenAIModel, body: Any, caplog: Any
) -> None:
    server.script = [fails(200, body)]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)
    assert "malformed: " in caplog.text


def test_the_choice_with_the_promised_calls_is_the_answer() -> None:
    call = {"id": "1", "function": {"name": "look_up", "arguments": "{}"}}
    first = {"message": {"content": "Soup"}, "finish_reason": "tool_calls"}
    second = {"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
    answer = judged(200, {"choices": [first, second]}, replace(ASKED, tools=(TOOL,)))
    assert [call.name for call in answer.tool_calls] == ["look_up"]


def test_an_unknown_field_with_the_answer_is_named() -> None:
    with pytest.raises(EndpointFault, match="unknown field 'output_text'") as caught:
        judged(200, completion("", output_text="Soup"))
    assert caught.value.kind == "lasting"


async def test_a_prompt_that_was_read_in_part_is_told_once(
    server: Server, model: OpenAIModel, caplog: Any
) -> None:
    for counted in (660, 660, 667):
        server.script = [says("Soup", usage={"prompt_tokens": counted, "completion_tokens": 1})]
        await model.answer(ASKED)
    told = [each.message for each in caplog.records if "read less than was sent" in each.message]
    assert len(told) == 1
    assert "660 tokens of about 1000" in told[0]


async def test_a_prompt_that_was_read_is_not_told(
    server: Server, model: OpenAIModel, caplog: Any
) -> None:
    server.default = says("Soup", usage={"prompt_tokens": 667, "completion_tokens": 1})
    await model.answer(ASKED)
    assert "read less" not in caplog.text


@pytest.mark.parametrize("place", ["usage", "usage_metadata"])
def test_counts_are_found_wherever_they_stand(place: str) -> None:
    choice = {"message": {"content": "Soup"}, place: {"input_tokens": 900, "output_tokens": 2}}
    usage = judged(200, {"choices": [choice]}).usage
    assert (usage.prompt, usage.completion, usage.estimated) == (900, 2, False)


@pytest.mark.parametrize(
    "counted",
    [
        {"inputTokens": 900, "outputTokens": 2, "cacheReadInputTokens": 100, "totalTokens": 902},
        {"promptTokenCount": 900, "candidatesTokenCount": 2, "cachedTokens": 100},
        {"promptTokens": 900, "completionTokens": 2, "promptTokensDetails": {"cachedTokens": 100}},
        {"totalTokenCount": 902, "outputTokens": 2, "cached_tokens": 100},
    ],
)
def test_counts_are_found_in_either_way_of_writing_names(counted: Any) -> None:
    usage = judged(200, completion("Soup", usage=counted)).usage
    assert (usage.prompt, usage.completion, usage.cached, usage.estimated) == (900, 2, 100, False)


async def test_a_redirect_shows_its_target(server: Server, model: OpenAIModel) -> None:
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
def test_an_answer_that_the_endpoint_has_broken_may_come_again(reason: str, text: str) -> None:
    with pytest.raises(EndpointFault) as caught:
        judged(200, completion(text, finish_reason=reason))
    assert caught.value.kind == "passing"


async def test_a_stream_that_broke_off_is_asked_for_again(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [fails(200, b'data: {"choices": [{"delta": {"content": "Hel"}}]}\n\n')]
    answer, measured = await model.answer(ASKED)
    assert (answer.text, measured.retries) == ("Hello", 1)


@pytest.mark.parametrize("where", ["body", "choice"])
def test_an_error_beside_a_whole_answer_is_no_answer(where: str) -> None:
    """OpenRouter sends what the upstream provider wrote until it failed, with its error."""
    body = completion("Half")
    place = body if where == "body" else body["choices"][0]
    place["error"] = {"code": 502, "message": "Upstream has failed"}
    with pytest.raises(EndpointFault) as caught:
        judged(200, body)
    assert caught.value.kind == "passing"


def test_an_empty_text_without_tokens_is_no_answer() -> None:
    with pytest.raises(EndpointFault) as caught:
        judged(200, completion("", usage={"prompt_tokens": 5, "completion_tokens": 0}))
    assert caught.value.kind == "passing"
    answer = judged(200, completion("", usage={"prompt_tokens": 5, "completion_tokens": 7}))
    assert answer.text == ""


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
def test_the_words_of_an_error_are_shown_whatever_its_shape(body: bytes, words: str) -> None:
    with reading(), pytest.raises(EndpointFault, match=words) as caught:
        judged(418, read_body(body))
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


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": "many"}, {}, [1]])
def test_tokens_that_nobody_counted_are_estimated(usage: Any) -> None:
    answer = judged(200, completion("four" * 10, usage=usage))
    assert answer.usage == Usage(prompt=1000, completion=10, estimated=True)


async def test_thoughts_and_signatures_go_back_until_they_are_refused(
    server: Server, model: OpenAIModel
) -> None:
    server.script = [says("one", reasoning_content="Hm.")]
    answer, _ = await model.answer(ASKED)
    said = Message(role="assistant", content=answer.text, extra=answer.extra)
    again = Request(messages=(*ASKED.messages, said))
    await model.answer(again)
    assert server.seen[-1].body["messages"][-1]["reasoning_content"] == "Hm."
    server.script = [fails(400, {"message": "reasoning_content is not permitted"})]
    answer, _ = await model.answer(again)
    assert answer.simplified == ("thoughts",)
    await model.answer(again)
    assert "reasoning_content" not in server.seen[-1].body["messages"][-1]


async def test_a_stray_refusal_costs_one_request_its_schema(
    server: Server, model: OpenAIModel
) -> None:
    asked = Request(messages=ASKED.messages, schema=SCHEMA)
    server.script = [fails(400, {"message": "Provider returned error"})]
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
def test_a_tool_call_is_found_where_it_is(message: Any, found: Any) -> None:
    body = completion(message.pop("content", None), **message)
    answer = judged(200, body, replace(ASKED, tools=(TOOL,)))
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
    server: Server, model: OpenAIModel
) -> None:
    asked = Request(messages=ASKED.messages, schema=SCHEMA)
    server.script = [fails(400, {"message": "no json_schema here"})]
    server.default = fails(401, {"message": "who are you?"})
    with pytest.raises(InfrastructureError, match=r"who are you\?; before that: no json_schema"):
        await model.answer(asked)


async def test_a_model_of_the_responses_api_is_named_so(server: Server, model: OpenAIModel) -> None:
    said = "This is not a chat model: use v1/responses"
    server.default = fails(404, {"message": said})
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
def test_a_call_with_the_fields_of_the_schema_is_the_answer(
    tools: Any, name: str, arguments: str, is_answer: bool
) -> None:
    call = {"id": "1", "function": {"name": name, "arguments": arguments}}
    schema = Schema(name="x", schema={"type": "object", "properties": {"a": {"type": "array"}}})
    answer = judged(
        200, completion("", tool_calls=[call]), replace(ASKED, tools=tools, schema=schema)
    )
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
    server: Server, model: OpenAIModel
) -> None:
    pieces = (
        b'data: {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}\n\n'
        b': keep-alive\n\ndata: {"choices": [{"index": 0, "delta": {"content": "lo"}, '
        b'"finish_reason": "stop"}], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}\n\n'
        b"data: [DONE]\n\n"
    )
    server.script = [
        fails(400, {"message": "This model only support stream mode"}),
        fails(200, pieces),
    ]
    answer, _ = await model.answer(ASKED)
    assert (answer.text, answer.usage.completion, answer.finish_reason) == ("Hello", 2, "stop")
    assert server.seen[-1].body["stream"] is True
