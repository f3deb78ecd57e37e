"""Faults of endpoints: what real endpoints and gateways do to a request or an answer.

`ENDPOINT_FAULTS` is data. A fault puts a response in place of the answer, or changes the answer. It
strikes only the requests that it concerns, such as those with a schema. A change takes the body of
a chat completion with one choice, and returns a new one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from email.utils import formatdate
from time import time
from typing import Any

Change = Callable[[dict[str, Any]], dict[str, Any]]

THOUGHTS = 100
"""Number of tokens of thinking that an endpoint leaves out of the answer's tokens."""

_DRAFT = 'A draft: {"schedule": []}. That is not enough.'


def end(reason: str, share: float) -> Change:
    """Return a change that cuts an answer after a share of its text, with a `finish_reason`."""

    def change(answer: dict[str, Any]) -> dict[str, Any]:
        text = _text_of(answer)
        kept = text[: int(len(text) * share)] or None
        return _with_message(answer, {"content": kept}, finish_reason=reason)

    return change


def add_error(finish_reason: str | None, error: Mapping[str, Any]) -> Change:
    """Return a change that puts an error into the only choice of a completion.

    With a `finish_reason`, the choice gets it, and its text becomes empty.
    """

    def change(answer: dict[str, Any]) -> dict[str, Any]:
        ended = {"finish_reason": finish_reason} if finish_reason else {}
        return _with_message(answer, {"content": ""} if finish_reason else {}, error=error, **ended)

    return change


