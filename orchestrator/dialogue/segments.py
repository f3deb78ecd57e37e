"""Segments of a request: which part of a prompt each stretch of its messages belongs to.

Collab-Overcooked divides a prompt into such parts to see where a model's attention goes (Appendix
C.3). A message is divided at its headings and blocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cookmas.episodes.conversation import Message

RULES, ACTIONS, COLLABORATION = "rules", "action space", "collaboration rules"
RECIPE, OBSERVATION, CONTEXT = "recipe", "observation", "collaboration context"
MEMORY, TASK = "memory", "task"

_HEADINGS: Mapping[str, str] = {
    "Actions": ACTIONS,
    "Helping": COLLABORATION,
    "Turns": COLLABORATION,
    "What you answer": COLLABORATION,
}
"""The part of the prompt for each section of a system message; other sections are rules."""

_BLOCKS: Mapping[str, str] = {
    "TEXTS": RECIPE,
    "RECIPES": RECIPE,
    "OPTIONS": ACTIONS,
    "TALK": CONTEXT,
    "DID": CONTEXT,
    "DECIDED": CONTEXT,
    "INSTRUCTIONS": CONTEXT,
    "PARTNERS": CONTEXT,
    "MEMORY": MEMORY,
    "LESSONS": MEMORY,
    "SCRATCH_PAD": MEMORY,
    "PROPOSED": TASK,
    "CALL": TASK,
}
"""The part of the prompt for each block; other blocks are observation."""

_MARK = re.compile(r"^(?:# (?P<heading>.+)|### (?P<block>[A-Z_]+))$|^```$\n?", re.MULTILINE)


class Segment(NamedTuple):
    """A stretch of a message."""

    part: str
    name: str
    """Heading or block; empty for text outside of both."""
    message: int
    begin: int
    """Index, in the message, of the first character of the stretch."""
    end: int
    """Index, in the message, after the last character of the stretch."""


def segments(messages: Sequence[Message]) -> list[Segment]:
    """Return the segments of all messages, in order and without gaps.

    Only system and user messages have segments. A block ends with its fence. Text after the fence
    and before the next block or heading is rules in a system message, and the task in a user's.
    """
    return [
        segment
        for number, message in enumerate(messages)
        if message.role in ("system", "user")
        for segment in _divide(message.content, number, RULES if message.role == "system" else TASK)
    ]


def _divide(text: str, number: int, rest: str) -> Iterator[Segment]:
    begin, part, name = 0, rest, ""
    for match in _MARK.finditer(text):
        closing = match["heading"] is None and match["block"] is None
        at = match.end() if closing else match.start()
        if at > begin:
            yield Segment(part, name, number, begin, at)
            begin = at
        if closing:
            part, name = rest, ""
        elif match["block"]:
            part, name = _BLOCKS.get(match["block"], OBSERVATION), match["block"]
        else:
            part, name = _HEADINGS.get(match["heading"], RULES), match["heading"]
    if begin < len(text):
        yield Segment(part, name, number, begin, len(text))
