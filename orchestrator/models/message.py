"""What a model is: a request in, an answer out.

What a model may do wrong (refuse, stop half-way, write nonsense) is an answer; only an endpoint
that cannot be used is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from episodes.conversation import Message, Role, ToolCall, Usage
from episodes.trace import AnsweredRequest
from episodes.world import digest

__all__ = [
    "Answer",
    "Measured",
    "Message",
    "Model",
    "Request",
    "Role",
    "Sampling",
    "Schema",
    "ToolCall",
    "ToolSpec",
    "Usage",
    "answered",
    "estimated_tokens",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """The JSON schema that an answer should follow."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool that a model may call; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a model draws its answers; None leaves it to the endpoint."""

    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """All that is asked in one call. A parameter that is None is left to the endpoint."""

    messages: tuple[Message, ...]
    schema: Schema | None = None
    tools: tuple[ToolSpec, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None

    def digest(self) -> str:
        """Sixteen hexadecimal digits that change when anything that is asked does."""
        schema = self.schema and {"name": self.schema.name, "schema": self.schema.schema}
        tools = [[tool.name, tool.description, tool.parameters] for tool in self.tools]
        return digest(
            {
                "messages": [message.model_dump(mode="json") for message in self.messages],
                "schema": schema,
                "tools": tools,
                "sampling": [self.temperature, self.max_tokens, self.seed],
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model answered. `model` is its name as the endpoint gives it.

    `finish_reason` is "stop" for a whole answer, "length" for one that was cut off, "tool_calls",
    "refusal" (with the words in `refusal`), "context_length" for a prompt that is too long for the
    model, or whatever else the endpoint says.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    refusal: str | None = None
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one call took: seconds with all its tries, tries after the first, and money.

    `cost` is in the currency of the prices; None where no prices are known.
    """

    seconds: float
    retries: int = 0
    cost: float | None = None


class Model(Protocol):
    """A language model behind some endpoint; one serves many episodes at a time."""

    @property
    def name(self) -> str:
        """The name under which it is asked for."""
        ...

    async def answer(self, request: Request) -> tuple[Answer, Measured]:
        """Ask once. Raises InfrastructureError if the endpoint cannot be used."""
        ...


def estimated_tokens(text: str) -> int:
    """How many tokens a text has, roughly: one for every four characters."""
    return -(-len(text) // 4)


def answered(request: Request, answer: Answer, model: str) -> AnsweredRequest:
    """Return the record of a request to `model` and its answer."""
    return AnsweredRequest(
        request=request.digest(),
        model=model,
        answered_by=answer.model if answer.model != model else None,
        messages=request.messages,
        schema_name=request.schema.name if request.schema else None,
        text=answer.text,
        tool_calls=answer.tool_calls,
        refusal=answer.refusal,
        finish_reason=answer.finish_reason,
        usage=answer.usage,
    )
