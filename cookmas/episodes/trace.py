"""The trace: a file of JSON lines, one for each occurrence, from which an episode can be replayed.

Every line is one of the records below. Its `kind` identifies it, and it ends with a digest of
itself and of all lines before it (`Chain`). `cookmas.episodes.trace_file` reads traces.
Measurements (seconds, money) are not part of a trace, so that equal runs write equal bytes.

    {"kind":"trigger", ... ,"chain":"5f0c2b9a4d3e1807"}

The digest is the first sixteen hexadecimal digits of the SHA-256 of two texts: the digest of the
previous line, and the line without its own digest. It detects accidental damage. It does not
protect against forgery, because anyone can compute the chain again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import Field

from cookmas.episodes.conversation import Spent
from cookmas.episodes.parts import (
    ALL_AS_THEY_ARE,
    AS_THEY_ARE,
    SCRIPTED,
    AnsweredRequest,
    AnswerFault,
    Arrival,
    Entry,
    OutcomeRecord,
    Purpose,
    Record,
    ReportRecord,
    RunningRecord,
    SearchRecord,
    mark_scripted,
)
from cookmas.episodes.world import Tally

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
"""The kind of help that a planner has. Results of different classes are never mixed.

`pure`: a model alone. `assisted`: a model, and checks in the simulator. `hybrid`: a model that only
reads. `embedded`: no model. `oracle`: no model, but the truth about the requests. `per-step`: a
model that is called at every timestep. `fixed`: a schedule from a file. `human`: people who plan or
play workers. `mixed`: planners of several classes, in a team, one after another in a fork, or
a fallback in an outage. `unknown`: a planner that failed before its class was known.
"""

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

`finished`: nothing was left to do. `closed`: nothing was left to do in an open episode that someone
closed. `horizon`: the last timestep was over. `won`, `lost`, `over`: the world ended the episode.
All other endings are early. After `planner_failed` the episode has failed; after
`infrastructure_error` it is unscored.
"""


class SeatRecord(Record):
    """The planner of one worker."""

    planner: str
    planner_class: PlannerClass


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
    """Version of the world's evaluators when the trace was written; None if it was unknown."""
    workers: Annotated[list[str], Field(min_length=1)]
    """Names of the workers, in the world's order."""
    seed: int
    """Seed of the episode."""
    horizon: Annotated[int, Field(ge=1)] | None = None
    """Number of timesteps; None in an open episode, which runs until it is closed."""
    planner: str
    """Name of the planner."""
    planner_class: PlannerClass
    """Class of the planner."""
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
    """The record of a superstep, in which the graph ran one or more nodes."""

    kind: Literal["superstep"] = "superstep"
    timestep: int
    """Timestep at which it happened."""
    nodes: list[str]
    """Names of the nodes that ran; "worker" is named once for each worker that acted.

    This holds even if the graph ran the node once for several scripted workers.
    """


class EventRecord(Record):
    """The record of an event that reached the world.

    An event of kind `unauthorized` stands for a message whose sender had no right to send the event
    in it.
    """

    kind: Literal["event"] = "event"
    timestep: int
    """Timestep at which it happened."""
    number: int = 0
    """Number of the event in the mailbox, from 1; 0 if the planner withdraws a request this way."""
    event: dict[str, Any]
    """The event as plain data."""
    injected: bool = False
    """True if the event was sent while the episode ran, rather than known beforehand."""
    refused: str | None = None
    """Why the event was rejected; None if it was accepted."""
    made: str | None = None
    """Name of the thing that the event created; the sender is told this name."""
    sender: str | None = None
    """Name of the sender; None if the event has none."""


class TriggerRecord(Record):
    """The record of a reason to call the planner."""

    kind: Literal["trigger"] = "trigger"
    timestep: int
    """Timestep at which it happened."""
    trigger: str
    """Kind of trigger."""
    cause: str
    """Description in words."""
    to: list[str] | None = None
    """In a team, the workers that are told of the trigger; None stands for all."""


class Lookup(Record):
    """The record of a text that the planner looked up."""

    kind: Literal["lookup"] = "lookup"
    timestep: int
    """Timestep at which it happened."""
    key: str
    """The key of the text."""
    text: str
    """The text that was returned."""


class ModelCall(AnsweredRequest):
    """The record of a planner's call of a model."""

    kind: Literal["model_call"] = "model_call"
    timestep: int
    """Timestep at which it happened."""
    number: int
    """Number of the call among those for the same plan, from 1."""
    purpose: Purpose
    """Why the model was called."""
    agent: str | None = None
    """The agent of a team that called the model; None stands for the central planner."""
    unusable: AnswerFault | None = None
    """Why the answer could not be used; None if it could."""


class MessageRecord(Record):
    """The record of a message that an agent of a team sent to the others."""

    kind: Literal["message"] = "message"
    timestep: int
    """Timestep at which it happened."""
    agent: str
    """The sender."""
    text: str
    """The message."""


