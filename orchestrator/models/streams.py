"""Answers that come piece by piece: server-sent events, joined into one chat completion.

The source is the section on event streams of the HTML standard. Servers number and repeat the
pieces in different ways; a piece is joined by what it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

END_MARK = "[DONE]"
"""The data of the event with which a stream ends."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIELD = re.compile(r"[A-Za-z][\w-]*(:|$)")
"""A field of an event: a name, then a colon or the end of the line."""

_WHOLE = 3
"""Number of pieces from which on a text is taken to be repeated with each piece."""


class BrokenStreamError(ValueError):
    """A stream that broke off, or that has a line or an event which its standard does not know."""


def is_stream(text: str) -> bool:
    """Return whether the content of a response is a stream of events."""
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


def parse(text: str) -> Any:
    """Return the value of JSON, also with raw control characters; None if it is something else."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


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
            elif value is not None:
                self._message[name] = _extend(self._message.get(name), value)

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
        """Return the choice with its whole message."""
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
        arguments = function.get("arguments")
        if arguments:
            is_text = isinstance(arguments, str)
            self._arguments.append(arguments if is_text else json.dumps(arguments))

    def is_ended_by(self, piece: Mapping[str, Any]) -> bool:
        """Return whether a piece is a call of its own, because this one has all its arguments."""
        function = piece.get("function") or {}
        named = function.get("name") and function.get("arguments")
        return bool(named) and parse("".join(self._arguments)) is not None

    def join(self) -> dict[str, Any]:
        """Return the whole call."""
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


def _extend(old: Any, new: Any) -> Any:
    """Return a value of a message that comes in pieces: lists grow, other values are replaced."""
    return [*old, *new] if isinstance(old, list) and isinstance(new, list) else new
