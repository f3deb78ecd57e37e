"""The outcome of a call: the model's answer, or a fault that the model has not caused.

Every response of every kind of client passes through `judge`, the only place that decides. Models
and gateways put the answer into other places than the field `content`. `Reply.answer` looks for it
there, and names the place; what a model wrote is not vetted here. What a response without an answer
means is in `faults.py`.

Endpoints differ in the names of their counts of tokens, in whether thinking is part of the
answer's, and in how far the counts can be believed. A count that cannot be right is estimated
instead, so that a budget is always reached and a cost is never negative.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cookmas.orchestrator.models.dialect import (
    HUMP,
    as_json,
    as_mapping,
    find_fields,
    parse,
    read_number,
    read_text,
)
from cookmas.orchestrator.models.faults import EndpointFault, Response, judge_error, reading
from cookmas.orchestrator.models.message import (
    ModelAnswer,
    Request,
    ToolCall,
    Usage,
    estimate_usage,
)
from cookmas.orchestrator.models.providers import (
    FINISH_REASONS,
    THOUGHT_TEXTS,
    THOUGHTS,
    Outcome,
)

_FINISHED: dict[str, Outcome] = {each.text: each.means for each in FINISH_REASONS}
_TEXT_CALL = re.compile(
    r"<tool_call>\s*(?P<hermes>\{.*?\})\s*</tool_call>"
    r"|(?:<tool_call>\s*)?<function=(?P<name>[\w.-]+)>(?P<arguments>.*?)</function>"
    r"(?:\s*</tool_call>)?"
    r"|<tool_call>\s*(?P<glm>[\w.-]+)\s*(?P<pairs>(?:<arg_key>.*?</arg_value>\s*)+)</tool_call>"
    r"|\[TOOL_CALLS\]\s*(?P<mistral>\[.*\])"
    r"|<\|python_tag\|>\s*(?P<llama>\{.*\})"
    r"|to=(?P<harmony>[\w.-]+)[^{]*?<\|message\|>\s*(?P<data>\{.*?\})\s*(?:<\|call\|>|$)",
    re.DOTALL,
)
"""A tool call that a model wrote into its text, as Hermes, Qwen, GLM, Llama, Mistral or gpt-oss do
it."""

_PARAMETER = re.compile(
    r"<parameter=([\w.-]+)>\s*(.*?)\s*</parameter>"
    r"|<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>\s*(.*?)\s*</arg_value>",
    re.DOTALL,
)
_KNOWN = ("role", "content", "refusal", "tool_calls", "function_call", "name", "id", *THOUGHTS)
"""The fields of a message whose meaning is known."""

_FIRST_NAME = re.compile(r"\s*\{\s*[\"'](\w+)[\"']\s*:")
"""The begin of an object, with its first name."""

_NAME = re.compile(r"(?:[\w-]+[.:/])*(?P<name>[\w-]+?)(?::\d+)?")
_MADE_ID = "call{:05}"
"""Form of an identifier that CookMAS makes: nine letters and digits, as Mistral wants them."""


def judge(response: Response, request: Request, model: str) -> ModelAnswer:
    """Return the model's answer in a response to `request`; `model` is the requested name.

    An answer may be a refusal, say that the prompt is too long, or be the words of an endpoint that
    could not read the model's tool call. Raise EndpointFault if the response shows a failure that
    the model has not caused.
    """
    with reading():
        replies = list(read_replies(response.body)) if response.status < 300 else []
        if replies:
            return _judge_replies(replies, response.body, request, model)
        return judge_error(response, request, model)


def _judge_replies(
    replies: Sequence[Reply], body: Mapping[str, Any], request: Request, model: str
) -> ModelAnswer:
    """Return the answer in the first choice that has one. Raise EndpointFault if it is broken."""
    reply = next((each for each in replies if each.is_whole), replies[0])
    means = _finish(reply.finish_reason)
    if means == "passing" or reply.error or body.get("error"):
        said = reply.error or body.get("error") or f"the answer ended with {reply.finish_reason!r}"
        return judge_error(Response(body=said), request, model)
    text, calls, found = reply.answer(request, cut_off=means == "length")
    refusal = reply.refusal or None
    if means == "refusal":
        refusal = refusal or "the endpoint's content filter withheld the answer"
    usage = _find_usage(body)
    if not (text or calls or refusal or means in ("length", "unreadable_call")):
        if reply.unknown:
            words = f"the answer is empty, but its unknown field {reply.unknown!r} has a text"
            raise EndpointFault("lasting", words)
        if is_silent(usage):
            raise EndpointFault("passing", "the answer is empty and has no tokens")
    reason = means or reply.finish_reason
    if calls and reason in ("", "stop"):
        reason = "tool_calls"
    return ModelAnswer(
        text=text,
        tool_calls=calls,
        finish_reason="refusal" if refusal else reason or "stop",
        refusal=refusal,
        model=read_text(body.get("model")) or model,
        usage=read_usage(usage, request, text + reply.thoughts, calls),
        extra=reply.kept,
        lenient=found,
    )


def _finish(reason: str) -> Outcome | None:
    """Return what a finish reason means, also one of several parts; None if it is unknown."""
    parts = [reason.lower(), *reversed(re.split(r"[:/,]\s*", reason.lower()))]
    return next((_FINISHED[part] for part in parts if part in _FINISHED), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One choice of a chat completion."""

    content: str
    thoughts: str
    """Text of the model's thinking, if the endpoint gives it apart from the answer."""
    calls: tuple[ToolCall, ...]
    """Tool calls, with the names and identifiers that the endpoint gave."""
    refusal: str
    finish_reason: str
    """Why the answer ended, in the endpoint's words."""
    kept: dict[str, Any]
    """The fields that the endpoint may want back (`THOUGHTS`)."""
    unknown: str
    """Name of an unknown field of the message that has a text; empty if there is none."""
    error: Any

    @property
    def is_whole(self) -> bool:
        """True if the choice has an answer, and the tool calls that its finish reason promises."""
        promised = self.finish_reason in ("tool_calls", "function_call")
        return bool(self.calls or (self.content and not promised))

    def answer(
        self, request: Request, *, cut_off: bool
    ) -> tuple[str, tuple[ToolCall, ...], tuple[str, ...]]:
        """Return the text, the tool calls, and the kinds of place where they were found.

        An answer in its usual place has no kind.
        """
        known = {tool.name for tool in request.tools}
        text, calls, kinds = self.content, list(self.calls), []
        if known and not calls:
            text, calls = _calls_in(text, known)
            kinds += ["call_in_text"] if calls else []
        for number, call in enumerate(calls):
            name, arguments = _strip_prefix(call.name, known), _decode_twice(call.arguments)
            kinds += ["prefixed_name"] if name != call.name else []
            kinds += ["encoded_twice"] if arguments != call.arguments else []
            calls[number] = call.model_copy(update={"name": name, "arguments": arguments})
        structured = [call for call in calls if _is_answer(call, request)]
        if structured and not text.strip():
            text, calls = structured[-1].arguments, []
            kinds.append("structured_tool")
        if self.thoughts and not (text.strip() or calls or cut_off):
            text = self.thoughts
            kinds.append("in_thoughts")
        return text, _with_ids(calls, request), tuple(kinds)