class PlanRecord(Record):
    """The record of a planner's answer."""

    kind: Literal["plan"] = "plan"
    timestep: int
    """Timestep of the answer, at which the schedule begins."""
    agent: str | None = None
    """The agent of a team that planned; None stands for the central planner."""
    reasoning: str
    """The planner's explanation."""
    schedule: Annotated[list[Entry], ALL_AS_THEY_ARE]
    """The commands of each timestep, in order."""
    understood: dict[str, list[str]] | None = None
    """How the planner interpreted the texts, for each request."""
    doubts: list[str] | None = None
    """What the planner did not understand in the texts, one sentence each."""
    refused: str | None = None
    """Why the whole schedule was rejected as malformed; None if it was not."""
    gave_up: str | None = None
    """Why the planner gave up; None if it did not."""
    by: str | None = None
    """Name of the fallback planner, if it answered; None if the episode's own planner did."""
    by_class: PlannerClass | None = None
    """The class of the fallback planner."""
    asked: int | None = None
    """Timestep at which the planner was called, if it was an earlier one; None if it was not."""
    due: int | None = None
    """Timestep at which the answer takes effect, if thinking takes time; None: at once."""
    expected: int | None = None
    """Timestep at which it was expected to take effect, if this is an earlier one; else None."""
    search: SearchRecord | None = None
    """The record of the search that found the schedule; None if there was no search."""
    queued: Literal[True] | None = None
    """True if the actions of each worker are a queue; None if each belongs to its timestep alone.
    """


class ChargeRecord(Record):
    """The record of what an answer costs at a price of thinking in tokens or seconds.

    It follows the answer's model calls. An answer without any units has none.
    """

    kind: Literal["charge"] = "charge"
    timestep: int
    """Timestep at which it happened."""
    agent: str | None = None
    """The agent of a team that answered; None stands for the central planner."""
    takes: int
    """Whole timesteps until the answer takes effect."""
    rest: float
    """Tokens or seconds that are left over, and count towards the next answer."""


class EffectRecord(Record):
    """The record that an answer takes effect at a later timestep than that of its call.

    It was checked in the simulator. Its schedule begins at the timestep of the call, and what it
    says of the timesteps since is over. If it would FAIL later so, or by a wall clock would lose
    actions, it begins later: by the timesteps by which the answer took longer than expected, or
    now.
    """

    kind: Literal["effect"] = "effect"
    timestep: int
    """Timestep at which the answer takes effect."""
    begin: int
    """Timestep of the schedule's first entry."""


class MemoryRecord(Record):
    """The record of a planner's new memory: the data that it keeps for its next call."""

    kind: Literal["memory"] = "memory"
    timestep: int
    """Timestep at which it happened."""
    agent: str | None = None
    """The agent of a team whose memory it is; None stands for the central planner."""
    kept: dict[str, Any]
    """The memory as plain data."""


class StepRecord(Record):
    """The record of one timestep: the workers' actions and their FAILs."""

    kind: Literal["step"] = "step"
    timestep: int
    """Number of the timestep."""
    commands: Annotated[Entry, AS_THEY_ARE]
    """The commands, in order."""
    fails: dict[str, OutcomeRecord] = Field(default_factory=dict)
    """The FAILs, by worker."""
    reports: dict[str, ReportRecord] | None = None
    """The reports of workers that say more than that the command was carried out, by worker."""
    claimed: dict[str, str] | None = None
    """Why actions could not begin because others claimed the same, by worker; None if all could."""
    payloads: dict[str, Any] | None = None
    """The data that went with the assignments that began, by worker; None if there were none."""
    elapsed: Literal[True] | None = None
    """True if the timestep had passed, by a wall clock, before anybody could act; else None."""
    digest: str
    """Digest of the state after the timestep."""


class ForkRecord(Record):
    """The record that marks where the run branches off another run.

    The earlier records are unchanged lines of the other run. The later records belong to this run.
    """

    kind: Literal["fork"] = "fork"
    timestep: int
    """Timestep at which the run branches off."""
    run: str
    """Name of the other run's folder."""
    planner: str
    """Name of the planner from here on."""
    planner_class: PlannerClass
    """Class of this planner."""
    seats: dict[str, SeatRecord] | None = None
    """The planner of each worker from here on, if workers have planners of their own."""
    setup: dict[str, Any] | None = None
    """The world from here on, if it was altered."""
    altered: str | None = None
    """The alteration, in words."""
    coming: list[Arrival] = Field(default_factory=list)
    """Future events, in addition to those of the scenario."""


