"""Restoring: the state from which an episode continues, from a checkpoint or from a trace.

A checkpoint is checked before it is used. A fork has no checkpoint when it begins. The trace of a
fork begins with the lines of its parent up to a timestep, and a record of the fork. Simulating
these lines, as replay does, gives the state of the graph that the parent's checkpoints have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.types import Interrupt, Send
from pydantic import BaseModel, TypeAdapter

from cookmas.episodes.base import movers
from cookmas.episodes.engine import Fails, progress
from cookmas.episodes.instruction import MOST_INSTRUCTIONS, apply_event, is_instruction
from cookmas.episodes.replay import after_step, behind_fork
from cookmas.episodes.trace import (
    AnyRecord,
    EventRecord,
    ForkRecord,
    Header,
    LineUp,
    MemoryRecord,
    MessageRecord,
    PlanRecord,
    StepRecord,
    Superstep,
    Trace,
    TriggerRecord,
)
from cookmas.episodes.world import AnyWorld, Outcome, Trigger, digest
from cookmas.files.errors import InputError, TraceError
from cookmas.orchestrator.checkpoints.serializer import ForgedCheckpointError
from cookmas.orchestrator.graph.central import PLANNER
from cookmas.orchestrator.graph.observation import postpone
from cookmas.orchestrator.graph.plans import activate
from cookmas.orchestrator.graph.state import (
    THE_PLANNER,
    ActiveSchedules,
    Acts,
    Assignment,
    State,
    Together,
    acts_of,
    fails_data,
    trigger_data,
)
from cookmas.orchestrator.graph.team import AGENT, MOST_HEARD
from cookmas.orchestrator.graph.timestep import WORLD
from cookmas.workers.person import Asked

HANDOVER = "handover"
"""The kind of trigger at a fork: another planner takes over, or the world was changed."""

_FORK = '{"kind":"fork",'
"""The beginning of the line of a fork in a trace."""

Versions = dict[str, str | int | float]


class _Checkpoint(BaseModel):
    """The parts of a checkpoint that LangGraph needs; `step` counts its supersteps."""

    id: str
    step: int
    channel_values: dict[str, Any]
    channel_versions: Versions
    versions_seen: dict[str, Versions]


_STATE = TypeAdapter(State)
_COMMANDS = TypeAdapter(list[tuple[str, str]])
_SENT: TypeAdapter[Any] = TypeAdapter(Assignment | Together)
_ASKED = TypeAdapter(Asked)


def check_state(found: CheckpointTuple, where: str) -> None:
    """Raise ForgedCheckpointError if the graph cannot continue from a checkpoint.

    `where` names the database in the error.
    """
    try:
        _Checkpoint.model_validate({**found.checkpoint, "step": found.metadata["step"]})
        for channel, value in channels(found):
            _check(channel, value)
    except Exception as error:
        raise ForgedCheckpointError(where) from error


def check_against(trace: Trace, found: CheckpointTuple, world: AnyWorld[Any], where: str) -> None:
    """Raise ForgedCheckpointError unless a checkpoint fits both its trace and its world.

    `trace` ends where the checkpoint was written. `where` names the database in the error.
    """
    try:
        timestep = 0
        for channel, value in channels(found):
            if channel == "timestep":
                timestep = value
            if channel == "world":
                _try(world, world.load(value))
        if timestep != sum(1 for _ in trace.of(StepRecord)):
            raise ValueError(timestep)
    except Exception as error:
        raise ForgedCheckpointError(where) from error


def _try(world: AnyWorld[Any], state: Any) -> None:
    """Call the methods that the graph calls for a state of a world, to find errors."""
    world.is_finished(state)
    world.tally(state)
    world.progress_key(state)
    world.lookups(state)


def channels(found: CheckpointTuple) -> Iterator[tuple[str, Any]]:
    """Yield the channels of a checkpoint (the parts of the graph's state) with their values.

    The values that nodes have written since the checkpoint come last.
    """
    yield from found.checkpoint["channel_values"].items()
    for _, channel, value in found.pending_writes or ():
        yield channel, value


def _check(channel: str, value: Any) -> None:
    if channel in State.__annotations__:
        _STATE.validate_python({channel: value})
    if channel == "commands":
        _COMMANDS.validate_python(value)
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, Send):
            _SENT.validate_python(each.arg)
        if isinstance(each, Interrupt):
            _ASKED.validate_python(each.value)


def count_kept_records(trace: Trace, timestep: int) -> int:
    """Return the number of records before the events of a timestep.

    Forks at that timestep count too. Raises InputError if the trace does not reach this timestep.
    """
    last, count = -1, 0
    for number, record in enumerate(trace.records, start=1):
        if isinstance(record, StepRecord):
            last = record.timestep
        if last + 1 == timestep and isinstance(record, Header | StepRecord | ForkRecord):
            count = number
    if not count:
        raise InputError("--at", f"expected a timestep from 0 to {last + 1}, not {timestep}")
    return count


def lines_to_fork(lines: Iterable[str]) -> int:
    """Return the number of lines up to and including the last fork; 0 without a fork."""
    numbered = enumerate(lines, start=1)
    return max((number for number, line in numbered if line.startswith(_FORK)), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewound:
    """The state of an episode at an earlier timestep."""

    world: AnyWorld[Any]
    """The world."""
    seen: Any
    """The state of the world."""
    state: State
    """The state of the graph."""


def rewind(trace: Trace, world: AnyWorld[Any]) -> Rewound:
    """Return the state of an episode after the last record of `trace`.

    The trace ends before the events of a timestep: with its header or a step, which forks may
    follow. If such a fork changes the planner or the world, the state has a trigger that calls the
    planner. `world` is the world in which the run began. Raises TraceError if the trace does not
    replay.
    """
    horizon = trace.header.horizon
    line_up = LineUp(trace.header.planner, trace.header.seats)
    rewinding = _Rewinding(world, world.start(), horizon, open=horizon is None, line_up=line_up)
    for number, record in enumerate(trace.records):
        rewinding.take(number, record)
    return rewinding.result(trace)


@dataclass(slots=True)
class _Rewinding:
    """A computation of the graph's state from a trace, record by record.

    `timestep`, `fails`, `cursor`, `stalled`, `seen`, `memory`, `untold`, `said` and `acts` become
    the fields of that name in `State`; `schedules` becomes `schedule`, and `told` becomes
    `instructions`. `state` is the state of the world. `news` are the triggers that arise before the
    next timestep is opened. `opening` is true during the world's superstep that opens a timestep;
    `events` is the number of events in this superstep so far, and `triggers` are its triggers so
    far. `acted` is true if the workers' superstep came before the world's. `asked` is the last
    timestep at which the planner was called, `moved` are the agents of the `team` that were called
    at that timestep.
    """

    world: AnyWorld[Any]
    state: Any
    horizon: int | None
    open: bool
    line_up: LineUp
    timestep: int = 0
    news: Sequence[Trigger] = ()
    fails: Fails = field(default_factory=dict)
    cursor: int = 0
    opening: bool = False
    events: int = 0
    triggers: list[Trigger] = field(default_factory=list)
    stalled: int = 0
    seen: list[str] = field(default_factory=list)
    memory: dict[str, int] = field(default_factory=dict)
    told: list[list[Any]] = field(default_factory=list)
    asked: int | None = None
    schedules: ActiveSchedules = field(default_factory=dict)
    moved: Sequence[str] = ()
    untold: dict[str, Any] = field(default_factory=dict)
    said: list[int] = field(default_factory=list)
    acted: bool = False
    acts: Acts = field(default_factory=lambda: Acts())

    @property
    def team(self) -> Sequence[str]:
        """The workers that plan for themselves."""
        return [name for name in self.world.workers if name in (self.line_up.seats or {})]

    def take(self, number: int, record: AnyRecord) -> None:
        match record:
            case Superstep():
                self._superstep(record)
            case EventRecord():
                self._event(record)
                self.cursor = record.number or self.cursor
                self.events += 1
                if is_instruction(record.event) and not record.refused:
                    self.told.append([record.timestep, record.event["words"]])
            case TriggerRecord():
                to = None if record.to is None else tuple(record.to)
                self.triggers.append(Trigger(kind=record.trigger, cause=record.cause, to=to))
            case PlanRecord() if not (record.agent and record.refused):
                self._answer(number, record)
            case MessageRecord():
                self.said = [*self.said, number][-MOST_HEARD:]
            case MemoryRecord():
                self.memory[record.agent or THE_PLANNER] = number
            case ForkRecord():
                self.world = behind_fork(record, self.world, self.state)
                self.open = False
                self.line_up = self.line_up.apply_fork(record)
            case StepRecord():
                self._step(record)

    def _event(self, record: EventRecord) -> None:
        if record.refused:
            return
        self.state, ruling = apply_event(self.world, self.state, record.event)
        self.news = [*self.news, ruling.trigger] if ruling.trigger else self.news

    def _superstep(self, record: Superstep) -> None:
        if self.opening:
            self._note_opening()
        self.opening = record.nodes == [WORLD]
        self.acted = self.acted if self.opening else set(record.nodes) == {"worker"}
        talking = record.nodes == [AGENT] and self.asked == record.timestep
        if record.nodes in ([PLANNER], [AGENT]) and not talking:
            self.stalled += bool(self.triggers)
            self.asked = record.timestep
            self.untold = {n: told for n, told in self.untold.items() if n not in self.moved}
        self.events, self.triggers = 0, []

    def _note_opening(self) -> None:
        """Update the count of calls without progress, and the agents that the triggers concern."""
        if self.world.is_finished(self.state) or (self.open and self.events):
            self.stalled, self.seen = 0, []
        elif self.triggers:
            made = digest(self.world.progress_key(self.state))
            self.stalled, self.seen = progress(self.stalled, self.seen, made)
        moving = movers(self.world, self.state)
        self.moved = [
            name
            for name in self.team
            if name in moving
            and (name in self.untold or any(each.concerns(name) for each in self.triggers))
        ]
        self.untold = postpone(self.team, self.moved, self.triggers, self.fails, self.untold)

    def _answer(self, number: int, record: PlanRecord) -> None:
        """Activate a planner's answer."""
        length = 0 if record.refused else len(record.schedule)
        answers = {record.agent or THE_PLANNER: (number, length)}
        before = self.schedules if record.agent else {}
        self.schedules = activate(before, answers, record.timestep, self.horizon)

    def _step(self, record: StepRecord) -> None:
        alone = not record.commands and not movers(self.world, self.state)
        self.state, _, happened = after_step(record, self.world, self.state)
        self.timestep = record.timestep + 1
        actions = dict(record.commands)
        if self.acted:
            self.acts, self.acted = acts_of(record.timestep, record.commands), False
        fails = {
            worker: (
                actions.get(worker, ""),
                Outcome(fail.fail, fail.why, tuple(fail.witnesses or ())),
            )
            for worker in self.world.workers
            if (fail := record.fails.get(worker))
        }
        self.fails = {**self.fails, **fails} if alone else fails
        self.news = [*self.news, *happened] if alone else happened

    def result(self, trace: Trace) -> Rewound:
        """Return the state after all records of `trace`, which have been taken before."""
        taken = list(takewhile(lambda r: isinstance(r, ForkRecord), reversed(trace.records)))
        before = Trace(trace.records[: len(trace.records) - len(taken)])
        why = _handover(before, trace, taken)
        triggers = [*self.news, *([Trigger(kind=HANDOVER, cause=why)] if why else [])]
        dumped = self.world.dump(self.state)
        steps = [record for record in trace.records if isinstance(record, StepRecord)]
        if steps and digest(dumped) != steps[-1].digest:
            at = steps[-1].timestep
            raise TraceError(
                f"the trace does not replay at timestep {at}; 'cookmas replay' says how"
            )
        same = before.line_up == trace.line_up
        order = [THE_PLANNER, *self.world.workers]
        state = State(
            timestep=self.timestep,
            world=dumped,
            schedule={n: self.schedules[n] for n in order if n in self.schedules},
            commands=[],
            acts=self.acts,
            triggers=[trigger_data(trigger) for trigger in triggers],
            fails=fails_data(self.fails),
            away={},
            fresh=[],
            cursor=self.cursor,
            records=len(trace.records),
            stalled=self.stalled,
            seen=self.seen,
            memory=self.memory if same else {},
            instructions=self.told[-MOST_INSTRUCTIONS:],
            talk={},
            said=self.said,
            asked=[],
            untold=self.untold if same else {},
            asleep=False,
            forked=self.timestep > 0,
            ended=None,
        )
        return Rewound(world=self.world, seen=self.state, state=state)


def _handover(before: Trace, trace: Trace, forks: Sequence[AnyRecord]) -> str | None:
    """Return why the planner must be called after `forks`; None if it need not be.

    `before` is the part of `trace` before these forks.
    """
    changed = [f.altered for f in forks if isinstance(f, ForkRecord) and f.altered]
    if before.line_up != trace.line_up:
        changed.append(f"{trace.planners[-1]} plans from here on")
    return "; ".join(reversed(changed)) or None
