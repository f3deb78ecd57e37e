"""Reading a conversation in the chat-completions format: its blocks, and the looked-up texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cookmas.files.lines import has_lone_surrogate
from cookmas.orchestrator.dialogue.blocks import parse_blocks
from cookmas.orchestrator.dialogue.look_up import LookUp

_SAID_TO_A_MODEL = ("system", "developer", "user")


def blocks_in(messages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the data of the blocks, by name, in all messages that were sent to the model.

    Raise InputError if a block cannot be read.
    """
    contents = (m.get("content") for m in messages if m.get("role") in _SAID_TO_A_MODEL)
    return parse_blocks("\n\n".join(map(text_of, contents)))


def collect_looked_up(messages: Iterable[Mapping[str, Any]], look_up: LookUp) -> dict[str, str]:
    """Return the texts that the model looked up with the tool `look_up`, by key."""
    looked_up: dict[str, str] = {}
    for message in messages:
        if message.get("role") != "tool":
            continue
        try:
            answer = json.loads(text_of(message.get("content")))
            key, text = answer[look_up.key], answer[look_up.text]
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
        if isinstance(key, str) and isinstance(text, str) and not has_lone_surrogate(answer):
            looked_up[key] = text
    return looked_up


def text_of(content: Any) -> str:
    """Return the content of a message as one text, even if the content is a list of parts."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        parts = (part.get("text", "") for part in content if isinstance(part, Mapping))
        return "\n".join(map(str, parts))
    return str(content or "")
