"""The trace: JSON lines, one for each thing that happened, from which the episode can be simulated.

Every line is one of the records below, identified by its `kind` and closed by the digest chain
(`episodes.chain`). `episodes.trace_file` reads them. Measurements (seconds, money) are not part of
a trace, so that equal runs write equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import Field

from episodes.chain import Chain
from episodes.parts import (
    AnsweredRequest,
    AnswerFault,
    Arrival,
    Entry,
    OutcomeRecord,
    Purpose,
    Record,
    SearchRecord,
)
from episodes.world import Tally

SCHEMA = 4
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
"""The kind of help that a planner had, in this order: a model alone; a model and checks in the
simulator; a model that only reads; no model; no model but the truth about the requests; a model
that is called at every timestep; a schedule from a file; people who plan or play workers; planners
of several classes, one after the other in a fork; a planner that failed before its class was known.
Results of different classes are never mixed."""

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
"""How an episode ended.

`finished`: nothing was left to do. `closed`: the same, in an open episode that someone closed.
`horizon`: the last timestep was over. `won`, `lost`, `over`: the world said so. All others ended
early. After `planner_failed` the episode has failed; after `infrastructure_error` nothing is
scored.
"""


class SeatRecord(Record):
    """The planner of one worker."""

    planner: str
    """Name of the planner."""
    planner_class: PlannerClass
    """What helps it."""


class Header(Record):
    """First line: the scenario, the world with its rules, and the planners."""

    kind: Literal["header"] = "header"
    schema_version: int = SCHEMA
    """Version of the trace format."""
    world: str
    """Name of the kind of world."""
    rules: str
    """Version of the world's rules."""
    judges: str | None = None
    """Version of the world's evaluators at that time; None if it was unknown."""
    workers: Annotated[list[str], Field(min_length=1)]
    """Names of the workers, in the world's order."""
    seed: int
    """Seed of the episode."""
    horizon: Annotated[int, Field(ge=1)] | None = None
    """Number of timesteps; None in an open episode, which runs until it is closed."""
    planner: str
    """Name of the planner."""
    planner_class: PlannerClass
    """What helps the planner."""
    people: list[str] | None = None
    """Workers that people play, even if only for a time."""
    seats: dict[str, SeatRecord] | None = None
    """The planner of each worker, if workers have planners of their own."""
    scenario_name: str
    """Name of the scenario."""
    scenario_digest: str
    """Digest of the scenario."""
    scenario: dict[str, Any]
    """The scenario as in its file, without the truth."""
    setup: dict[str, Any]
    """The world as plain data, as it was built."""


class Superstep(Record):
    """The graph ran some nodes together."""

    kind: Literal["superstep"] = "superstep"
    timestep: int
    """Timestep at which it happened."""
    nodes: list[str]
    """The nodes; "worker" stands once for each action, although scripted workers share one task."""


class EventRecord(Record):
    """An event reached the world.

    An event of kind `unauthorized` is a message whose sender had no right to send its `event`.
    """

    kind: Literal["event"] = "event"
    timestep: int
    """Timestep at which it happened."""
    number: int = 0
    """Its number in the mailbox, from 1; 0 if the planner made it to withdraw a request."""
    event: dict[str, Any]
    """The event as plain data."""
    injected: bool = False
    """Whether it was sent while the episode ran, rather than known beforehand."""
    refused: str | None = None
    """Why it was rejected; None if it was accepted."""
    made: str | None = None
    """Name of the thing that it created; the sender is told."""
    sender: str | None = None
    """Who sent it; None if nobody did."""


class TriggerRecord(Record):
    """A reason to call the planner."""

    kind: Literal["trigger"] = "trigger"
    timestep: int
    """Timestep at which it happened."""
    trigger: str
    """Kind of trigger."""
    cause: str
    """Description in words."""
    to: list[str] | None = None
    """In a team, the workers that are told; None: all."""


class Lookup(Record):
    """The planner looked up a text."""

    kind: Literal["lookup"] = "lookup"
    timestep: int
    """Timestep at which it happened."""
    key: str
    """The key of the text."""
    text: str
    """The text that was returned."""


class ModelCall(AnsweredRequest):
    """A planner called a model."""

    kind: Literal["model_call"] = "model_call"
    timestep: int
    """Timestep at which it happened."""
    number: int
    """Number of the call among those for the same plan, from 1."""
    purpose: Purpose
    """Why the model was called."""
    agent: str | None = None
    """The agent of a team that called it; None: the central planner."""
    unusable: AnswerFault | None = None
    """Why the answer could not be used; None if it could."""


class MessageRecord(Record):
    """An agent of a team sent a message to the others."""

    kind: Literal["message"] = "message"
    timestep: int
    """Timestep at which it happened."""
    agent: str
    """The sender."""
    text: str
    """The message."""


