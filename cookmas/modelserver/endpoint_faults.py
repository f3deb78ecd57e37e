"""Faults of endpoints: what real endpoints and gateways do to a request or an answer.

This is data. A fault puts a response in place of the answer, or changes the answer. It strikes only
the requests that it concerns, such as those with a schema.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from time import time
from typing import Any

from cookmas.modelserver import distortions as distort
from cookmas.modelserver import reactions

Body = Mapping[str, Any]

MOVED = "/v1/moved/chat/completions"
"""Another path at which the server takes requests."""


def _is_any(body: Body) -> bool:
    return True


def _has_schema(body: Body) -> bool:
    return bool(body.get("response_format"))


def _has_system(body: Body) -> bool:
    return any(message.get("role") == "system" for message in body["messages"])


def _is_whole(body: Body) -> bool:
    return not body.get("stream")


def _has_field(name: str) -> Callable[[Body], bool]:
    """Return the test whether a request has a field that is not empty."""
    return lambda body: bool(body.get(name))


def _has_word(word: str) -> Callable[[Body], bool]:
    """Return the test whether the schemas of a request have a keyword."""
    return lambda body: f'"{word}"' in json.dumps([body.get("response_format"), body.get("tools")])


@dataclass(frozen=True, slots=True, kw_only=True)
class WireFault:
    """A fault of an endpoint."""

    name: str
    """Name in `--fault`."""
    about: str
    """The effect, in a few words."""
    respond: Callable[[float], reactions.Reaction] | None = None
    """Makes the response in place of the answer; its argument is the wait in seconds."""
    change: distort.Change | None = None
    """Returns the changed answer."""
    concerns: Callable[[Body], bool] = _is_any
    """Returns whether the fault can strike a request, by its body."""
    passes: bool = False
    """True if the fault is drawn again for each attempt, so that another one may succeed."""


ENDPOINT_FAULTS = (
    # Status 200, and yet the endpoint failed
    WireFault(
        name="finish_error",
        about="an empty answer with finish_reason 'error', and an error beside it",
        change=distort.fail("error", {"code": 502, "message": "Upstream is gone."}),
        passes=True,
    ),
    WireFault(
        name="finish_abort",
        about="half of an answer with finish_reason 'abort'",
        change=distort.end("abort", share=0.5),
        passes=True,
    ),
    WireFault(
        name="finish_network_error",
        about="an empty answer with finish_reason 'network_error'",
        change=distort.end("network_error", share=0.0),
        passes=True,
    ),
    WireFault(
        name="finish_no_resource",
        about="an empty answer with finish_reason 'insufficient_system_resource'",
        change=distort.end("insufficient_system_resource", share=0.0),
        passes=True,
    ),
    WireFault(
        name="error_in_body",
        about="status 200 with an error instead of an answer",
        respond=reactions.error(200, "The provider returned an error.", 502, "server_error"),
        passes=True,
    ),
    WireFault(
        name="error_in_choice",
        about="a whole answer with an error in its choice",
        change=distort.fail(None, {"code": 502, "message": "Upstream is gone."}),
        passes=True,
    ),
    WireFault(
        name="no_choices",
        about="status 200 without any choice",
        change=distort.drop_choices,
        passes=True,
    ),
    WireFault(
        name="empty_answer",
        about="an empty text with no tokens",
        change=distort.empty,
        passes=True,
    ),
    WireFault(
        name="html_page",
        about="status 502 with a page of HTML",
        respond=reactions.react(
            502, "<html><title>502 Bad Gateway</title><body>nginx</body></html>"
        ),
        passes=True,
    ),
    WireFault(
        name="key_in_body",
        about="status 200 with an error 401 about the key",
        respond=reactions.error(200, "No auth credentials found", 401),
    ),
    WireFault(
        name="quota",
        about="429 because the quota is spent, which no wait mends",
        respond=reactions.error(429, "You exceeded your current quota.", "insufficient_quota"),
    ),
    # The prompt, the filter, the end of the answer
    WireFault(
        name="too_long_413",
        about="413 because the prompt is too long",
        respond=reactions.react(413, {"detail": "The prompt has too many tokens"}),
    ),
    WireFault(
        name="too_long_code",
        about="400 with the code context_length_exceeded",
        respond=reactions.error(400, "Your input has too many parts.", "context_length_exceeded"),
    ),
    WireFault(
        name="too_long_words",
        about="400 whose words alone say that the prompt is too long",
        respond=reactions.error(400, "prompt is too long: 250000 tokens > 200000 maximum"),
    ),
    WireFault(
        name="filter_finish",
        about="no text, with finish_reason 'content_filter'",
        change=distort.end("content_filter", share=0.0),
    ),
    WireFault(
        name="filter_code",
        about="400 with the code content_filter",
        respond=reactions.error(400, "The response was filtered.", "content_filter"),
    ),
    WireFault(
        name="filter_words",
        about="400 whose words alone say that a filter refused the prompt",
        respond=reactions.error(400, "Content Exists Risk"),
    ),
    WireFault(
        name="cut_off_word",
        about="half of an answer with finish_reason 'MAX_TOKENS'",
        change=distort.end("MAX_TOKENS", share=0.5),
    ),
    WireFault(
        name="cut_off_thinking",
        about="no text, with finish_reason 'length': all tokens are thinking",
        change=distort.cut_off_thinking,
    ),
    # Waiting
    WireFault(
        name="loading_seconds",
        about="503 while the model loads, with the wait in seconds",
        respond=reactions.loading("retry-after", lambda wait: f"{wait:g}"),
        passes=True,
    ),
    WireFault(
        name="loading_milliseconds",
        about="503 while the model loads, with retry-after-ms",
        respond=reactions.loading("retry-after-ms", lambda wait: f"{1000 * wait:.0f}"),
        passes=True,
    ),
    WireFault(
        name="loading_date",
        about="503 while the model loads, with a date",
        respond=reactions.loading(
            "retry-after", lambda wait: formatdate(time() + wait, usegmt=True)
        ),
        passes=True,
    ),
    WireFault(
        name="loading_body",
        about="503 while the model loads, with the wait in the body",
        respond=reactions.in_body(
            503, lambda wait: {"error": "Model is loading", "estimated_time": round(wait, 3)}
        ),
        passes=True,
    ),
    WireFault(
        name="busy_body",
        about="429 in a list, with the wait in the body",
        respond=reactions.in_body(
            429,
            lambda wait: [
                {
                    "error": {
                        "code": 429,
                        "message": "Resource has been exhausted.",
                        "status": "RESOURCE_EXHAUSTED",
                        "details": [{"retryDelay": f"{wait:g}s"}],
                    }
                }
            ],
        ),
        passes=True,
    ),
    WireFault(
        name="busy_nonsense",
        about="429 with the header 'retry-after: nan'",
        respond=reactions.react(429, {"error": "Too many requests"}, retry_after="nan"),
        passes=True,
    ),
    # What an endpoint does not take
    WireFault(
        name="schema_400",
        about="400 for a schema",
        respond=reactions.error(400, "response_format json_schema is not supported"),
        concerns=_has_schema,
    ),
    WireFault(
        name="schema_422",
        about="422 for a schema, in a list of details",
        respond=reactions.react(
            422, {"detail": [{"loc": ["body", "response_format"], "msg": "Extra inputs"}]}
        ),
        concerns=_has_schema,
    ),
    WireFault(
        name="schema_500",
        about="500 for a schema",
        respond=reactions.error(500, "failed to parse grammar", None, "server_error"),
        concerns=_has_schema,
    ),
    WireFault(
        name="keyword_refused",
        about="400 for the keyword additionalProperties in a schema",
        respond=reactions.error(400, "Unknown name 'additionalProperties': Cannot find field."),
        concerns=_has_word("additionalProperties"),
    ),
    WireFault(
        name="strict_refused",
        about="400 for 'strict' beside a schema",
        respond=reactions.error(400, "unknown field: strict"),
        concerns=_has_word("strict"),
    ),
    WireFault(
        name="newer_limit",
        about="400 for max_tokens: max_completion_tokens is wanted",
        respond=reactions.error(400, "Unsupported parameter: use 'max_completion_tokens' instead."),
        concerns=_has_field("max_tokens"),
    ),
    WireFault(
        name="system_refused",
        about="400 for a message of the role system",
        respond=reactions.error(400, "System role not supported"),
        concerns=_has_system,
    ),
    WireFault(
        name="streaming_only",
        about="400 for a request that does not stream",
        respond=reactions.error(400, "This model only supports streaming."),
        concerns=_is_whole,
    ),
    WireFault(
        name="tools_refused",
        about="400 for tools",
        respond=reactions.error(400, "the model does not support tools"),
        concerns=_has_field("tools"),
    ),
    WireFault(
        name="redirect",
        about="307 to another path of the server",
        respond=reactions.react(307, "", location=MOVED),
    ),
    WireFault(
        name="redirect_host",
        about="308 to another host",
        respond=reactions.react(308, "", location="https://elsewhere.invalid/v1/chat/completions"),
    ),
    # JSON as models write it
    WireFault(
        name="trailing_comma",
        about="a comma before the last bracket",
        change=distort.rewrite(distort.add_comma),
    ),
    WireFault(
        name="comment",
        about="a comment in the JSON",
        change=distort.rewrite(distort.add_comment),
    ),
    WireFault(
        name="python_literal",
        about="a Python literal instead of JSON",
        change=distort.rewrite(distort.write_python),
    ),
    WireFault(
        name="raw_line_break",
        about="a raw line break inside a text of the JSON",
        change=distort.rewrite(distort.add_line_break),
    ),
    WireFault(
        name="missing_brace",
        about="the last bracket is missing",
        change=distort.rewrite(distort.drop_last),
    ),
    WireFault(
        name="numbers_as_text",
        about="numbers are written as texts",
        change=distort.rewrite(distort.quote_numbers),
    ),
    WireFault(
        name="wrapper",
        about="the answer is inside another object",
        change=distort.rewrite(distort.wrap),
    ),
    WireFault(
        name="json_in_text",
        about="the JSON is encoded as a text of JSON",
        change=distort.rewrite(json.dumps),
    ),
    WireFault(
        name="thoughts_before",
        about="thoughts with a draft stand before the answer",
        change=distort.rewrite(distort.think_before),
    ),
    WireFault(
        name="thoughts_after",
        about="thoughts stand after the answer",
        change=distort.rewrite(distort.think_after),
    ),
    # The place of the answer
    WireFault(
        name="in_reasoning",
        about="the answer is in reasoning_content, and the content is null",
        change=distort.move_to_reasoning,
    ),
    WireFault(
        name="in_tool",
        about="the answer is a call of a tool json_tool_call",
        change=distort.move_to_tool,
    ),
    WireFault(
        name="call_as_text",
        about="a tool call is written into the text",
        change=distort.write_calls,
        concerns=_has_field("tools"),
    ),
    WireFault(
        name="call_encoded_twice",
        about="the arguments of a tool call are encoded twice",
        change=distort.encode_arguments,
        concerns=_has_field("tools"),
    ),
    WireFault(
        name="call_prefixed",
        about="the name of a tool gets the prefix 'functions.'",
        change=distort.prefix_names,
        concerns=_has_field("tools"),
    ),
    # Tokens
    WireFault(
        name="usage_missing",
        about="the tokens are not counted",
        change=distort.count(lambda usage: None),
    ),
    WireFault(
        name="usage_zero",
        about="all counts of tokens are zero",
        change=distort.count(lambda usage: dict.fromkeys(usage, 0)),
    ),
    WireFault(
        name="usage_total",
        about="only the total of tokens is counted",
        change=distort.count(lambda usage: {"total_tokens": usage["total_tokens"]}),
    ),
    WireFault(
        name="usage_thinking",
        about="the total has 100 tokens of thinking, which the count of the answer lacks",
        change=distort.count(
            lambda usage: {**usage, "total_tokens": usage["total_tokens"] + distort.THOUGHTS}
        ),
    ),
)
"""Every fault of an endpoint."""
