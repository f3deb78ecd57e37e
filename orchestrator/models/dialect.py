"""The chat-completions format on the wire: the body of a request, and the body of a response.

A *dialect* is what an endpoint turns out to accept. A request is first sent with everything. After
a refusal that names a feature it is sent without it, and later requests too. A refusal that names
nothing costs one request its schema; if the next request is refused in the same way, later ones are
sent without.

A response comes whole or in pieces. The source for pieces is the section on event streams of the
HTML standard. Servers number and repeat them in different ways; a piece is joined by what it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
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


# Bodies of responses: whole, or in pieces

END_MARK = "[DONE]"
"""The data of the event with which a stream ends."""

_COMMENT = re.compile(r"^:[^\r\n]*$", re.MULTILINE)
"""A comment with which servers keep a connection open until they answer."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIELD = re.compile(r"[A-Za-z][\w-]*(:|$)")
"""A field of an event: a name, then a colon or the end of the line."""

_WHOLE = 3
"""Number of pieces from which on a text is taken to be repeated with each piece."""

DEEPEST = 6
"""Greatest depth at which a field of a body is searched."""

MOST_ENTRIES = 20
"""Greatest number of entries of an object or a list that are searched for a field."""

HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""The place inside a name such as `inputTokens` at which another word begins."""


class BrokenStreamError(ValueError):
    """A stream that broke off, or that has a line or an event which its standard does not know."""


def read_body(content: bytes) -> Any:
    """Return the content of a response as JSON, or as a text if it is something else.

    Server-sent events become one chat completion. Comments that keep a connection open, a mark of
    the byte order and raw control characters in texts are accepted. Raise BrokenStreamError if the
    events broke off.
    """
    text = content.decode("utf-8-sig", "replace").strip()
    if _is_stream(text):
        return read_stream(text)
    kept = _COMMENT.sub("", text).strip() if text.startswith(":") else text
    data = parse(kept)
    return kept if data is None and kept != "null" else data


def parse(text: str) -> Any:
    """Return the value of JSON, also with raw control characters; None if it is something else."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def as_mapping(value: Any) -> Mapping[str, Any]:
    """Return a value if it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_json(arguments: Any) -> str:
    """Return the arguments of a tool call as JSON, which most endpoints give as a text already."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def read_text(value: Any) -> str:
    """Return a text that a model wrote: as text, as a list of parts, or any other value as JSON.

    Parts of other types than text, such as thinking, are left out.
    """
    if isinstance(value, list):
        parts = [part.get("text") for part in value if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return "" if value is None else as_json(value)


def read_number(value: Any) -> float | None:
    """Return a number, also one in a text; None for anything else."""
    try:
        return float(value) if not isinstance(value, bool) else None
    except (TypeError, ValueError, OverflowError):
        return None


def find_fields(body: Any, names: Sequence[str], depth: int = 0) -> Iterator[Any]:
    """Yield the values of some fields, wherever they stand in a body, the outermost first."""
    if depth > DEEPEST:
        return
    if isinstance(body, Mapping):
        yield from (body[name] for name in names if name in body)
    inner = body.values() if isinstance(body, Mapping) else body if isinstance(body, list) else ()
    for value in islice(inner, MOST_ENTRIES):
        yield from find_fields(value, names, depth + 1)


def _is_stream(text: str) -> bool:
    starts = text.startswith(("{", "["))
    return not starts and any(line.startswith("data:") for line in _LINE_END.split(text))


def read_stream(text: str) -> Any:
    """Return the chat completion that the events of a stream make up.

    An error among the events becomes the error beside the answer. If no event has a choice, return
    the last event, or an empty text if there is none. Raise BrokenStreamError if the stream ended
    without a finish reason and without its end mark, or cannot be read.
    """
    whole: dict[str, Any] = {}
    choices: dict[int, _Choice] = {}
    last: Any = ""
    marked = False
    for event in _events(text):
        if event == END_MARK:
            marked = True
            continue
        last = event
        for name, value in event.items():
            if name != "choices" and value not in (None, "", {}, []):
                whole[name] = _merge(whole.get(name), value)
        for number, piece in enumerate(event.get("choices") or ()):
            at = piece.get("index")
            place = at if isinstance(at, int) else number
            choices.setdefault(place, _Choice()).add(piece)
    if not choices:
        return last
    joined = [choices[place].join() for place in sorted(choices)]
    ended = marked or all(choice.get("finish_reason") for choice in joined)
    if not (ended or whole.get("error") or any(choice.get("error") for choice in joined)):
        raise BrokenStreamError("the stream broke off before its end")
    return {**whole, "choices": joined}


def _events(text: str) -> Iterator[Any]:
    """Yield the data of the events: objects, and the end mark."""
    lines: list[str] = []
    for line in (*_LINE_END.split(text), ""):
        if line.startswith("data:"):
            lines.append(line.removeprefix("data:").removeprefix(" "))
        elif not line.strip():
            yield from _data(lines)
            lines = []
        elif line.startswith("{"):
            yield from _data([line])
        elif not (line.startswith(":") or _FIELD.match(line)):
            raise BrokenStreamError(f"the stream has an invalid line: {line[:200]}")


def _data(lines: Sequence[str]) -> Iterator[Any]:
    """Yield the data of an event; if its lines are no object together, each is one."""
    joined = _read_data("\n".join(lines))
    for line, data in [("", joined)] if joined is not None else [(x, _read_data(x)) for x in lines]:
        if isinstance(data, Mapping) or data == END_MARK:
            yield data
        elif line.strip():
            raise BrokenStreamError(f"the stream has an invalid event: {line[:200]}")


def _read_data(text: str) -> Any:
    return END_MARK if text.strip().strip('"') == END_MARK else parse(text)


def _merge(old: Any, new: Any) -> Any:
    """Return the later value of a field; counts that an event leaves out or zeroes are kept."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {**old, **{name: value for name, value in new.items() if value or name not in old}}
    return new


class _Choice:
    """The pieces of one choice."""

    def __init__(self) -> None:
        self._choice: dict[str, Any] = {}
        self._texts: dict[str, list[str]] = {}
        self._message: dict[str, Any] = {}
        self._calls: list[_Call] = []

    def add(self, piece: Mapping[str, Any]) -> None:
        """Add a piece; a whole message takes the place of the pieces before it."""
        own = {name: value for name, value in piece.items() if value}
        whole, delta = own.pop("message", None), own.pop("delta", None)
        self._choice |= own
        if whole:
            self._texts, self._calls = {}, []
        for name, value in (whole or delta or {}).items():
            if name == "tool_calls" and value:
                for call in value:
                    self._find_call(call).add(call)
            elif isinstance(value, str) and name != "role":
                self._texts.setdefault(name, []).append(value)
            elif isinstance(value, list) and isinstance(old := self._message.get(name), list):
                self._message[name] = [*old, *value]
            elif value is not None:
                self._message[name] = value

    def _find_call(self, piece: Mapping[str, Any]) -> _Call:
        """Return the call to which a piece belongs, a new one if it belongs to none.

        Numbers and identifiers tell calls apart as far as both pieces have them. Without an
        identifier a whole call ends with its arguments, as some servers number all calls alike.
        """
        made, number = piece.get("id"), piece.get("index")
        for call in reversed(self._calls):
            same_id = not made or not call.id or made == call.id
            same_number = number is None or call.number is None or number == call.number
            if same_id and same_number and (made or not call.is_ended_by(piece)):
                return call
        call = _Call(number)
        self._calls.append(call)
        return call

    def join(self) -> dict[str, Any]:
        message = self._message | {name: _join(each) for name, each in self._texts.items()}
        if self._calls:
            message["tool_calls"] = [call.join() for call in self._calls]
        return {**self._choice, "message": message}


class _Call:
    """The pieces of one tool call."""

    def __init__(self, number: Any) -> None:
        self.number = number
        self.id = ""
        self._own: dict[str, Any] = {}
        self._name = ""
        self._arguments: list[str] = []

    def add(self, piece: Mapping[str, Any]) -> None:
        """Add a piece; a name that is repeated counts once."""
        function = piece.get("function") or {}
        self._own |= {n: x for n, x in piece.items() if n not in ("function", "index") and x}
        self.id = self._own.get("id", "")
        name = function.get("name") or ""
        self._name = name if name.startswith(self._name) else self._name + name
        if arguments := function.get("arguments"):
            self._arguments.append(as_json(arguments))

    def is_ended_by(self, piece: Mapping[str, Any]) -> bool:
        """Return whether a piece is a call of its own, because this one has all its arguments."""
        function = piece.get("function") or {}
        named = function.get("name") and function.get("arguments")
        return bool(named) and parse("".join(self._arguments)) is not None

    def join(self) -> dict[str, Any]:
        arguments = "".join(self._arguments)
        if parse(arguments) is None and self._arguments and parse(self._arguments[-1]):
            arguments = self._arguments[-1]
        return {**self._own, "function": {"name": self._name, "arguments": arguments}}


def _join(pieces: Sequence[str]) -> str:
    """Return the text that pieces make up; of pieces that each repeat all before, the last."""
    grown = [piece for piece in pieces if piece]
    repeats = all(b.startswith(a) for a, b in pairwise(grown))
    if len(grown) >= _WHOLE and repeats and grown[0] != grown[-1]:
        return grown[-1]
    return "".join(grown)
