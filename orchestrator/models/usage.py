"""The tokens of a call: what an endpoint counted in its own way, or else an estimate.

Endpoints differ in the names of their counts, in whether thinking is part of the answer's tokens,
and in how far the counts can be believed. A count that cannot be right is estimated instead, so
that a budget is always reached and a cost is never negative.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from cookmas.orchestrator.models.bodies import find_fields
from cookmas.orchestrator.models.message import Request, ToolCall, Usage, estimate_tokens

USAGE = ("usage", "usage_metadata", "usageMetadata", "token_usage")
"""Names of the object with the counts."""

PROMPT = ("prompt_tokens", "input_tokens", "prompt_token_count")
"""Names of the tokens of a request. These names also stand for `inputTokens` and the like."""

COMPLETION = ("completion_tokens", "output_tokens", "candidates_token_count")
"""Names of the tokens of an answer."""

TOTAL = ("total_tokens", "total_token_count")
"""Names of the tokens of a request and its answer together."""

CACHED = (
    "prompt_tokens_details.cached_tokens",  # OpenAI
    "input_tokens_details.cached_tokens",  # OpenAI, Responses API
    "input_token_details.cache_read",  # LangChain
    "prompt_cache_hit_tokens",  # DeepSeek
    "cached_tokens",  # Moonshot
    "cache_read_input_tokens",  # Anthropic behind gateways
)
"""Names of the tokens of a request that came from a cache."""

REASONING = (
    "completion_tokens_details.reasoning_tokens",  # OpenAI, xAI
    "output_tokens_details.reasoning_tokens",  # OpenAI, Responses API
    "output_token_details.reasoning",  # LangChain
    "reasoning_tokens",  # SGLang, Perplexity
)
"""Names of the tokens of an answer that are thinking."""

MOST = 10**9
"""Greatest number of tokens of one call that is believed."""

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""The place inside a name such as `inputTokens` at which another word begins."""


def find_usage(body: Any) -> Mapping[str, Any]:
    """Return the counts of tokens in the body of a response, wherever they stand."""
    found = [each for each in find_fields(body, USAGE) if isinstance(each, Mapping)]
    counted = (each for each in found if _first(each, (*PROMPT, *COMPLETION, *TOTAL)))
    return next(counted, {})


def estimate_usage(request: Request, text: str, calls: tuple[ToolCall, ...] = ()) -> Usage:
    """Return an estimate of the tokens of a call, for endpoints that do not count them."""
    asked = "".join(message.content for message in request.messages)
    wished = "".join(call.name + call.arguments for call in calls)
    return Usage(
        prompt=estimate_tokens(asked), completion=estimate_tokens(text + wished), estimated=True
    )


def read_usage(
    counted: Any, request: Request, text: str, calls: tuple[ToolCall, ...] = ()
) -> Usage:
    """Return the tokens of a call, from the counts of its endpoint as far as they can be right.

    Cached tokens that exceed the request's were counted beside it, and are added to it. A total
    alone is divided between request and answer. Thinking that stands outside the answer's
    tokens is added to them, whether it has a count of its own (xAI) or only the total has it
    (Gemini). A missing or impossible count is estimated, and the usage says
    so; so is a zero for a text that is not empty.
    """
    estimate = estimate_usage(request, text, calls)
    counts = counted if isinstance(counted, Mapping) else {}
    prompt, completion = _first(counts, PROMPT), _first(counts, COMPLETION)
    total, reasoning = _first(counts, TOTAL) or 0, _first(counts, REASONING) or 0
    only_total = prompt is None and completion is None
    if not prompt and total > (completion or 0) > 0:
        prompt = total - (completion or 0)
    if completion is None and total:
        prompt = prompt or min(estimate.prompt, total)
        completion = max(total - prompt, 0)
    if prompt and completion:
        outside = max(total - prompt - completion, reasoning if reasoning > completion else 0)
        completion, reasoning = completion + outside, max(reasoning, outside)
    unsure = not prompt or completion is None or (completion == 0 and estimate.completion > 0)
    cached = _first(counts, CACHED) or 0
    prompt = prompt or estimate.prompt
    prompt += cached if cached > prompt else 0
    completion = completion or estimate.completion
    return Usage(
        prompt=prompt,
        completion=completion,
        cached=cached,
        reasoning=min(reasoning, completion),
        estimated=unsure or only_total,
    )


def is_silent(counted: Any) -> bool:
    """Return whether an endpoint says or leaves open that its model wrote no token at all."""
    counts = counted if isinstance(counted, Mapping) else {}
    return not _first(counts, COMPLETION) and not _first(counts, REASONING)


def _first(counts: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    """Return the first count that is there and not zero, or else zero if one is zero."""
    found = [value for name in names if (value := _count(_at(counts, name))) is not None]
    return next(filter(None, found), 0) if found else None


def _at(counts: Mapping[str, Any], name: str) -> Any:
    value: Any = counts
    for part in name.split("."):
        inner = value if isinstance(value, Mapping) else {}
        value = {_HUMP.sub("_", each).lower(): count for each, count in inner.items()}.get(part)
    return value


def _count(value: Any) -> int | None:
    """Return a number of tokens, also one in a text; None if it is missing or impossible."""
    try:
        number = float(value) if not isinstance(value, bool) else math.nan
    except (TypeError, ValueError, OverflowError):
        return None
    return round(number) if 0 <= number <= MOST else None
