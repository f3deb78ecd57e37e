"""A conversation as it goes over the wire, read back: its blocks, and what was looked up in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from orchestrator.dialogue.blocks import parse_blocks
from orchestrator.dialogue.look_up import LookUp
from orchestrator.halves import halved


def parse_conversation(
    messages: Iterable[Mapping[str, Any]], look_up: LookUp
) -> tuple[dict[str, Any], dict[str, str]]:
    """The blocks by name, and the texts that were looked up by key.

    What a model said itself is left aside. Raises InputError if a block cannot be read.
    """
    texts: list[str] = []
    looked_up: dict[str, str] = {}
    for message in messages:
        content = text_of(message.get("content"))
        if message.get("role") in ("system", "developer", "user"):
            texts.append(content)
        elif message.get("role") == "tool":
            try:
                answer = json.loads(content)
                key, text = answer[look_up.key], answer[look_up.text]
            except (ValueError, RecursionError, KeyError, TypeError):
                continue
            if isinstance(key, str) and isinstance(text, str) and not halved(answer):
                looked_up[key] = text
    return parse_blocks("\n\n".join(texts)), looked_up


def text_of(content: Any) -> str:
    """The text of a message, which may be given in parts."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        parts = (part.get("text", "") for part in content if isinstance(part, Mapping))
        return "\n".join(map(str, parts))
    return str(content or "")
