"""The trace: one JSON line for each thing that happened, enough to simulate it all again.

Every line is one of the records below, told apart by `kind`, and closed by the chain of digests
(`episodes.chain`); `episodes.trace_file` reads them. Measurements (seconds, money) are not
in it, so that the same run gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from episodes.chain import Chain
from episodes.conversation import Message, ToolCall, Usage
from episodes.world import Command, Tally

SCHEMA = 3
"""Version of the trace format."""

PlannerClass = Literal[
    "pure",
    "assisted",
    "hybrid",
    "embedded",
    "oracle",
    "per-step",
    "fixed",
    "human",
    "mixed",
    "unknown",
]
"""What helped a planner, in this order: a model alone; a model and checks in the simulator; a model
that only reads; no model at all; no model, and the truth of what is asked for; a model called at
every timestep; a schedule made beforehand; people, who plan or play workers; planners of several
classes, one after the other in a fork; one that failed before it could say. Results are never mixed
across these."""

Termination = Literal[
    "finished",
    "closed",
    "horizon",
    "won",
    "lost",
    "over",
    "gave_up",
    "no_progress",
    "budget",
    "planner_failed",
    "infrastructure_error",
]
"""How an episode ended: with nothing left to do; an open one, closed by somebody, likewise; at its
last timestep; as the world says: won, lost or over; or early. An episode whose planner failed has
failed; after an infrastructure error nothing is scored."""

Entry = list[Command]
"""The commands of one timestep of a schedule, in order; a line of the trace has each as a pair."""


class Record(BaseModel):
    """Base of all trace records."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SeatRecord(Record):
    """Who plans for one worker, and what helps them."""

    planner: str
    planner_class: PlannerClass


class Header(Record):
    """First line: what is played, by whom, under which rules.

    `setup` is the world as it was built, `scenario` the scenario as its file says, without truth.
    `judges` is the version of the world's evaluators when it was played, where they were known.
    `people` are the workers whom people play, if only for a time. `seats` say who plans for each
    worker, where they plan for themselves. An open episode has no `horizon`:
    it goes on until it is closed.
    """

    kind: Literal["header"] = "header"
    schema_version: int = SCHEMA
    world: str
    rules: str
    judges: str | None = None
    workers: Annotated[list[str], Field(min_length=1)]
    seed: int
    horizon: Annotated[int, Field(ge=1)] | None = None
    planner: str
    planner_class: PlannerClass
    people: list[str] | None = None
    seats: dict[str, SeatRecord] | None = None
    scenario_name: str
    scenario_digest: str
    scenario: dict[str, Any]
    setup: dict[str, Any]


class Superstep(Record):
    """The graph ran these nodes at this timestep, together.

    Where the workers act there is a "worker" for each act, though scripted ones share one task.
    """

    kind: Literal["superstep"] = "superstep"
    timestep: int
    nodes: list[str]


class EventRecord(Record):
    """An event reached the world: `refused` is why it was not taken.

    `number` is its place in the mailbox, from 1; 0: it is the planner's, who declines something.
    `made` is the name of what has come of a message, which its sender is told; `sender` is who sent
    it. An event of kind `unauthorized` is a message whose sender may not send it, with its `event`.
    """

    kind: Literal["event"] = "event"
    timestep: int
    number: int = 0
    event: dict[str, Any]
    injected: bool = False
    refused: str | None = None
    made: str | None = None
    sender: str | None = None


class TriggerRecord(Record):
    """The orchestrator is called because of this; `to` are those of a team whom it concerns."""

    kind: Literal["trigger"] = "trigger"
    timestep: int
    trigger: str
    cause: str
    to: list[str] | None = None


class Lookup(Record):
    """The orchestrator looked a text up: the text is what it got."""

    kind: Literal["lookup"] = "lookup"
    timestep: int
    key: str
    text: str


Purpose = Literal["plan", "repair", "step", "read", "lookup", "turn"]
"""What a model is called for: a schedule, its repair, one timestep, reading, going on after a
look-up, one agent's turn in a team."""


AnswerFault = Literal["refusal", "truncated", "too_long", "unreadable", "outside_schema"]
"""What can be wrong with an answer: the model would not, it was cut off, the prompt was too long
for the model, there is no JSON in it, or the JSON is not of the form that was asked for."""


class AnsweredRequest(Record):
    """What a model was asked and what it answered.

    `request` is the digest of all that was asked, `schema_name` that of the schema the answer
    should follow, `answered_by` the model as the endpoint calls it. `finish_reason` is "stop",
    "length", "tool_calls", "refusal", "context_length" or whatever else the endpoint says.
    """

    request: str
    model: str
    answered_by: str | None = None
    messages: tuple[Message, ...]
    schema_name: str | None = None
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    finish_reason: str
    usage: Usage


class ModelCall(AnsweredRequest):
    """A planner called a model: the `number`-th call of its answer to this timestep, from 1.

    `agent` is who called it in a team whose members plan for themselves; None: the one planner.
    `unusable` is why the answer could not be used; None: it could.
    """

    kind: Literal["model_call"] = "model_call"
    timestep: int
    number: int
    purpose: Purpose
    agent: str | None = None
    unusable: AnswerFault | None = None


class MessageRecord(Record):
    """A member of a team said something to the others."""

    kind: Literal["message"] = "message"
    timestep: int
    agent: str
    text: str


SearchStatus = Literal["optimal", "feasible", "partial", "infeasible", "unknown"]
"""How good a schedule is that was found by search: it serves everything that was asked for, as soon
as the lower bound says; everything; some of it; nothing can be done now; nothing was found."""