class PlanRecord(Record):
    """A planner's answer."""

    kind: Literal["plan"] = "plan"
    timestep: int
    """Timestep at which it happened. The schedule begins there."""
    agent: str | None = None
    """The agent of a team that planned; None: the central planner."""
    reasoning: str
    """The planner's explanation."""
    schedule: list[Entry]
    """The commands of each timestep, in order."""
    understood: dict[str, list[str]] | None = None
    """How the planner interpreted the texts, for each request."""
    doubts: list[str] | None = None
    """What the planner did not understand in the texts, one sentence each."""
    refused: str | None = None
    """Why the whole schedule was rejected as malformed."""
    gave_up: str | None = None
    """Why the planner made no schedule."""
    search: SearchRecord | None = None
    """The result of the search that made the schedule, if a search did."""


class MemoryRecord(Record):
    """A planner replaced what it keeps for its next call."""

    kind: Literal["memory"] = "memory"
    timestep: int
    """Timestep at which it happened."""
    agent: str | None = None
    """The agent of a team whose memory it is; None: the central planner."""
    kept: dict[str, Any]
    """The memory as plain data."""


class StepRecord(Record):
    """The workers acted in one timestep."""

    kind: Literal["step"] = "step"
    timestep: int
    """Number of the timestep."""
    commands: Entry
    """The commands, in order."""
    fails: dict[str, OutcomeRecord] = Field(default_factory=dict)
    """The FAILs, by worker."""
    digest: str
    """Digest of the state after the timestep."""


class ForkRecord(Record):
    """The run branches off another run at this point.

    The records before it are the unchanged lines of the other run. The records after it belong to
    this run.
    """

    kind: Literal["fork"] = "fork"
    timestep: int
    """Timestep at which the run branches off."""
    run: str
    """Name of the other run's folder."""
    planner: str
    """Name of the planner from here on."""
    planner_class: PlannerClass
    """What helps this planner."""
    seats: dict[str, SeatRecord] | None = None
    """The planner of each worker from here on, if workers have planners of their own."""
    setup: dict[str, Any] | None = None
    """The world from here on, if it was altered."""
    altered: str | None = None
    """The alteration, in words."""
    coming: list[Arrival] = Field(default_factory=list)
    """Future events in addition to those of the scenario."""


class End(Record):
    """Last line: the end of the episode."""

    kind: Literal["end"] = "end"
    timestep: int
    """Number of timesteps that were played."""
    termination: Termination
    """How the episode ended."""
    why: str
    """The reason, in words."""
    tally: Tally
    """The final score counters."""


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
    """Return a record as its line in the file, without digest and line end."""
    return record.model_dump_json(exclude_defaults=False, exclude_none=True)


class LineUp(NamedTuple):
    """The central planner, and the planners of single workers if there are any."""

    planner: str
    """Name of the planner."""
    seats: Mapping[str, SeatRecord] | None
    """The planner of each worker."""

    def apply_fork(self, fork: ForkRecord) -> LineUp:
        """Return the line-up after a fork.

        The seats stay if the fork names the same planner and none.
        """
        kept = self.seats if fork.planner == self.planner else None
        return LineUp(fork.planner, kept if fork.seats is None else fork.seats)


@dataclass(frozen=True)
class Trace:
    """All records of an episode, in order; the first is the header."""

    records: tuple[AnyRecord, ...]
    """The records, in order."""

    @cached_property
    def header(self) -> Header:
        """The first record."""
        first = self.records[0]
        assert isinstance(first, Header)
        return first

    @property
    def end(self) -> End | None:
        """The last record of a finished episode; None if the trace is unfinished."""
        last = self.records[-1]
        return last if isinstance(last, End) else None

    @property
    def planner(self) -> str:
        """Name of the planner; in a fork the names of all planners, in order."""
        return ", then ".join(name for name, _ in groupby(self.planners))

    @cached_property
    def planners(self) -> tuple[str, ...]:
        """Names of the first planner and of that after each fork."""
        return (self.header.planner, *(fork.planner for fork in self.of(ForkRecord)))

    @cached_property
    def line_up(self) -> LineUp:
        """The planners after the last record."""
        found = LineUp(self.header.planner, self.header.seats)
        for fork in self.of(ForkRecord):
            found = found.apply_fork(fork)
        return found

    @property
    def planner_class(self) -> PlannerClass:
        """The planner's class; `mixed` if there were planners of several classes."""
        first = self.header.planner_class
        alike = all(fork.planner_class == first for fork in self.of(ForkRecord))
        return first if alike else "mixed"

    def of(self, kind: type[R]) -> Iterator[R]:
        """Return the records of one kind, in order."""
        return (record for record in self.records if isinstance(record, kind))

    def lines(self) -> Iterator[str]:
        """Return the lines of the file, without line ends."""
        chain = Chain()
        return (chain.close(to_line(record)) for record in self.records)
