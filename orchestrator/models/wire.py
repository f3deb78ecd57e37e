"""The chat-completions format: conversion of requests to JSON, and of responses to answers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, NonNegativeInt, ValidationError

from cookmas.orchestrator.models.message import (
    Message,
    ModelAnswer,
    Request,
    ToolCall,
    Usage,
    estimate_tokens,
)

REFUSED = "content_filter"

BOUND = "maxLength"
"""The schema keyword that limits the length of a text; some endpoints do not accept it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The optional features that an endpoint supports; most endpoints support all."""

    structured: bool = True
    """True if the endpoint accepts a schema for the answer."""
    bounded: bool = True
    """True if the endpoint accepts the keyword `BOUND` in a schema."""
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Name of the parameter that limits the tokens of an answer."""

    def simplify(self, request: Request, complaint: str) -> Dialect | None:
        """Return the dialect to try next, after an endpoint rejected a request in this dialect.

        `complaint` is the endpoint's message. Return None if no simpler dialect is left.
        """
        newer = "max_completion_tokens"
        if request.max_tokens is not None and self.limit != newer and newer in complaint:
            return replace(self, limit="max_completion_tokens")
        if request.schema and self.bounded and BOUND in complaint:
            return replace(self, bounded=False)
        if request.schema and self.structured:
            return replace(self, structured=False)
        return None


def to_wire(request: Request, dialect: Dialect) -> dict[str, Any]:
    """Return the JSON body of a request, without the model's name."""
    body: dict[str, Any] = {"messages": [_message(message) for message in request.messages]}
    if request.schema and dialect.structured:
        schema = request.schema.schema
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": request.schema.name,
                "schema": schema if dialect.bounded else _remove_bounds(schema),
                "strict": True,
            },
        }
    if request.tools:
        body["tools"] = tools_to_wire(request)
    return body | sampling_parameters(request, dialect.limit)


def _remove_bounds(schema: Any) -> Any:
    """Return the schema without limits on the length of texts."""
    if isinstance(schema, Mapping):
        return {name: _remove_bounds(part) for name, part in schema.items() if name != BOUND}
    return [_remove_bounds(part) for part in schema] if isinstance(schema, list) else schema


def tools_to_wire(request: Request) -> list[dict[str, Any]]:
    """Return the specifications of a request's tools."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in request.tools
    ]


def sampling_parameters(request: Request, limit: str = "max_tokens") -> dict[str, Any]:
    """Return the sampling parameters that a request sets."""
    given = {"temperature": request.temperature, limit: request.max_tokens, "seed": request.seed}
    return {name: value for name, value in given.items() if value is not None}


def _message(message: Message) -> dict[str, Any]:
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        body["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _json(call.arguments)},
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        body["tool_call_id"] = message.tool_call_id
    return body


def _json(arguments: str) -> str:
    """Return the arguments of a tool call if they are a JSON object, else an empty object.

    Endpoints reject any other arguments in the messages of a request.
    """
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _arguments(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _text(value: Any) -> Any:
    """Return the text of a value that may be text, a list of parts, or null."""
    if isinstance(value, list):
        parts = [part.get("text") for part in value if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return "" if value is None else value


def _read_written(value: Any) -> str:
    """Return a text that a model wrote; return any other value in its place as JSON."""
    text = _text(value)
    return text if isinstance(text, str) else json.dumps(text)


def _mapping(value: Any) -> Any:
    return value if isinstance(value, Mapping) else {}


def _sequence(value: Any) -> Any:
    return value if isinstance(value, list) else []


Written = Annotated[str, BeforeValidator(_read_written)]


class _Function(BaseModel):
    name: Written = ""
    arguments: Annotated[str, BeforeValidator(_arguments)] = "{}"


class _ToolCall(BaseModel):
    id: Written = ""
    function: Annotated[_Function, BeforeValidator(_mapping)] = _Function()


class _Reply(BaseModel):
    content: Written = ""
    refusal: Written = ""
    tool_calls: Annotated[
        list[Annotated[_ToolCall, BeforeValidator(_mapping)]], BeforeValidator(_sequence)
    ] = Field(default_factory=list)


class _Choice(BaseModel):
    """One choice of a completion, read leniently: the model causes its faults, not the endpoint."""

    message: Annotated[_Reply, BeforeValidator(_mapping)] = _Reply()
    finish_reason: Written = ""


class _PromptDetails(BaseModel):
    cached_tokens: NonNegativeInt | None = None


class _CompletionDetails(BaseModel):
    reasoning_tokens: NonNegativeInt | None = None


class _Usage(BaseModel):
    prompt_tokens: NonNegativeInt
    completion_tokens: NonNegativeInt
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None


class _Completion(BaseModel):
    model: Written = ""
    choices: list[_Choice] = Field(min_length=1)
    usage: Any = None


def from_wire(body: Any, request: Request, model: str) -> ModelAnswer:
    """Return the answer in the JSON body of a response. Raise ValueError if the body has none."""
    completion = _Completion.model_validate(body)
    choice = completion.choices[0]
    reply = choice.message
    calls = tuple(
        ToolCall(id=call.id, name=call.function.name, arguments=call.function.arguments)
        for call in reply.tool_calls
    )
    reason, refusal = choice.finish_reason or "stop", reply.refusal or None
    if reason == REFUSED:
        refusal = refusal or "the endpoint's content filter withheld the answer"
    return ModelAnswer(
        text=reply.content,
        tool_calls=calls,
        finish_reason="refusal" if refusal else reason,
        refusal=refusal,
        model=completion.model or model,
        usage=_read_usage(completion.usage) or estimate_usage(request, reply.content, calls),
    )


def _read_usage(usage: Any) -> Usage | None:
    """Return the tokens that the endpoint counted; None if it did not count."""
    try:
        counted = _Usage.model_validate(usage)
    except ValidationError:
        return None
    before, after = counted.prompt_tokens_details, counted.completion_tokens_details
    return Usage(
        prompt=counted.prompt_tokens,
        completion=counted.completion_tokens,
        cached=(before and before.cached_tokens) or 0,
        reasoning=(after and after.reasoning_tokens) or 0,
    )


def estimate_usage(request: Request, text: str, calls: tuple[ToolCall, ...] = ()) -> Usage:
    """Return an estimate of the tokens of a call, for endpoints that do not count them."""
    asked = "".join(message.content for message in request.messages)
    wished = "".join(call.name + call.arguments for call in calls)
    return Usage(
        prompt=estimate_tokens(asked), completion=estimate_tokens(text + wished), estimated=True
    )