class SearchRecord(Record):
    """What a search found, and what the schedule is worth.

    `bound` is a lower bound: the timesteps after which everything that can be served now is served
    at the earliest, as far as the planner knows. `configuration` names the search that found the
    schedule. `effort` is how many partial schedules all searches together expanded. `fallback` is
    what was scheduled instead where the searches for everything found nothing. `blocked` is what
    keeps the rest from being scheduled, a sentence each.
    """

    status: SearchStatus
    bound: int | None = None
    configuration: str | None = None
    effort: int
    fallback: str | None = None
    blocked: list[str] | None = None


class PlanRecord(Record):
    """A planner's answer: a schedule from this timestep on, the commands of each timestep in order.

    `understood` is what it took from the texts, for each thing asked for, where it says so.
    `doubts` are what it did not understand of them, a sentence each, where there is any.
    `refused` is why a malformed schedule was refused whole; `gave_up` why there is no schedule.
    `search` is the result of the search that made the schedule, where a search did.
    `agent` is whose answer it is in a team; None: the one planner's.
    """

    kind: Literal["plan"] = "plan"
    timestep: int
    agent: str | None = None
    reasoning: str
    schedule: list[Entry]
    understood: dict[str, list[str]] | None = None
    doubts: list[str] | None = None
    refused: str | None = None
    gave_up: str | None = None
    search: SearchRecord | None = None


class MemoryRecord(Record):
    """What a planner asked to be kept until it is called again, in place of what was kept before.

    `agent` is whose memory it is in a team; None: the one planner's.
    """

    kind: Literal["memory"] = "memory"
    timestep: int
    agent: str | None = None
    kept: dict[str, Any]


class OutcomeRecord(Record):
    """Why an action FAILed, by the world's closed list and in one sentence.

    `witnesses` are the workers that are told of it beside the one whose action it was.
    """

    fail: str
    why: str
    witnesses: list[str] | None = None


class StepRecord(Record):
    """One timestep: the commands in order, the FAILs by worker, the digest of the state after."""

    kind: Literal["step"] = "step"
    timestep: int
    commands: Entry
    fails: dict[str, OutcomeRecord] = Field(default_factory=dict)
    digest: str


class Arrival(NamedTuple):
    """An event, and the timestep at which it happens."""

    timestep: int
    event: dict[str, Any]


class ForkRecord(Record):
    """Here a run branches off: what comes before are the lines of another run, as they are.

    `run` is the name of that run's folder; `planner` plans from here on. `setup` is the world as it
    is built from here on, where it was altered, and `altered` says how in words. `coming` are the
    events that are still to come beside the scenario's. `seats` are as in the header: who plans for
    each worker from here on, where they plan for themselves.
    """

    kind: Literal["fork"] = "fork"
    timestep: int
    run: str
    planner: str
    planner_class: PlannerClass
    seats: dict[str, SeatRecord] | None = None
    setup: dict[str, Any] | None = None
    altered: str | None = None
    coming: list[Arrival] = Field(default_factory=list)


class End(Record):
    """Last line: how the episode ended, at which timestep, why in words, and how it stood then."""

    kind: Literal["end"] = "end"
    timestep: int
    termination: Termination
    why: str
    tally: Tally


AnyRecord = (
    Header
    | Superstep
    | EventRecord
    | TriggerRecord
    | Lookup
    | ModelCall
    | MessageRecord
    | PlanRecord
    | MemoryRecord
    | StepRecord
    | ForkRecord
    | End
)

R = TypeVar("R", bound=Record)


def to_line(record: Record) -> str:
    """A record as its line in the file, without its digest and the end of line."""
    return record.model_dump_json(exclude_defaults=False, exclude_none=True)


class LineUp(NamedTuple):
    """Who plans, by name, and who plans for each worker, where they plan for themselves."""

    planner: str
    seats: Mapping[str, SeatRecord] | None

    def behind(self, fork: ForkRecord) -> LineUp:
        """Return the line-up from a fork on; one that names no other planner keeps the seats."""
        kept = self.seats if fork.planner == self.planner else None
        return LineUp(fork.planner, kept if fork.seats is None else fork.seats)


@dataclass(frozen=True)
class Trace:
    """All records of an episode, in order; the first is the header."""

    records: tuple[AnyRecord, ...]

    @cached_property
    def header(self) -> Header:
        """The first record."""
        first = self.records[0]
        assert isinstance(first, Header)
        return first

    @property
    def end(self) -> End | None:
        """The last record of a finished episode; None where the trace is unfinished."""
        last = self.records[-1]
        return last if isinstance(last, End) else None

    @property
    def planner(self) -> str:
        """Who planned; of a fork all who did, one after the other."""
        return ", then ".join(name for name, _ in groupby(self.planners))

    @cached_property
    def planners(self) -> tuple[str, ...]:
        """Who planned at first, and from each fork on."""
        return (self.header.planner, *(fork.planner for fork in self.of(ForkRecord)))

    @cached_property
    def line_up(self) -> LineUp:
        """Who plans behind the last record, and in which seats."""
        found = LineUp(self.header.planner, self.header.seats)
        for fork in self.of(ForkRecord):
            found = found.behind(fork)
        return found

    @property
    def planner_class(self) -> PlannerClass:
        """What helped who planned: `mixed` where planners of several classes did."""
        first = self.header.planner_class
        alike = all(fork.planner_class == first for fork in self.of(ForkRecord))
        return first if alike else "mixed"

    def of(self, kind: type[R]) -> Iterator[R]:
        """The records of one kind, in order."""
        return (record for record in self.records if isinstance(record, kind))

    def lines(self) -> Iterator[str]:
        """The lines of the file, without their ends."""
        chain = Chain()
        return (chain.close(to_line(record)) for record in self.records)
