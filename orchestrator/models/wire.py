"""The chat-completions format: requests as an endpoint takes them, answers as it gives them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, NonNegativeInt, ValidationError

from orchestrator.models.message import (
    Answer,
    Message,
    Request,
    ToolCall,
    Usage,
    estimated_tokens,
)

REFUSED = "content_filter"

BOUND = "maxLength"
"""What bounds a text in a schema; some endpoints that take schemas know no such bounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What an endpoint can be asked: most take everything, some refuse a part of it."""

    structured: bool = True
    bounded: bool = True
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def simpler(self, request: Request, complaint: str) -> Dialect | None:
        """What to try after an endpoint has refused a request; None if there is nothing."""
        newer = "max_completion_tokens"
        if request.max_tokens is not None and self.limit != newer and newer in complaint:
            return replace(self, limit="max_completion_tokens")
        if request.schema and self.bounded and BOUND in complaint:
            return replace(self, bounded=False)
        if request.schema and self.structured:
            return replace(self, structured=False)
        return None


def to_wire(request: Request, dialect: Dialect) -> dict[str, Any]:
    """The body of a request, but for the model's name."""
    body: dict[str, Any] = {"messages": [_message(message) for message in request.messages]}
    if request.schema and dialect.structured:
        schema = request.schema.schema
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": request.schema.name,
                "schema": schema if dialect.bounded else _unbounded(schema),
                "strict": True,
            },
        }
    if request.tools:
        body["tools"] = tools_to_wire(request)
    return body | sampling(request, dialect.limit)


def _unbounded(schema: Any) -> Any:
    """The schema without bounds on the length of texts."""
    if isinstance(schema, Mapping):
        return {name: _unbounded(part) for name, part in schema.items() if name != BOUND}
    return [_unbounded(part) for part in schema] if isinstance(schema, list) else schema


def tools_to_wire(request: Request) -> list[dict[str, Any]]:
    """The tools of a request."""
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


def sampling(request: Request, limit: str = "max_tokens") -> dict[str, Any]:
    """Those sampling parameters that a request does not leave to the endpoint."""
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
    """Arguments as an endpoint takes them back: those that are no JSON object are left out."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _arguments(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _text(value: Any) -> Any:
    """A text, also where it comes in parts or is null."""
    if isinstance(value, list):
        parts = [part.get("text") for part in value if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return "" if value is None else value


def _written(value: Any) -> str:
    """What a model wrote where a text should be; what is none, as JSON."""
    text = _text(value)
    return text if isinstance(text, str) else json.dumps(text)


def _mapping(value: Any) -> Any:
    return value if isinstance(value, Mapping) else {}


def _sequence(value: Any) -> Any:
    return value if isinstance(value, list) else []


Written = Annotated[str, BeforeValidator(_written)]


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
    """Whatever stands in it is the model's doing, and never the endpoint's."""

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


def from_wire(body: Any, request: Request, model: str) -> Answer:
    """The answer in a response's body, read as JSON. Raises ValueError if there is none."""
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
    return Answer(
        text=reply.content,
        tool_calls=calls,
        finish_reason="refusal" if refusal else reason,
        refusal=refusal,
        model=completion.model or model,
        usage=_used(completion.usage) or estimated(request, reply.content, calls),
    )


def _used(usage: Any) -> Usage | None:
    """The tokens that the endpoint counted; None if it did not."""
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


def estimated(request: Request, text: str, calls: tuple[ToolCall, ...] = ()) -> Usage:
    """Tokens of a call that nobody counted."""
    asked = "".join(message.content for message in request.messages)
    wished = "".join(call.name + call.arguments for call in calls)
    return Usage(
        prompt=estimated_tokens(asked), completion=estimated_tokens(text + wished), estimated=True
    )
