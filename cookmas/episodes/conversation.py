"""The parts of a conversation with a model, as traces record them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Role = Literal["system", "user", "assistant", "tool"]


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolCall(_Plain):
    """A tool call that a model requested."""

    id: str
    """Identifier of the call."""
    name: str
    """Name of the tool."""
    arguments: str
    """The arguments as the model wrote them; they need not be valid JSON."""


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