def drop_choices(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without any choice."""
    return {**answer, "choices": []}


def empty(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an empty answer, for which no token is counted."""
    blank = _with_message(answer, {"content": "", "tool_calls": None}, finish_reason="stop")
    usage = answer["usage"]
    total = usage["prompt_tokens"]
    return {**blank, "usage": {**usage, "completion_tokens": 0, "total_tokens": total}}


def cut_off_thinking(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without text, whose tokens are thinking."""
    thought = {"content": None, "tool_calls": None, "reasoning_content": "The soup comes first"}
    return _with_message(answer, thought, finish_reason="length")


def move_to_reasoning(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose text is in the field of the thinking."""
    text = _text_of(answer)
    return _with_message(answer, {"content": None, "reasoning_content": text}) if text else answer


def move_to_tool(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose text is the arguments of a tool call."""
    if not (text := _text_of(answer)):
        return answer
    function = {"name": "json_tool_call", "arguments": text}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    moved = {"content": None, "tool_calls": calls}
    return _with_message(answer, moved, finish_reason="tool_calls")


def write_calls(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose tool calls are written into its text."""
    written = [
        {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}
        for call in _calls_of(answer)
    ]
    if not written:
        return answer
    text = "\n".join(f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in written)
    return _with_message(answer, {"content": text, "tool_calls": None}, finish_reason="stop")


def encode_arguments(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose tool calls have arguments that are encoded twice."""
    return _with_functions(answer, lambda each: {"arguments": json.dumps(each["arguments"])})


def prefix_names(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose tool calls have names with a prefix."""
    return _with_functions(answer, lambda each: {"name": f"functions.{each['name']}"})


def count(recount: Callable[[dict[str, int]], dict[str, int] | None]) -> Change:
    """Return a change of the counts of tokens."""
    return lambda answer: {**answer, "usage": recount(answer["usage"])}


def rewrite(write: Callable[[str], str]) -> Change:
    """Return a change of the answer's text; an answer without JSON stays as it is."""

    def change(answer: dict[str, Any]) -> dict[str, Any]:
        text = _text_of(answer)
        return _with_message(answer, {"content": write(text)}) if _is_object(text) else answer

    return change


def add_comma(text: str) -> str:
    """Return JSON with a comma before its last bracket."""
    return f"{text[:-1]},{text[-1]}"


def add_comment(text: str) -> str:
    """Return JSON with a comment after its first bracket."""
    return f"{text[0]} // the plan\n{text[1:]}"


def write_python(text: str) -> str:
    """Return JSON as a Python literal."""
    return repr(json.loads(text))


def add_line_break(text: str) -> str:
    """Return JSON in which the first text value begins with a raw line break."""
    return text.replace('": "', '": "\n', 1)


def drop_last(text: str) -> str:
    """Return JSON without its last bracket."""
    return text[:-1]


def quote_numbers(text: str) -> str:
    """Return JSON whose numbers are texts."""
    return json.dumps(json.loads(text, parse_int=str, parse_float=str), ensure_ascii=False)


def wrap(text: str) -> str:
    """Return JSON inside an object with one member."""
    return f'{{"response": {text}}}'


def think_before(text: str) -> str:
    """Return JSON after thoughts that have a draft."""
    return f"<think>\n{_DRAFT}\n</think>\n{text}"


def think_after(text: str) -> str:
    """Return JSON before thoughts."""
    return f"{text}\n<think>\nThat should do.\n</think>"


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _message_of(answer: Mapping[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = answer["choices"][0]["message"]
    return message


def _text_of(answer: Mapping[str, Any]) -> str:
    return _message_of(answer).get("content") or ""


def _calls_of(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    return _message_of(answer).get("tool_calls") or []


def _with_message(
    answer: dict[str, Any], message: Mapping[str, Any], **choice: Any
) -> dict[str, Any]:
    """Return an answer with other fields of its message and its choice; None removes calls."""
    changed = {**_message_of(answer), **message}
    if changed.get("tool_calls") is None:
        changed.pop("tool_calls", None)
    return {**answer, "choices": [{**answer["choices"][0], "message": changed, **choice}]}


def _with_functions(
    answer: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    calls = [
        {**call, "function": {**call["function"], **change(call["function"])}}
        for call in _calls_of(answer)
    ]
    return _with_message(answer, {"tool_calls": calls}) if calls else answer


Body = Mapping[str, Any]

MOVED = "/v1/moved/chat/completions"
"""Another path at which the server takes requests."""

_GONE = {"code": 502, "message": "Upstream is gone."}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A response in place of an answer."""

    status: int
    body: Any
    """Content, as JSON; a text is sent as it is."""
    headers: Mapping[str, str]
    """Headers besides those of the content."""


React = Callable[[float], Reaction]
"""Makes a response from a wait in seconds, which most leave out."""


def react(status: int, body: Any, **headers: str) -> React:
    """Return a function that makes this reaction; header names have `_` in place of `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda wait: Reaction(status=status, body=body, headers=named)


def error(
    status: int, message: str, code: Any = None, kind: str = "invalid_request_error"
) -> React:
    """Return a function that makes an error in the format of OpenAI."""
    return react(status, {"error": {"message": message, "type": kind, "code": code}})


def loading(header: str, write: Callable[[float], str]) -> React:
    """Return a function that makes status 503 with the wait in a header."""
    body = {"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}
    return lambda wait: Reaction(status=503, body=body, headers={header: write(wait)})


def in_body(status: int, write: Callable[[float], Any]) -> React:
    """Return a function that makes a response with the wait in its body."""
    return lambda wait: Reaction(status=status, body=write(wait), headers={})


def _is_any(body: Body) -> bool:
    return True


def _has_schema(body: Body) -> bool:
    return bool(body.get("response_format"))


def _has_system(body: Body) -> bool:
    return any(message.get("role") == "system" for message in body["messages"])


def _is_whole(body: Body) -> bool:
    return not body.get("stream")


def _has_field(name: str) -> Callable[[Body], bool]:
    return lambda body: bool(body.get(name))


def _has_word(word: str) -> Callable[[Body], bool]:
    return lambda body: f'"{word}"' in json.dumps([body.get("response_format"), body.get("tools")])


@dataclass(frozen=True, slots=True)
class WireFault:
    """A fault of an endpoint."""

    name: str
    """Name in `--fault`."""
    about: str
    _: KW_ONLY
    respond: React | None = None
    """Makes the response in place of the answer."""
    change: Change | None = None
    concerns: Callable[[Body], bool] = _is_any
    """Returns whether the fault can strike a request, by its body."""
    passes: bool = False
    """True if the fault is drawn again for each attempt, so that another one may succeed."""


ENDPOINT_FAULTS = (
    # Status 200, and yet the endpoint failed
    WireFault("finish_error", "an empty answer with finish_reason 'error', and an error beside it",
              change=add_error("error", _GONE), passes=True),
    WireFault("finish_abort", "half of an answer with finish_reason 'abort'",
              change=end("abort", share=0.5), passes=True),
    WireFault("finish_network_error", "an empty answer with finish_reason 'network_error'",
              change=end("network_error", share=0.0), passes=True),
    WireFault("finish_no_resource",
              "an empty answer with finish_reason 'insufficient_system_resource'",
              change=end("insufficient_system_resource", share=0.0), passes=True),
    WireFault("error_in_body", "status 200 with an error instead of an answer",
              respond=error(200, "The provider returned an error.", 502, "server_error"),
              passes=True),
    WireFault("error_in_choice", "a whole answer with an error in its choice",
              change=add_error(None, _GONE), passes=True),
    WireFault("no_choices", "status 200 without any choice", change=drop_choices,
              passes=True),
    WireFault("empty_answer", "an empty text with no tokens", change=empty, passes=True),
    WireFault("html_page", "status 502 with a page of HTML",
              respond=react(502, "<html><title>502 Bad Gateway</title><body>nginx</body></html>"),
              passes=True),
    WireFault("key_in_body", "status 200 with an error 401 about the key",
              respond=error(200, "No auth credentials found", 401)),
    WireFault("quota", "429 because the quota is spent, which no wait mends",
              respond=error(429, "You exceeded your current quota.", "insufficient_quota")),
    # The prompt, the filter, the end of the answer
    WireFault("too_long_413", "413 because the prompt is too long",
              respond=react(413, {"detail": "The prompt has too many tokens"})),
    WireFault("too_long_code", "400 with the code context_length_exceeded",
              respond=error(400, "Your input has too many parts.", "context_length_exceeded")),
    WireFault("too_long_words", "400 whose words alone say that the prompt is too long",
              respond=error(400, "prompt is too long: 250000 tokens > 200000 maximum")),
    WireFault("filter_finish", "no text, with finish_reason 'content_filter'",
              change=end("content_filter", share=0.0)),
    WireFault("filter_code", "400 with the code content_filter",
              respond=error(400, "The response was filtered.", "content_filter")),
    WireFault("filter_words", "400 whose words alone say that a filter refused the prompt",
              respond=error(400, "Content Exists Risk")),
    WireFault("cut_off_word", "half of an answer with finish_reason 'MAX_TOKENS'",
              change=end("MAX_TOKENS", share=0.5)),
    WireFault("cut_off_thinking", "no text, with finish_reason 'length': all tokens are thinking",
              change=cut_off_thinking),
    # Waiting
    WireFault("loading_seconds", "503 while the model loads, with the wait in seconds",
              respond=loading("retry-after", lambda wait: f"{wait:g}"), passes=True),
    WireFault("loading_milliseconds", "503 while the model loads, with retry-after-ms",
              respond=loading("retry-after-ms", lambda wait: f"{1000 * wait:.0f}"), passes=True),
    WireFault("loading_date", "503 while the model loads, with a date",
              respond=loading("retry-after", lambda wait: formatdate(time() + wait, usegmt=True)),
              passes=True),
    WireFault("loading_body", "503 while the model loads, with the wait in the body",
              respond=in_body(503, lambda wait: {"error": "Model is loading",
                                                 "estimated_time": round(wait, 3)}),
              passes=True),
    WireFault("busy_body", "429 in a list, with the wait in the body",
              respond=in_body(429, lambda wait: [{"error": {
                  "code": 429, "message": "Resource has been exhausted.",
                  "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": f"{wait:g}s"}]}}]),
              passes=True),
    WireFault("busy_nonsense", "429 with the header 'retry-after: nan'",
              respond=react(429, {"error": "Too many requests"}, retry_after="nan"), passes=True),
    # What an endpoint does not take
    WireFault("schema_400", "400 for a schema",
              respond=error(400, "response_format json_schema is not supported"),
              concerns=_has_schema),
    WireFault("schema_422", "422 for a schema, in a list of details",
              respond=react(422, {"detail": [{"loc": ["body", "response_format"],
                                              "msg": "Extra inputs"}]}),
              concerns=_has_schema),
    WireFault("schema_500", "500 for a schema",
              respond=error(500, "failed to parse grammar", None, "server_error"),
              concerns=_has_schema),
    WireFault("keyword_refused", "400 for the keyword additionalProperties in a schema",
              respond=error(400, "Unknown name 'additionalProperties': Cannot find field."),
              concerns=_has_word("additionalProperties")),
    WireFault("strict_refused", "400 for 'strict' beside a schema",
              respond=error(400, "unknown field: strict"), concerns=_has_word("strict")),
    WireFault("newer_limit", "400 for max_tokens: max_completion_tokens is wanted",
              respond=error(400, "Unsupported parameter: use 'max_completion_tokens' instead."),
              concerns=_has_field("max_tokens")),
    WireFault("system_refused", "400 for a message of the role system",
              respond=error(400, "System role not supported"), concerns=_has_system),
    WireFault("streaming_only", "400 for a request that does not stream",
              respond=error(400, "This model only supports streaming."), concerns=_is_whole),
    WireFault("tools_refused", "400 for tools",
              respond=error(400, "the model does not support tools"), concerns=_has_field("tools")),
    WireFault("redirect", "307 to another path of the server",
              respond=react(307, "", location=MOVED)),
    WireFault("redirect_host", "308 to another host",
              respond=react(308, "", location="https://elsewhere.invalid/v1/chat/completions")),
    # JSON as models write it
    WireFault("trailing_comma", "a comma before the last bracket",
              change=rewrite(add_comma)),
    WireFault("comment", "a comment in the JSON", change=rewrite(add_comment)),
    WireFault("python_literal", "a Python literal instead of JSON",
              change=rewrite(write_python)),
    WireFault("raw_line_break", "a raw line break inside a text of the JSON",
              change=rewrite(add_line_break)),
    WireFault("missing_brace", "the last bracket is missing",
              change=rewrite(drop_last)),
    WireFault("numbers_as_text", "numbers are written as texts",
              change=rewrite(quote_numbers)),
    WireFault("wrapper", "the answer is inside another object",
              change=rewrite(wrap)),
    WireFault("json_in_text", "the JSON is encoded as a text of JSON",
              change=rewrite(json.dumps)),
    WireFault("thoughts_before", "thoughts with a draft stand before the answer",
              change=rewrite(think_before)),
    WireFault("thoughts_after", "thoughts stand after the answer",
              change=rewrite(think_after)),
    # The place of the answer
    WireFault("in_reasoning", "the answer is in reasoning_content, and the content is null",
              change=move_to_reasoning),
    WireFault("in_tool", "the answer is a call of a tool json_tool_call",
              change=move_to_tool),
    WireFault("call_as_text", "a tool call is written into the text", change=write_calls,
              concerns=_has_field("tools")),
    WireFault("call_encoded_twice", "the arguments of a tool call are encoded twice",
              change=encode_arguments, concerns=_has_field("tools")),
    WireFault("call_prefixed", "the name of a tool gets the prefix 'functions.'",
              change=prefix_names, concerns=_has_field("tools")),
    # Tokens
    WireFault("usage_missing", "the tokens are not counted",
              change=count(lambda usage: None)),
    WireFault("usage_zero", "all counts of tokens are zero",
              change=count(lambda usage: dict.fromkeys(usage, 0))),
    WireFault("usage_total", "only the total of tokens is counted",
              change=count(lambda usage: {"total_tokens": usage["total_tokens"]})),
    WireFault("usage_thinking",
              "the total has 100 tokens of thinking, which the count of the answer lacks",
              change=count(lambda usage: {
                  **usage, "total_tokens": usage["total_tokens"] + THOUGHTS})),
)  # fmt: skip
