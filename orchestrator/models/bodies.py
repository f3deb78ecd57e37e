"""Bodies of responses: JSON as endpoints really send it, whole or piece by piece."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

DEEPEST = 6
"""Greatest depth at which a field of a body is searched."""

MOST_ENTRIES = 20
"""Greatest number of entries of an object or a list that are searched for a field."""

MOST_CALLS = 100
"""Greatest number of tool calls in an answer that comes piece by piece."""

_DATA, _COMMENT = "data:", ":"


def read_body(content: bytes) -> Any:
    """Return the content of a response as JSON, or as a text if it is something else.

    Server-sent events become one chat completion. Comments that keep a connection open, a mark of
    the byte order and raw control characters in texts are accepted.
    """
    text = content.decode("utf-8-sig", "replace").strip()
    lines = [line for line in text.splitlines() if line and not line.startswith(_COMMENT)]
    if any(line.startswith(_DATA) for line in lines) and not text.startswith(("{", "[")):
        return _join(list(_events(lines)))
    kept = text if text[:1] != _COMMENT else "\n".join(lines)
    found = _parse(kept)
    return kept if found is None and kept != "null" else found


def find_fields(body: Any, names: Sequence[str], depth: int = 0) -> Iterator[Any]:
    """Yield the values of some fields, wherever they stand in a body, the outermost first."""
    if depth > DEEPEST:
        return
    if isinstance(body, Mapping):
        yield from (body[name] for name in names if name in body)
    inner = body.values() if isinstance(body, Mapping) else body if isinstance(body, list) else ()
    for value in islice(inner, MOST_ENTRIES):
        yield from find_fields(value, names, depth + 1)


def _parse(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _events(lines: list[str]) -> Iterator[Any]:
    for line in lines:
        event = _parse(line.removeprefix(_DATA)) if line.startswith(_DATA) else None
        if isinstance(event, Mapping):
            yield event


def _join(events: list[Any]) -> Any:
    """Return the chat completion that events with its pieces make up.

    An error among the events becomes the error beside the answer. Without any choice the last event
    is returned, and an empty text if there is none.
    """
    whole: dict[str, Any] = {}
    choices: dict[int, dict[str, Any]] = {}
    for event in events:
        whole |= {name: event[name] for name in ("model", "usage", "error") if event.get(name)}
        for piece in event.get("choices") or ():
            if isinstance(piece, Mapping):
                _add(choices.setdefault(piece.get("index") or 0, {"message": {}}), piece)
    if not choices:
        return events[-1] if events else ""
    return {**whole, "choices": [choices[number] for number in sorted(choices)]}


def _add(choice: dict[str, Any], piece: Mapping[str, Any]) -> None:
    """Add a piece of an answer to its choice: texts are joined, other fields replaced."""
    choice |= {name: piece[name] for name in ("finish_reason", "error") if piece.get(name)}
    message = choice["message"]
    delta = piece.get("delta") or piece.get("message") or {}
    for name, value in delta.items():
        if name == "tool_calls" and isinstance(value, list):
            _add_calls(message.setdefault("tool_calls", []), value)
        elif isinstance(value, str) and isinstance(message.get(name), str) and name != "role":
            message[name] += value
        elif value is not None:
            message[name] = value


def _add_calls(calls: list[dict[str, Any]], pieces: list[Any]) -> None:
    """Add pieces of tool calls, each of which names its call by a number."""
    for piece in pieces:
        if not isinstance(piece, Mapping):
            continue
        number = piece.get("index")
        number = number if isinstance(number, int) and 0 <= number < MOST_CALLS else len(calls)
        while len(calls) <= number:
            calls.append({"function": {"name": "", "arguments": ""}})
        function = piece.get("function") or {}
        for name in ("name", "arguments"):
            calls[number]["function"][name] += function.get(name) or ""
        own = {name: x for name, x in piece.items() if name not in ("function", "index") and x}
        calls[number].update(own)