class PartRecord(Record):
    """The beginning of a part of the trace of an open episode, every 1,000 timesteps.

    A reader can begin here: the record has what the lines before it amount to.
    """

    kind: Literal["part"] = "part"
    timestep: int
    """First timestep of the part."""
    number: int
    """Number of the part; the part before the first such record has the number 0."""
    records: int
    """Number of records before this one."""
    state: dict[str, Any]
    """State of the world as plain data."""
    spent: dict[str, Spent]
    """Calls and tokens spent on models, by agent; "" stands for the central planner."""
    texts: dict[str, str]
    """Texts that were looked up, by key."""
    running: dict[str, RunningRecord] | None = None
    """The actions that outlast their timestep, by worker; None if there are none."""


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

    @property
    def interrupted(self) -> bool:
        """True if an infrastructure error ended the episode, so that it can go on."""
        return self.termination == "infrastructure_error"


AnyRecord = (
    Header
    | PartRecord
    | Superstep
    | EventRecord
    | TriggerRecord
    | Lookup
    | ModelCall
    | MessageRecord
    | PlanRecord
    | ChargeRecord
    | EffectRecord
    | MemoryRecord
    | StepRecord
    | ForkRecord
    | End
)

R = TypeVar("R", bound=Record)


def begin_line(kind: str) -> str:
    """Return the text with which the line of each record of a kind begins."""
    return f'{{"kind":"{kind}",'


def to_line(record: Record) -> str:
    """Return the line of a record in the file, without digest and line end."""
    return record.model_dump_json(exclude_defaults=False, exclude_none=True)


class LineUp(NamedTuple):
    """The central planner, and the planners of single workers if there are any."""

    planner: str
    seats: Mapping[str, SeatRecord] | None
    """The planner of each worker; None if workers have no planners of their own."""

    def apply_fork(self, fork: ForkRecord) -> LineUp:
        """Return the line-up after a fork.

        If the fork names the same planner and no seats, the seats do not change.
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
    def interrupted(self) -> bool:
        """True if an infrastructure error ended the episode."""
        return self.end is not None and self.end.interrupted

    @property
    def planner(self) -> str:
        """Name of the planner; after forks, the names of all planners in order.

        The name says so if the scripted model answered a call.
        """
        name = ", then ".join(name for name, _ in groupby(self.planners))
        return mark_scripted(name) if SCRIPTED in self.answerers else name

    @cached_property
    def answerers(self) -> tuple[str, ...]:
        """Names of the models that answered, sorted."""
        return tuple(sorted({call.answerer for call in self.of(ModelCall)}))

    @cached_property
    def scripted_agents(self) -> tuple[str, ...]:
        """The agents of a team for which the scripted model answered, sorted."""
        scripted = (call for call in self.of(ModelCall) if call.answerer == SCRIPTED)
        return tuple(sorted({call.agent for call in scripted if call.agent is not None}))

    @cached_property
    def planners(self) -> tuple[str, ...]:
        """Names of the first planner and of the planner after each fork."""
        return (self.header.planner, *(fork.planner for fork in self.of(ForkRecord)))

    @cached_property
    def line_up(self) -> LineUp:
        """The planners after the last record."""
        line_up = LineUp(self.header.planner, self.header.seats)
        for fork in self.of(ForkRecord):
            line_up = line_up.apply_fork(fork)
        return line_up

    @property
    def planner_class(self) -> PlannerClass:
        """The planner's class; `mixed` if there were planners of several classes."""
        first = self.header.planner_class
        alike = all(fork.planner_class == first for fork in self.of(ForkRecord))
        alike = alike and all(plan.by_class in (None, first) for plan in self.of(PlanRecord))
        return first if alike else "mixed"

    def of(self, kind: type[R]) -> Iterator[R]:
        """Return the records of one kind, in order."""
        return (record for record in self.records if isinstance(record, kind))

    def lines(self) -> Iterator[str]:
        """Return the lines of the file, without line ends."""
        chain = Chain()
        return (chain.close(to_line(record)) for record in self.records)


_LINK = re.compile(r',"chain":"([0-9a-f]{16})"\}\Z')


class Chain:
    """A chain of digests; `last` is the digest of the latest line."""

    def __init__(self, last: str = "") -> None:
        self.last = last

    @classmethod
    def continue_after(cls, line: str) -> Chain:
        """Return the chain that continues after a line; the line itself is not checked."""
        return cls(split_line(line)[1] or "")

    def close(self, body: str) -> str:
        """Return the next line: the JSON object `body` with its digest as the last field."""
        self.last = self._digest(body)
        return f'{body[:-1]},"chain":"{self.last}"}}'

    def takes(self, line: str) -> bool:
        """Return whether a line is the next line of the chain; if it is, advance past it."""
        body, link = split_line(line)
        if link is None or link != self._digest(body):
            return False
        self.last = link
        return True

    def _digest(self, body: str) -> str:
        return hashlib.sha256((self.last + body).encode()).hexdigest()[:16]


def split_line(line: str) -> tuple[str, str | None]:
    """Return a line without its digest, and the digest; None stands for a missing digest."""
    link = _LINK.search(line)
    return (line[: link.start()] + "}", link[1]) if link else (line, None)
