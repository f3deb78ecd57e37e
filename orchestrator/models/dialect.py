"""Dialects: the requests that an endpoint turns out to accept, in the chat-completions format.

A request is first sent with everything. After a refusal that names a feature it is sent without
it, and later requests too. A refusal that names nothing costs one request its schema; if the next
request is refused in the same way, later ones are sent without.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from cookmas.orchestrator.models.message import Message, Request, ToolCall
from cookmas.orchestrator.models.providers import KEYWORDS, LIMIT_WORDS, SCHEMA_WORDS, TIMED_OUT

_DEMAND = r"must|requir|only|need|enabl|\bset\b|\buse\b|should|\btrue\b|instead|\blong"
_STREAM = re.compile(
    rf"non[-_ ]?stream|\bstream.{{0,60}}({_DEMAND})|({_DEMAND}).{{0,60}}\bstream", re.I
)
_NO_STREAM = re.compile(
    r"(not|n't|cannot) (be )?(support|allow|permit|stream)\w*|unsupported|\bstream\w* (is|are) not",
    re.I,
)
_SYSTEM = re.compile(
    r"(system|developer)\W{0,3} ?(role|message|prompt|instruction)|roles?.{0,30}\bsystem\b"
    r"|conversation roles must alternate",
    re.I,
)
_SAMPLING = re.compile(r"temperature|\bseed\b|top_p", re.I)
_STREAMED = (200, 400, 405, 406, 422, 501)
"""Statuses of an endpoint that wants to stream its answer."""

_REFUSED = (400, 404, 405, 415, 422, 501)
"""Statuses after which a request may be accepted without its schema."""

_SCHEMAS_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
"""Keywords of schemas whose value maps names to schemas."""

_DATA = ("const", "enum", "default", "examples", "required")
"""Keywords of schemas whose value is data, not schemas."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The optional features that an endpoint accepts; most endpoints accept all."""

    structured: bool = True
    """True if the endpoint accepts a schema for the answer."""
    strict: bool = True
    """True if the endpoint accepts that the schema is marked as strict."""
    unknown: frozenset[str] = frozenset()
    """The keywords of schemas that the endpoint does not accept."""
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    thoughts: bool = True
    """True if the endpoint accepts its own thoughts and signatures in later requests."""
    system: bool = True
    streaming: bool = False
    """True if the endpoint answers only piece by piece."""

    def simplify(self, request: Request, complaint: str, status: int) -> Dialect | None:
        """Return the dialect to try next, after an endpoint refused a request in this dialect.

        `complaint` is the endpoint's message. If it names nothing that can be left out, the schema
        is, provided that the status allows this reading. Return None if nothing is left to try; a
        sampling parameter is the user's wish and stays.
        """
        demanded = status == TIMED_OUT or (status in _STREAMED and _wants_stream(complaint))
        if demanded and not self.streaming:
            return replace(self, streaming=True)
        named = self._without_named(request, complaint)
        limited = request.max_tokens is not None and LIMIT_WORDS.search(complaint)
        if named or limited or _SAMPLING.search(complaint):
            return named
        open_to_it = request.schema and self.structured and status in _REFUSED
        return replace(self, structured=False) if open_to_it else None

    def _without_named(self, request: Request, complaint: str) -> Dialect | None:
        newer: Literal["max_completion_tokens"] = "max_completion_tokens"
        if request.max_tokens is not None and self.limit != newer and newer in complaint:
            return replace(self, limit=newer)
        if self.system and _SYSTEM.search(complaint) and request.messages[0].role == "system":
            return replace(self, system=False)
        if self.thoughts and any(name in complaint for name in _thoughts_of(request)):
            return replace(self, thoughts=False)
        if named := self._keywords(request) & set(re.findall(r"\w+", complaint)):
            return replace(self, unknown=self.unknown | named)
        if request.schema and self.structured:
            if self.strict and re.search(r"\bstrict\b", complaint):
                return replace(self, strict=False)
            if names_schema(complaint):
                return replace(self, structured=False)
        return None

    def _keywords(self, request: Request) -> set[str]:
        schemas = [tool.parameters for tool in request.tools]
        if request.schema and self.structured:
            schemas.append(request.schema.schema)
        return set(keywords_in(schemas)) - self.unknown

    def list_omitted(self, request: Request) -> tuple[str, ...]:
        """Return the parts of a request that are not sent as they are in this dialect."""
        parts = {
            "schema": request.schema is not None and not self.structured,
            "strict": request.schema is not None and self.structured and not self.strict,
            "system role": not self.system and any(m.role == "system" for m in request.messages),
            "thoughts": not self.thoughts and bool(_thoughts_of(request)),
        }
        sent = replace(self, unknown=frozenset())
        keywords = sorted(self.unknown & sent._keywords(request))
        return (*(name for name, out in parts.items() if out), *keywords)


def names_schema(complaint: str) -> bool:
    """Return whether a complaint is about the schema of the answer, by its words."""
    return bool(SCHEMA_WORDS.search(complaint))


def _wants_stream(complaint: str) -> bool:
    demand = _STREAM.search(complaint)
    unstreamed = demand is not None and demand[0].casefold().startswith("non")
    return demand is not None and (unstreamed or not _NO_STREAM.search(complaint))


def _thoughts_of(request: Request) -> set[str]:
    """Return the fields of an endpoint's own in the messages of a request."""
    own = [message.extra for message in request.messages]
    own += [call.extra for message in request.messages for call in message.tool_calls]
    return {name for extra in own for name in extra}


def keywords_in(schema: Any) -> Iterator[str]:
    """Yield the keywords of `KEYWORDS` that a schema and the schemas in it have."""
    return (name for name in KEYWORDS if omit_keywords(schema, (name,)) != schema)


def omit_keywords(schema: Any, keywords: Collection[str]) -> Any:
    """Return a schema without these keywords, also in the schemas in it.

    The names of an object's fields and the values of a constant are no keywords, even if they are
    written like one.
    """
    if isinstance(schema, list):
        return [omit_keywords(part, keywords) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept = {name: part for name, part in schema.items() if name not in keywords}
    for name, part in kept.items():
        if name in _SCHEMAS_BY_NAME and isinstance(part, Mapping):
            kept[name] = {field: omit_keywords(inner, keywords) for field, inner in part.items()}
        elif name not in _DATA:
            kept[name] = omit_keywords(part, keywords)
    return kept


def to_wire(request: Request, dialect: Dialect) -> dict[str, Any]:
    """Return the JSON body of a request in a dialect, without the model's name."""
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