def read_replies(body: Any) -> Iterator[Reply]:
    """Yield the choices in the body of a response; none if it is not a chat completion."""
    choices = as_mapping(body).get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping):
            yield _read_choice(choice)


def _read_choice(choice: Mapping[str, Any]) -> Reply:
    message = as_mapping(choice.get("message"))
    called = message.get("tool_calls")
    called = [c for c in called if isinstance(c, Mapping)] if isinstance(called, list) else []
    if not called and isinstance(function := message.get("function_call"), Mapping):
        called = [{"function": function}]
    thoughts = (read_text(message.get(name)) for name in THOUGHT_TEXTS)
    texts = (name for name, x in message.items() if isinstance(x, str) and x.strip())
    return Reply(
        content=read_text(message.get("content")),
        thoughts=next(filter(None, thoughts), ""),
        calls=tuple(map(_read_call, called)),
        refusal=read_text(message.get("refusal")),
        finish_reason=read_text(choice.get("finish_reason")),
        kept=_keep_fields(message),
        unknown=next((name for name in texts if name not in _KNOWN), ""),
        error=choice.get("error") or None,
    )


def _read_call(call: Mapping[str, Any]) -> ToolCall:
    function = as_mapping(call.get("function"))
    return ToolCall(
        id=read_text(call.get("id")),
        name=read_text(function.get("name")),
        arguments=as_json(function.get("arguments", "{}")),
        extra=_keep_fields(call),
    )


def _keep_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in THOUGHTS if data.get(name)}


def _calls_in(text: str, known: set[str]) -> tuple[str, list[ToolCall]]:
    """Return a text without the calls of known tools that are written into it, and these calls."""
    calls: list[ToolCall] = []
    for match in _TEXT_CALL.finditer(text):
        for name, arguments in _parse_call(match):
            if _strip_prefix(name, known) in known:
                calls.append(ToolCall(id="", name=name, arguments=arguments))
    return (_TEXT_CALL.sub("", text).strip() if calls else text), calls


