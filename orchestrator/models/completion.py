"""Chat completions as endpoints really send them: whole or in pieces, and their choices.

Models and gateways put the answer into other places than the field `content`. `Reply.answer` looks
for it there, and names the place; what a model wrote is not vetted here. The source for answers in
pieces is the section on event streams of the HTML standard. Servers number and repeat the pieces in
different ways; a piece is joined by what it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cookmas.orchestrator.models.message import Request, ToolCall
from cookmas.orchestrator.models.providers import THOUGHT_TEXTS, THOUGHTS

END_MARK = "[DONE]"
"""The data of the event with which a stream ends."""

_COMMENT = re.compile(r"^:[^\r\n]*$", re.MULTILINE)
"""A comment with which servers keep a connection open until they answer."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIELD = re.compile(r"[A-Za-z][\w-]*(:|$)")
"""A field of an event: a name, then a colon or the end of the line."""

_WHOLE = 3
"""Number of pieces from which on a text is taken to be repeated with each piece."""

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
            self._arguments.append(_as_json(arguments))

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
        arguments=_as_json(function.get("arguments", "{}")),
        extra=_keep_fields(call),
    )


def _as_json(arguments: Any) -> str:
    """Return the arguments of a tool call as JSON, which most endpoints give as a text already."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _keep_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in THOUGHTS if data.get(name)}


def read_text(value: Any) -> str:
    """Return a text that a model wrote: as text, as a list of parts, or any other value as JSON.

    Parts of other types than text, such as thinking, are left out.
    """
    if isinstance(value, list):
        parts = [part.get("text") for part in value if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return "" if value is None else _as_json(value)


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
            yield call["name"], _as_json(call.get("arguments", call.get("parameters", {})))


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
