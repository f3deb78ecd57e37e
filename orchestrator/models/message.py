"""The model protocol: a model takes a request and returns an answer.

A model's mistakes (a refusal, an answer that breaks off, nonsense) are answers. A model raises an
error only if its endpoint cannot be used.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from cookmas.episodes.conversation import Message, Role, ToolCall, Usage
from cookmas.episodes.world import digest

__all__ = [
    "Answered",
    "CallMeasurements",
    "Message",
    "Model",
    "ModelAnswer",
    "Request",
    "Role",
    "Schema",
    "ToolCall",
    "ToolSpec",
    "Usage",
    "Wrapped",
    "estimate_tokens",
    "estimate_usage",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """The JSON schema that an answer should follow."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool that a model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of the arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a model, the content of one call; None leaves a parameter to the endpoint."""

    messages: tuple[Message, ...]
    """The messages, oldest first."""
    schema: Schema | None = None
    """Schema of the answer; None for free text."""
    tools: tuple[ToolSpec, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None

    def digest(self) -> str:
        """Return sixteen hexadecimal digits that change if any part of the request changes."""
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
class ModelAnswer:
    """The answer of a model to a request."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    """Why the answer ended.

    "stop" (complete), "length" (cut off), "tool_calls", "refusal", "context_length" (the prompt is
    too long for the model), or another word of the endpoint.
    """
    refusal: str | None = None
    """The model's words if it refused; else None."""
    model: str
    """Name of the model that answered, as the endpoint gives it."""
    usage: Usage
    extra: dict[str, Any] = field(default_factory=dict)
    """Fields that the endpoint may want back with the answer, such as thinking and signatures."""
    lenient: tuple[str, ...] = ()
    """Kinds of unusual place in which the answer was found."""
    by_words: bool = False
    """True if only an endpoint's words say that it refused, or that the prompt is too long."""
    simplified: tuple[str, ...] = ()
    """Parts of the request that the endpoint does not accept, and that were not sent."""
    added: tuple[str, ...] = ()
    """Additions of the user to the request: fields, and headers with their variables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallMeasurements:
    """Measurements of one call of a model."""

    seconds: float
    """Duration in seconds, including all attempts."""
    retries: int = 0
    """Number of attempts after the first."""
    cost: float | None = None
    """Cost in the currency of the prices; None if the prices are unknown."""


Answered = tuple[ModelAnswer, CallMeasurements]


class Model(Protocol):
    """A language model behind an endpoint; one object serves many episodes at a time."""

    @property
    def name(self) -> str:
        """Name of the model in requests."""
        ...

    async def answer(self, request: Request) -> Answered:
        """Return the answer to a request and its measurements.

        Raise InfrastructureError if the endpoint cannot be used.
        """
        ...


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A model of which each call goes through a function, such as one that limits the calls."""

    name: str
    ask: Callable[[Request], Awaitable[Answered]]

    async def answer(self, request: Request) -> Answered:
        return await self.ask(request)


CHARACTERS_OF_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """Return a rough number of tokens of a text: one for every four characters."""
    return -(-len(text) // CHARACTERS_OF_TOKEN)


def estimate_usage(request: Request, text: str, calls: tuple[ToolCall, ...] = ()) -> Usage:
    """Return an estimate of the tokens of a call, for endpoints that do not count them."""
    asked = "".join(message.content for message in request.messages)
    wished = "".join(call.name + call.arguments for call in calls)
    return Usage(
        prompt=estimate_tokens(asked), completion=estimate_tokens(text + wished), estimated=True
    )
