"""Answers to requests about no world: the smallest ones that a schema or a tool allows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from cookmas.modelserver import wire
from cookmas.modelserver.corruption import CorruptText
from cookmas.orchestrator.dialogue.blocks import text_of
from cookmas.orchestrator.models.message import CHARACTERS_OF_TOKEN, estimate_tokens

_BLOCK = "### "
_EMPTY: Mapping[str, Any] = MappingProxyType(
    {"object": {}, "array": [], "boolean": False, "integer": 0, "number": 0, "null": None}
)


def answer_by_example(body: Mapping[str, Any], digested: str, otherwise: str) -> dict[str, Any]:
    """Return an answer that calls the first tool, or follows the schema, or is a text.

    A request that has blocks is answered with the text `otherwise`. After the result of a tool none
    is called. An answer to a request without blocks is cut off at the request's limit.
    """
    messages = body["messages"]
    if any(_BLOCK in text_of(message.get("content")) for message in messages):
        return wire.completion(body, digested, CorruptText(otherwise))
    tools = body.get("tools") or []
    if tools and messages[-1].get("role") != "tool":
        function = tools[0].get("function", {})
        arguments = make_example(function.get("parameters"))
        called = arguments if isinstance(arguments, Mapping) else {}
        return wire.tool_calls(body, digested, [(str(function.get("name")), called)])
    schema = wire.value_at(body, wire.SCHEMA)
    text = json.dumps(make_example(schema)) if schema else otherwise
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if isinstance(limit, int) and estimate_tokens(text) > limit > 0:
        cut_off = text[: CHARACTERS_OF_TOKEN * limit]
        return wire.completion(body, digested, CorruptText(cut_off, "length"))
    return wire.completion(body, digested, CorruptText(text))


def make_example(schema: Any) -> Any:
    """Return the smallest value that a schema allows, as far as it is simple; else a text."""
    if not isinstance(schema, Mapping):
        return ""
    if "const" in schema:
        return schema["const"]
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return schema["enum"][0]
    fields = schema.get("properties")
    if isinstance(fields, Mapping):
        return {name: make_example(part) for name, part in fields.items()}
    kind = schema.get("type")
    return _EMPTY.get(kind, "") if isinstance(kind, str) else ""
