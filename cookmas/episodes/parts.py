"""Types in the records of a trace: their base class, model answers, searches, FAILs and events."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetPydanticSchema
from pydantic_core import CoreSchema, core_schema

from cookmas.episodes.conversation import OMITTED_IF_EMPTY, Extra, Message, ToolCall, Usage
from cookmas.episodes.world import Command

Entry = list[Command]
"""The commands of one timestep of a schedule, in order; a trace writes each command as a pair."""


def _accept(known: CoreSchema) -> GetPydanticSchema:
    """Return the mark of a field that takes values of a known form as they are."""

    def either(field: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        read = handler(field)
        python = core_schema.union_schema([known, read], mode="left_to_right")
        return core_schema.json_or_python_schema(json_schema=read, python_schema=python)

    return GetPydanticSchema(either)


_COMMANDS = core_schema.list_schema(core_schema.is_instance_schema(Command))

AS_THEY_ARE = _accept(_COMMANDS)
"""Marks a field of type `Entry` that takes commands as they are, because every timestep has some.
"""

ALL_AS_THEY_ARE = _accept(core_schema.list_schema(_COMMANDS))
"""Marks a field with a list of entries that takes their commands as they are."""


class Record(BaseModel):
    """Base of all trace records."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Purpose = Literal["plan", "repair", "step", "read", "lookup", "turn", "infer", "verify"]
"""Why a model is called.

`plan`: for a schedule. `repair`: for a better answer. `step`: for the actions of one timestep.
`read`: to read texts. `lookup`: to continue after a look-up. `turn`: for an agent's turn in a team.
`infer`: to explain what the partners of an agent do. `verify`: to verify a decision.
"""


AnswerFault = Literal["refusal", "truncated", "too_long", "unreadable", "outside_schema"]
"""Why an answer is unusable.

`refusal`: the model refused. `truncated`: the answer was cut off. `too_long`: the prompt was too
long for the model. `unreadable`: the answer has no JSON object. `outside_schema`: the JSON does not
follow the schema.
"""


SCRIPTED = "scripted"
"""Name by which the scripted model answers, whatever name a request gives it."""

SCRIPTED_MARK = " (scripted model)"
"""What is added to the name of a planner whose calls the scripted model answers."""


def mark_scripted(name: str) -> str:
    """Return the name of a planner whose calls the scripted model answers, as it is shown."""
    return name if SCRIPTED in name.casefold() else f"{name}{SCRIPTED_MARK}"


class AnsweredRequest(Record):
    """A request to a model with its answer."""

    request: str
    """Digest of the whole request."""
    model: str
    """Name of the requested model."""
    answered_by: str | None = None
    """Name of the model according to the endpoint; None if it is the requested name."""
    messages: tuple[Message, ...]
    """The messages that were sent."""
    schema_name: str | None = None
    """Name of the schema that the answer should follow."""
    text: str
    """Text of the answer."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Tool calls that the answer requests."""
    refusal: str | None = None
    """The model's words if it refused."""
    finish_reason: str
    """"stop", "length", "tool_calls", "refusal", "context_length", or another text of the
    endpoint."""
    usage: Usage
    """Number of tokens."""
    extra: Extra = {}
    """Fields that the endpoint may want back with the answer, such as thinking and signatures."""
    lenient: Annotated[tuple[str, ...], OMITTED_IF_EMPTY] = ()
    """Kinds of leniency with which the answer was found and read."""
    by_words: Annotated[bool, OMITTED_IF_EMPTY] = False
    """True if only the endpoint's words say that it refused, or that the prompt is too long."""
    simplified: Annotated[tuple[str, ...], OMITTED_IF_EMPTY] = ()
    """Parts of the request that were not sent, because the endpoint does not accept them."""
    added: Annotated[tuple[str, ...], OMITTED_IF_EMPTY] = ()
    """Additions of the user to the request: fields, and headers with their variables."""

    @property
    def answerer(self) -> str:
        """Name of the model that answered: by the endpoint, or else the requested name."""
        return self.answered_by or self.model


SearchStatus = Literal["optimal", "feasible", "partial", "infeasible", "unknown"]
"""How much a schedule serves, or why there is no schedule.

`optimal`: everything, in no more time than the lower bound. `feasible`: everything, perhaps not in
the least time. `partial`: a part. `infeasible`: nothing can be served now. `unknown`: the search
found no schedule.
"""


class SearchRecord(Record):
    """The result of the search that made a schedule."""

    status: SearchStatus
    """How much the schedule serves, or why there is none."""
    bound: int | None = None
    """Lower bound, in timesteps, on the time to serve everything that can be served now.

    It is computed from the planner's knowledge.
    """
    model_bound: int | None = None
    """Lower bound of every schedule in the model of a solver, in timesteps.

    The model leaves out some of what the rules allow, so this bound may be too high for them.
    """
    configuration: str | None = None
    """Name of the search configuration that found the schedule."""
    effort: int
    """Number of partial schedules that all searches together expanded."""
    fallback: str | None = None
    """The kind of schedule that was chosen because no search found one that serves everything."""
    blocked: list[str] | None = None
    """Why the schedule leaves requests out, one text for each reason."""


class OutcomeRecord(Record):
    """The record of a FAIL."""

    fail: str
    """Kind of FAIL, from the world's closed list."""
    why: str
    """The reason, in one sentence."""
    witnesses: list[str] | None = None
    """Other workers that are told of the FAIL."""


class ReportRecord(Record):
    """The record of a worker's report that says more than that its assignment was carried out."""

    status: Literal["done", "failed", "running"]
    """Whether the action is done, has failed, or still runs when the timestep ends."""
    action: str | None = None
    """The assigned action, if the timestep has no command with it."""
    since: int | None = None
    """Timestep at which the action was assigned, if it is an earlier one."""
    why: str | None = None
    """The reason for a failure; None if the worker gave none."""
    result: Any = None
    """The result as plain JSON; None if there is none."""


class RunningRecord(Record):
    """The record of an action that outlasts its timestep."""

    action: str
    since: int
    """Timestep at which it was assigned."""


class Arrival(NamedTuple):
    """A future event."""

    timestep: int
    """The timestep at which the event happens."""
    event: dict[str, Any]
    """The event as plain data."""