def _parse_call(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    if name := match["name"] or match["glm"]:
        written = match["arguments"] or match["pairs"]
        pairs = [(a or c, b or d) for a, b, c, d in _PARAMETER.findall(written)]
        yield name, json.dumps(dict(pairs)) if pairs else written.strip() or "{}"
        return
    if match["harmony"]:
        yield match["harmony"], match["data"]
        return
    data = parse(match["hermes"] or match["mistral"] or match["llama"])
    for call in data if isinstance(data, list) else [data]:
        if isinstance(call, Mapping) and isinstance(call.get("name"), str):
            yield call["name"], as_json(call.get("arguments", call.get("parameters", {})))


def _strip_prefix(name: str, known: set[str]) -> str:
    """Return the name of a known tool without a prefix such as `functions.`."""
    match = _NAME.fullmatch(name)
    return match["name"] if match and name not in known and match["name"] in known else name


def _decode_twice(arguments: str) -> str:
    """Return the arguments of a tool call; decode a JSON object that was encoded twice."""
    inner = parse(arguments)
    return inner if isinstance(inner, str) and isinstance(parse(inner), dict) else arguments


def _is_answer(call: ToolCall, request: Request) -> bool:
    """Return whether a tool call is the answer: gateways turn a schema into a tool of any name.

    Beside tools, its arguments begin with a field of the schema.
    """
    first = _FIRST_NAME.match(call.arguments)
    if not (first and request.schema) or any(call.name == tool.name for tool in request.tools):
        return False
    return not request.tools or first[1] in request.schema.schema.get("properties", {})


def _with_ids(calls: Sequence[ToolCall], request: Request) -> tuple[ToolCall, ...]:
    """Return tool calls with identifiers that differ from all others of the conversation.

    The model's own identifiers stay, as far as they do differ.
    """
    taken = {call.id for message in request.messages for call in message.tool_calls} | {""}
    made: list[ToolCall] = []
    for call in calls:
        if call.id in taken:
            call = call.model_copy(update={"id": _MADE_ID.format(len(taken))})
        taken.add(call.id)
        made.append(call)
    return tuple(made)


# The tokens of a call: what an endpoint counted in its own way, or else an estimate

MOST_TOKENS = 10**9
"""Greatest number of tokens of one call that is believed."""

_USAGE = ("usage", "usage_metadata", "usageMetadata", "token_usage")
"""Names of the object with the counts."""

_PROMPT = ("prompt_tokens", "input_tokens", "prompt_token_count")
"""Names of the tokens of a request. These names also stand for `inputTokens` and the like."""

_COMPLETION = ("completion_tokens", "output_tokens", "candidates_token_count")
_TOTAL = ("total_tokens", "total_token_count")
_CACHED = (
    "prompt_tokens_details.cached_tokens",  # OpenAI
    "input_tokens_details.cached_tokens",  # OpenAI, Responses API
    "input_token_details.cache_read",  # LangChain
    "prompt_cache_hit_tokens",  # DeepSeek
    "cached_tokens",  # Moonshot
    "cache_read_input_tokens",  # Anthropic behind gateways
)
_REASONING = (
    "completion_tokens_details.reasoning_tokens",  # OpenAI, xAI
    "output_tokens_details.reasoning_tokens",  # OpenAI, Responses API
    "output_token_details.reasoning",  # LangChain
    "reasoning_tokens",  # SGLang, Perplexity
)
"""Names of the tokens of an answer that are thinking."""


def _find_usage(body: Any) -> Mapping[str, Any]:
    found = [each for each in find_fields(body, _USAGE) if isinstance(each, Mapping)]
    counted = (each for each in found if _first(each, (*_PROMPT, *_COMPLETION, *_TOTAL)))
    return next(counted, {})


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
    estimate, counts = estimate_usage(request, text, calls), as_mapping(counted)
    prompt, completion = _first(counts, _PROMPT), _first(counts, _COMPLETION)
    total, reasoning = _first(counts, _TOTAL) or 0, _first(counts, _REASONING) or 0
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
    cached = _first(counts, _CACHED) or 0
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
    counts = as_mapping(counted)
    return not _first(counts, _COMPLETION) and not _first(counts, _REASONING)


def _first(counts: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    """Return the first count that is there and not zero, or else zero if one is zero."""
    found = [value for name in names if (value := _count(_at(counts, name))) is not None]
    return next(filter(None, found), 0) if found else None


def _at(counts: Mapping[str, Any], name: str) -> Any:
    value: Any = counts
    for part in name.split("."):
        inner = as_mapping(value)
        value = {HUMP.sub("_", each).lower(): count for each, count in inner.items()}.get(part)
    return value


def _count(value: Any) -> int | None:
    """Return a number of tokens, also one in a text; None if it is missing or impossible."""
    number = read_number(value)
    return round(number) if number is not None and 0 <= number <= MOST_TOKENS else None
