"""The chat-completions format of requests: conversion to JSON, in the dialect of an endpoint."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from cookmas.orchestrator.models.dialect import Dialect
from cookmas.orchestrator.models.keywords import omit_keywords
from cookmas.orchestrator.models.message import Message, Request, ToolCall


def to_wire(request: Request, dialect: Dialect) -> dict[str, Any]:
    """Return the JSON body of a request, without the model's name."""
    messages = request.messages if dialect.system else _without_system(request.messages)
    body: dict[str, Any] = {"messages": [_message(each, dialect) for each in messages]}
    if request.schema and dialect.structured:
        schema = omit_keywords(request.schema.schema, dialect.unknown)
        named = {"name": request.schema.name, "schema": schema}
        strict = {"strict": True} if dialect.strict else {}
        body["response_format"] = {"type": "json_schema", "json_schema": named | strict}
    if request.tools:
        body["tools"] = tools_to_wire(request, dialect.unknown)
    if dialect.streaming:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return body | sampling_parameters(request, dialect.limit)


def _without_system(messages: Sequence[Message]) -> list[Message]:
    """Return messages with the text of the system's messages in front of the user's first one."""
    system = [message.content for message in messages if message.role == "system"]
    others = [message for message in messages if message.role != "system"]
    first = next((at for at, message in enumerate(others) if message.role == "user"), None)
    if first is None:
        return [Message(role="user", content="\n\n".join(system)), *others]
    content = "\n\n".join([*system, others[first].content])
    others[first] = others[first].model_copy(update={"content": content})
    return others


def tools_to_wire(request: Request, unknown: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the specifications of a request's tools, without unknown keywords of schemas."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": omit_keywords(tool.parameters, unknown),
            },
        }
        for tool in request.tools
    ]


def sampling_parameters(request: Request, limit: str = "max_tokens") -> dict[str, Any]:
    """Return the sampling parameters that a request sets."""
    given = {"temperature": request.temperature, limit: request.max_tokens, "seed": request.seed}
    return {name: value for name, value in given.items() if value is not None}


def _message(message: Message, dialect: Dialect) -> dict[str, Any]:
    """Return a message; one of tool calls has null for an empty text, which some refuse."""
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    body |= message.extra if dialect.thoughts else {}
    if message.tool_calls:
        body["content"] = message.content or None
        body["tool_calls"] = [_call(call, dialect) for call in message.tool_calls]
    if message.tool_call_id is not None:
        body["tool_call_id"] = message.tool_call_id
    return body


def _call(call: ToolCall, dialect: Dialect) -> dict[str, Any]:
    function = {"name": call.name, "arguments": _json(call.arguments)}
    extra = call.extra if dialect.thoughts else {}
    return {"id": call.id, "type": "function", "function": function, **extra}


def _json(arguments: str) -> str:
    """Return the arguments of a tool call if they are a JSON object, else an empty object.

    Endpoints reject any other arguments in the messages of a request.
    """
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"
