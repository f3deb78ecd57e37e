"""The parts of a conversation with a model, as traces record them, and of a talk among agents.

An agent asks another one for an action as `request('ACTION')`. The marks of a talk are those of
Collab-Overcooked: `[NOTHING]` says nothing, and `[END]` closes the talk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Role = Literal["system", "user", "assistant", "tool"]


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def __hash__(self) -> int:
        return hash(self.model_dump_json())


def _is_empty(value: Any) -> bool:
    return not value


OMITTED_IF_EMPTY = Field(exclude_if=_is_empty)
"""Marks a field that a record does not write if it is empty."""

Extra = Annotated[dict[str, Any], OMITTED_IF_EMPTY]
"""Fields of an endpoint's own, such as thinking and signatures, which it may want back."""


class ToolCall(_Plain):
    """A tool call that a model requested."""

    id: str
    """Identifier of the call."""
    name: str
    """Name of the tool."""
    arguments: str
    """The arguments as the model wrote them; they need not be valid JSON."""
    extra: Extra = {}
    """The endpoint's own fields of the call."""


class Message(_Plain):
    """One message of a conversation."""

    role: Role
    """Role of the author of the message."""
    content: str
    """Text of the message."""
    tool_calls: tuple[ToolCall, ...] = ()
    """The tool calls that an assistant's message requests."""
    tool_call_id: str | None = None
    """In a tool's message, the identifier of the call that it answers."""
    extra: Extra = {}
    """The endpoint's own fields of a model's answer."""


class Usage(_Plain):
    """The number of tokens of one model call."""

    prompt: int
    """Tokens of the request."""
    completion: int
    """Tokens of the answer."""
    cached: int = 0
    """The part of `prompt` that came from a cache."""
    reasoning: int = 0
    """The part of `completion` that was reasoning."""
    estimated: bool = False
    """True if the endpoint gave no counts; then four characters count as one token."""

    @property
    def total(self) -> int:
        """Tokens of request and answer."""
        return self.prompt + self.completion


class Spent(_Plain):
    """The model calls of an episode so far, or those of one agent, and their tokens."""

    calls: int = 0
    usage: Usage = Usage(prompt=0, completion=0)
    """Tokens of all calls together."""

    def plus(self, usage: Usage) -> Spent:
        """Return this amount plus one more call with the tokens `usage`."""
        return self.and_also(Spent(calls=1, usage=usage))

    def and_also(self, other: Spent) -> Spent:
        """Return the sum of this amount and another one."""
        mine, its = self.usage, other.usage
        return Spent(
            calls=self.calls + other.calls,
            usage=Usage(
                prompt=mine.prompt + its.prompt,
                completion=mine.completion + its.completion,
                cached=mine.cached + its.cached,
                reasoning=mine.reasoning + its.reasoning,
                estimated=mine.estimated or its.estimated,
            ),
        )


NOTHING_SPENT = Spent()


NOTHING, END = "[NOTHING]", "[END]"
"""Marks: nothing is said; the talk is over."""

LONGEST_REQUEST = 500
"""Greatest length of a quoted action in a request, in characters."""

_QUOTED = re.compile(
    rf"""request\(\s*(["'])(.{{1,{LONGEST_REQUEST}}}?)\1\s*\)""",
    re.DOTALL,
)
_BARE = re.compile(r"""request\(([^"'()]+(?:\([^()]*\)\s*)?)\)""")


def requests_in(text: str) -> list[str]:
    """Return the actions that a text asks for, in order."""
    quoted = {match.start(): match[2] for match in _QUOTED.finditer(text)}
    quoted |= {match.start(): match[1] for match in _BARE.finditer(text)}
    return [quoted[at].strip() for at in sorted(quoted)]


def speech(words: str, requests: Sequence[str]) -> str:
    """Return what the others are told: the words without the mark NOTHING, then the requests."""
    return "\n".join(filter(None, (words.replace(NOTHING, "").strip(), "; ".join(requests))))
