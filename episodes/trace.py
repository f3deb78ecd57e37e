"""The trace: one JSON line for each thing that happened, enough to simulate it all again.

Every line is one of the records below, told apart by `kind`. Measurements (seconds, money) are not
in it, so that the same run gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from episodes.conversation import Message, ToolCall, Usage
from episodes.errors import MissingError, TraceError
from episodes.world import Command, Tally

SCHEMA = 2
"""Version of the trace format."""

PlannerClass = Literal["pure", "assisted", "hybrid", "embedded", "oracle", "per-step", "fixed"]
"""What helped a planner, in this order: a model alone; a model and checks in the simulator; a model
that only reads; no model at all; no model, and the truth of what is asked for; a model called at
every timestep; a schedule made beforehand.
Results are never mixed across these."""

Termination = Literal[
    "finished", "horizon", "gave_up", "no_progress", "budget", "infrastructure_error"
]
"""How an episode ended: with nothing left to do, at its last timestep, or early. After an
infrastructure error nothing is scored."""

Entry = list[Command]
"""The commands of one timestep of a schedule, in order; a line of the trace has each as a pair."""


class Record(BaseModel):
    """Base of all trace records."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Header(Record):
    """First line: what is played, by whom, under which rules.

    `setup` is the world as it was built, `scenario` the scenario as its file says, without truth.
    """

    kind: Literal["header"] = "header"
    schema_version: int = SCHEMA
    world: str
    rules: str
    workers: list[str]
    seed: int
    horizon: int
    planner: str
    planner_class: PlannerClass
    scenario_name: str
    scenario_digest: str
    scenario: dict[str, Any]
    setup: dict[str, Any]


class Superstep(Record):
    """The graph ran these nodes at this timestep, together."""

    kind: Literal["superstep"] = "superstep"
    timestep: int
    nodes: list[str]


class EventRecord(Record):
    """An event reached the world: `number` is its place in the mailbox, `refused` why not taken."""

    kind: Literal["event"] = "event"
    timestep: int
    number: int
    event: dict[str, Any]
    injected: bool = False
    refused: str | None = None


class TriggerRecord(Record):
    """The orchestrator is called because of this."""

    kind: Literal["trigger"] = "trigger"
    timestep: int
    trigger: str
    cause: str


class Lookup(Record):
    """The orchestrator looked something up, such as a recipe: the text is what it got."""

    kind: Literal["lookup"] = "lookup"
    timestep: int
    key: str
    text: str


Purpose = Literal["plan", "repair", "step", "read", "lookup", "turn"]
"""What a model is called for: a schedule, its repair, one timestep, reading, going on after a
look-up, one agent's turn in a team."""


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
    """

    kind: Literal["model_call"] = "model_call"
    timestep: int
    number: int
    purpose: Purpose
    agent: str | None = None


class MessageRecord(Record):
    """A member of a team said something to the others."""

    kind: Literal["message"] = "message"
    timestep: int
    agent: str
    text: str


class PlanRecord(Record):
    """A planner's answer: a schedule from this timestep on, the commands of each timestep in order.

    `understood` is what it took from the texts, for each thing asked for, where it says so.
    `doubts` are what it did not understand of them, a sentence each, where there is any.
    `refused` is why a malformed schedule was refused whole; `gave_up` why there is no schedule.
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


class OutcomeRecord(Record):
    """Why an action FAILed, by the world's closed list and in one sentence."""

    fail: str
    why: str


class StepRecord(Record):
    """One timestep: the commands in order, the FAILs by worker, the digest of the state after."""

    kind: Literal["step"] = "step"
    timestep: int
    commands: Entry
    fails: dict[str, OutcomeRecord] = Field(default_factory=dict)
    digest: str


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
    | StepRecord
    | End
)

_RECORD: TypeAdapter[AnyRecord] = TypeAdapter(Annotated[AnyRecord, Field(discriminator="kind")])

R = TypeVar("R", bound=Record)


def to_line(record: Record) -> str:
    """A record as its line in the file, without the end of line."""
    return record.model_dump_json(exclude_defaults=False, exclude_none=True)


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
        """The last record of a finished episode; None where the trace breaks off."""
        last = self.records[-1]
        return last if isinstance(last, End) else None

    def of(self, kind: type[R]) -> Iterator[R]:
        """The records of one kind, in order."""
        return (record for record in self.records if isinstance(record, kind))

    def lines(self) -> Iterator[str]:
        """The lines of the file."""
        return map(to_line, self.records)


def parse_trace(lines: Iterable[str], name: str) -> Trace:
    """Read a trace from its lines. Raises TraceError with the line and what is wrong."""
    records: list[AnyRecord] = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(_RECORD.validate_json(line))
        except ValidationError as error:
            problem = error.errors()[0]["msg"]
            raise TraceError(f"{name}, line {number}: is no trace record ({problem})") from None
    _check(records, name)
    return Trace(tuple(records))


def _check(records: Sequence[AnyRecord], name: str) -> None:
    if not records or not isinstance(records[0], Header):
        raise TraceError(f"{name}: is no trace, the first line should be its header")
    version = records[0].schema_version
    if version != SCHEMA:
        raise TraceError(f"{name}: has trace format {version}; this version reads {SCHEMA}")


def read_trace(path: Path) -> Trace:
    """Read a trace file. Raises MissingError or TraceError."""
    try:
        with path.open(encoding="utf-8") as file:
            return parse_trace((line for line in file if line.strip()), str(path))
    except FileNotFoundError:
        raise MissingError(f"{path}: there is no such trace") from None
    except (OSError, UnicodeDecodeError) as error:
        raise TraceError(f"{path}: cannot be read ({error})") from None
