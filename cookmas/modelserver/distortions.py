"""Distortions: functions that change a right answer as real endpoints and models do.

A change takes the body of a chat completion with one choice, and returns a new one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

Change = Callable[[dict[str, Any]], dict[str, Any]]

THOUGHTS = 100
"""Number of tokens of thinking that an endpoint leaves out of the answer's tokens."""

_DRAFT = 'A draft: {"schedule": []}. That is not enough.'


def end(reason: str, share: float) -> Change:
    """Return a change to an answer that ends with a reason, after a share of its text."""

    def change(answer: dict[str, Any]) -> dict[str, Any]:
        text = _text_of(answer)
        kept = text[: int(len(text) * share)] or None
        return _with_message(answer, {"content": kept}, finish_reason=reason)

    return change


def fail(reason: str | None, error: Mapping[str, Any]) -> Change:
    """Return a change that puts an error into the choice; with a reason the text is empty too."""

    def change(answer: dict[str, Any]) -> dict[str, Any]:
        ended = {"finish_reason": reason} if reason else {}
        return _with_message(answer, {"content": ""} if reason else {}, error=error, **ended)

    return change


def drop_choices(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without any choice."""
    return {**answer, "choices": []}


def empty(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an empty answer, for which no token is counted."""
    blank = _with_message(answer, {"content": "", "tool_calls": None}, finish_reason="stop")
    usage = answer["usage"]
    total = usage["prompt_tokens"]
    return {**blank, "usage": {**usage, "completion_tokens": 0, "total_tokens": total}}


def cut_off_thinking(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without text, whose tokens are thinking."""
    thought = {"content": None, "tool_calls": None, "reasoning_content": "The soup comes first"}
    return _with_message(answer, thought, finish_reason="length")


def move_to_reasoning(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose text is in the field of the thinking."""
    text = _text_of(answer)
    return _with_message(answer, {"content": None, "reasoning_content": text}) if text else answer


def move_to_tool(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose text is the arguments of a tool call."""
    if not (text := _text_of(answer)):
        return answer
    function = {"name": "json_tool_call", "arguments": text}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    moved = {"content": None, "tool_calls": calls}
    return _with_message(answer, moved, finish_reason="tool_calls")


def write_calls(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose tool calls are written into its text."""
    written = [
        {"name": call["function"]["name"], "arguments": json.loads(call["function"]["arguments"])}
        for call in _calls_of(answer)
    ]
    if not written:
        return answer
    text = "\n".join(f"<tool_call>\n{json.dumps(call)}\n</tool_call>" for call in written)
    return _with_message(answer, {"content": text, "tool_calls": None}, finish_reason="stop")


def encode_arguments(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose tool calls have arguments that are encoded twice."""
    return _with_functions(answer, lambda each: {"arguments": json.dumps(each["arguments"])})


def prefix_names(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer whose tool calls have names with a prefix."""
    return _with_functions(answer, lambda each: {"name": f"functions.{each['name']}"})


def count(recount: Callable[[dict[str, int]], dict[str, int] | None]) -> Change:
    """Return a change of the counts of tokens."""
    return lambda answer: {**answer, "usage": recount(answer["usage"])}


def rewrite(write: Callable[[str], str]) -> Change:
    """Return a change of the answer's text; an answer without JSON stays as it is."""

    def change(answer: dict[str, Any]) -> dict[str, Any]:
        text = _text_of(answer)
        return _with_message(answer, {"content": write(text)}) if _is_object(text) else answer

    return change


def add_comma(text: str) -> str:
    """Return JSON with a comma before its last bracket."""
    return f"{text[:-1]},{text[-1]}"


def add_comment(text: str) -> str:
    """Return JSON with a comment after its first bracket."""
    return f"{text[0]} // the plan\n{text[1:]}"


def write_python(text: str) -> str:
    """Return JSON as a Python literal."""
    return repr(json.loads(text))


def add_line_break(text: str) -> str:
    """Return JSON in which the first text value begins with a raw line break."""
    return text.replace('": "', '": "\n', 1)


def drop_last(text: str) -> str:
    """Return JSON without its last bracket."""
    return text[:-1]


def quote_numbers(text: str) -> str:
    """Return JSON whose numbers are texts."""
    return json.dumps(json.loads(text, parse_int=str, parse_float=str), ensure_ascii=False)


def wrap(text: str) -> str:
    """Return JSON inside an object with one member."""
    return f'{{"response": {text}}}'


def think_before(text: str) -> str:
    """Return JSON after thoughts that have a draft."""
    return f"<think>\n{_DRAFT}\n</think>\n{text}"


def think_after(text: str) -> str:
    """Return JSON before thoughts."""
    return f"{text}\n<think>\nThat should do.\n</think>"


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _message_of(answer: Mapping[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = answer["choices"][0]["message"]
    return message


def _text_of(answer: Mapping[str, Any]) -> str:
    return _message_of(answer).get("content") or ""


def _calls_of(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    return _message_of(answer).get("tool_calls") or []


def _with_message(
    answer: dict[str, Any], message: Mapping[str, Any], **choice: Any
) -> dict[str, Any]:
    """Return an answer with other fields of its message and its choice; None removes calls."""
    changed = {**_message_of(answer), **message}
    if changed.get("tool_calls") is None:
        changed.pop("tool_calls", None)
    return {**answer, "choices": [{**answer["choices"][0], "message": changed, **choice}]}


def _with_functions(
    answer: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    """Return an answer with other fields of the functions that its tool calls name."""
    calls = [
        {**call, "function": {**call["function"], **change(call["function"])}}
        for call in _calls_of(answer)
    ]
    return _with_message(answer, {"tool_calls": calls}) if calls else answer
