"""Conversations with a model: messages, tool calls and tokens, as they stand in traces."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Role = Literal["system", "user", "assistant", "tool"]


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolCall(_Plain):
    """A model's wish to use a tool: `arguments` is what it wrote, which need not be JSON."""

    id: str
    name: str
    arguments: str


class Message(_Plain):
    """One message; `tool_call_id` says which call a tool's message answers."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


class Usage(_Plain):
    """Tokens of one call; `cached` are part of `prompt`, `reasoning` part of `completion`.

    `estimated` where the endpoint did not count: a token for every four characters.
    """

    prompt: int
    completion: int
    cached: int = 0
    reasoning: int = 0
    estimated: bool = False

    @property
    def total(self) -> int:
        """Tokens in and out."""
        return self.prompt + self.completion
