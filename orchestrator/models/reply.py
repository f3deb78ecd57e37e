"""The choices of a chat completion, read leniently: what a model wrote there is not vetted here.

Models and gateways put the answer into other places than the field `content`. `Reply.answer` looks
for it there, and names the place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cookmas.orchestrator.models.message import Request, ToolCall
from cookmas.orchestrator.models.providers import THOUGHT_TEXTS, THOUGHTS
from cookmas.orchestrator.models.streams import parse

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

_FIELDS = ("role", "content", "refusal", "tool_calls", "function_call", "name", "id")
"""The fields of a message beside `THOUGHTS` whose meaning is known."""

_FIRST_NAME = re.compile(r"\s*\{\s*[\"'](\w+)[\"']\s*:")
"""The begin of an object, with its first name."""

_NAME = re.compile(r"(?:[\w-]+[.:/])*(?P<name>[\w-]+?)(?::\d+)?")
_MADE_ID = "call{:05}"
"""Form of an identifier that CookMAS makes: nine letters and digits, as Mistral wants them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One choice of a chat completion."""

    content: str = ""
    """Text of the answer."""
    thoughts: str = ""
    """Text of the model's thinking, if the endpoint gives it apart from the answer."""
    calls: tuple[ToolCall, ...] = ()
    """Tool calls, with the names and identifiers that the endpoint gave."""
    refusal: str = ""
    """The model's words if it refused."""
    finish_reason: str = ""
    """Why the answer ended, in the endpoint's words."""
    kept: dict[str, Any]
    """The fields that the endpoint may want back (`THOUGHTS`)."""
    unknown: str = ""
    """Name of an unknown field of the message that has a text; empty if there is none."""
    error: Any = None
    """The error beside the answer; None if there is none."""

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
    choices = body.get("choices") if isinstance(body, Mapping) else None
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping):
            yield _read_choice(choice)


def _read_choice(choice: Mapping[str, Any]) -> Reply:
    message = choice.get("message")
    message = message if isinstance(message, Mapping) else {}
    called = message.get("tool_calls")
    called = [c for c in called if isinstance(c, Mapping)] if isinstance(called, list) else []
    if not called and isinstance(function := message.get("function_call"), Mapping):
        called = [{"function": function}]
    thoughts = (read_text(message.get(name)) for name in THOUGHT_TEXTS)
    content = message.get("content")
    return Reply(
        content=read_text(content),
        thoughts=next(filter(None, thoughts), ""),
        calls=tuple(map(_read_call, called)),
        refusal=read_text(message.get("refusal")),
        finish_reason=read_text(choice.get("finish_reason")),
        kept=_keep_fields(message),
        unknown=next(_unknown_texts(message), ""),
        error=choice.get("error") or None,
    )


def _read_call(call: Mapping[str, Any]) -> ToolCall:
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    arguments = function.get("arguments", "{}")
    return ToolCall(
        id=read_text(call.get("id")),
        name=read_text(function.get("name")),
        arguments=arguments if isinstance(arguments, str) else json.dumps(arguments),
        extra=_keep_fields(call),
    )


def _unknown_texts(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the fields of a message that have a text and no known meaning."""
    for name, value in message.items():
        if (
            name not in _FIELDS
            and name not in THOUGHTS
            and isinstance(value, str)
            and value.strip()
        ):
            yield name


def _keep_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that an endpoint may want back, without empty ones."""
    return {name: data[name] for name in THOUGHTS if data.get(name)}


def read_text(value: Any) -> str:
    """Return a text that a model wrote: as text, as a list of parts, or any other value as JSON.

    Parts of other types than text, such as thinking, are left out.
    """
    if isinstance(value, list):
        parts = [part.get("text") for part in value if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def _calls_in(text: str, known: set[str]) -> tuple[str, list[ToolCall]]:
    """Return a text without the calls of known tools that are written into it, and these calls."""
    calls: list[ToolCall] = []
    for match in _TEXT_CALL.finditer(text):
        for name, arguments in _parse_call(match):
            if _strip_prefix(name, known) in known:
                calls.append(ToolCall(id="", name=name, arguments=arguments))
    return (_TEXT_CALL.sub("", text).strip() if calls else text), calls


def _parse_call(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield the names and arguments of the tool calls in a text."""
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
            arguments = call.get("arguments", call.get("parameters", {}))
            yield call["name"], arguments if isinstance(arguments, str) else json.dumps(arguments)


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
