"""The parts of a trace's records: their base, answers of models, searches, FAILs, future events."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from episodes.conversation import Message, ToolCall, Usage
from episodes.world import Command

Entry = list[Command]
"""The commands of one timestep of a schedule, in order; a trace writes each as a pair."""


class Record(BaseModel):
    """Base of all trace records."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Purpose = Literal["plan", "repair", "step", "read", "lookup", "turn"]
"""Why a model is called: for a schedule, for its repair, for one timestep, to read texts, to
continue after a look-up, or for one agent's turn in a team."""


AnswerFault = Literal["refusal", "truncated", "too_long", "unreadable", "outside_schema"]
"""Why an answer is unusable: the model refused, the answer was cut off, the prompt was too long for
the model, there is no JSON in it, or the JSON does not follow the schema."""


class AnsweredRequest(Record):
    """A request to a model with its answer."""

    request: str
    """Digest of the whole request."""
    model: str
    """Name of the requested model."""
    answered_by: str | None = None
    """Name of the model according to the endpoint."""
    messages: tuple[Message, ...]
    """The conversation that was sent."""
    schema_name: str | None = None
    """Name of the schema that the answer should follow."""
    text: str
    """Text of the answer."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Tool calls that the answer requests."""
    refusal: str | None = None
    """The refusal of the model, if it refused."""
    finish_reason: str
    """"stop", "length", "tool_calls", "refusal", "context_length", or another text of the
    endpoint."""
    usage: Usage
    """Number of tokens."""


SearchStatus = Literal["optimal", "feasible", "partial", "infeasible", "unknown"]
"""How much a schedule serves: everything, at the lower bound; everything; a part of it. Or why
there is no schedule: nothing can be served now; the search found nothing."""


class SearchRecord(Record):
    """The result of the search that made a schedule."""

    status: SearchStatus
    """How much the schedule serves, or why there is none."""
    bound: int | None = None
    """Lower bound, in timesteps, for everything that can be served now, from what the planner
    knows."""
    configuration: str | None = None
    """Name of the search configuration that found the schedule."""
    effort: int
    """Number of partial schedules that all searches together expanded."""
    fallback: str | None = None
    """What was scheduled instead, if no search found a schedule for everything."""
    blocked: list[str] | None = None
    """Why the rest cannot be scheduled now, one sentence for each reason."""


class OutcomeRecord(Record):
    """A FAIL."""

    fail: str
    """Kind of FAIL, from the world's closed list."""
    why: str
    """The reason, in one sentence."""
    witnesses: list[str] | None = None
    """Other workers that are told of it."""


class Arrival(NamedTuple):
    """A future event."""

    timestep: int
    """The timestep at which it happens."""
    event: dict[str, Any]
    """The event as plain data."""
