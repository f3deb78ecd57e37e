"""Forks: the state of the graph at the beginning of any timestep, made of the trace before it.

A fork's trace begins with the lines of its parent up to a timestep, and with a record that says so.
The graph's state there is made by simulating these lines, as replay does: nothing but the trace is
needed, and the parent's checkpoints say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from episodes.capabilities import movers
from episodes.engine import Fails, progress
from episodes.instruction import MOST_INSTRUCTIONS, apply_event, is_instruction
from episodes.replay import after_step, behind_fork
from episodes.trace import (
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
from episodes.trace_file import whole_lines
from episodes.world import Outcome, Trigger, World, digest
from files.errors import InputError, TraceError
from orchestrator.graph.central import PLANNER
from orchestrator.graph.concerns import left_untold
from orchestrator.graph.standing import standing
from orchestrator.graph.state import THE_PLANNER, Acts, Standing, State, fails_data, trigger_data
from orchestrator.graph.team import AGENT, MOST_HEARD

HANDOVER = "handover"
"""The kind of trigger that says that another planner plans from here, or elsewhere than before."""

_FORK = '{"kind":"fork",'


def kept_records(trace: Trace, timestep: int) -> int:
    """How many records a trace has before the events of a timestep; forks there are among them.

    Raises InputError if the trace does not reach so far.
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


def lines_to_fork(path: Path) -> int:
    """How many lines a trace has up to the last fork in it; 0 if there is none, or no trace."""
    if not path.exists():
        return 0
    numbered = enumerate(whole_lines(path), start=1)
    return max((number for number, line in numbered if line.startswith(_FORK)), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewound:
    """Where an episode was: its world, the world's state, and the state of the graph."""

    world: World[Any]
    seen: Any
    state: State


def rewound(trace: Trace, world: World[Any]) -> Rewound:
    """Where an episode stands behind the last record of a trace, before its timestep's events.

    The trace has been cut off behind a step, or behind forks that follow one. If these say that
    another planner plans, or that the world is another, the planner is called. Raises TraceError if
    the trace does not replay.
    """
    horizon = trace.header.horizon
    line_up = LineUp(trace.header.planner, trace.header.seats)
    rewinding = _Rewinding(world, world.start(), horizon, open=horizon is None, line_up=line_up)
    for number, record in enumerate(trace.records):
        rewinding.take(number, record)
    return rewinding.rewound(trace)


@dataclass(slots=True)
class _Rewinding:
    """Goes through a trace as the graph did, and knows what the graph's state was.

    `opening` is whether the world's superstep that opens this timestep is not over yet, `events`
    and `triggers` are what it has found so far, `acted` whether the workers' superstep came before
    it; `asked` is the timestep at which who plans was asked last, `moved` those of the `team` whom
    something concerned there. `said` are the numbers of messages.
    """

    world: World[Any]
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
    standing: Standing = field(default_factory=dict)
    moved: Sequence[str] = ()
    untold: dict[str, Any] = field(default_factory=dict)
    said: list[int] = field(default_factory=list)
    acted: bool = False
    acts: Acts = field(default_factory=lambda: Acts())

    @property
    def team(self) -> Sequence[str]:
        """The workers who plan for themselves."""
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
                self.line_up = self.line_up.behind(record)
            case StepRecord():
                self._step(record)

    def _event(self, record: EventRecord) -> None:
        if record.refused:
            return
        self.state, ruling = apply_event(self.world, self.state, record.event)
        self.news = [*self.news, ruling.trigger] if ruling.trigger else self.news

    def _superstep(self, record: Superstep) -> None:
        if self.opening:
            self._opened()
        self.opening = record.nodes == ["kitchen"]
        self.acted = self.acted if self.opening else set(record.nodes) == {"worker"}
        talking = record.nodes == [AGENT] and self.asked == record.timestep
        if record.nodes in ([PLANNER], [AGENT]) and not talking:
            self.stalled += bool(self.triggers)
            self.asked = record.timestep
            self.untold = {n: told for n, told in self.untold.items() if n not in self.moved}
        self.events, self.triggers = 0, []

    def _opened(self) -> None:
        """A timestep has been opened: whether there was progress, as the world counts it."""
        if self.world.finished(self.state) or (self.open and self.events):
            self.stalled, self.seen = 0, []
        elif self.triggers:
            made = digest(self.world.made(self.state))
            self.stalled, self.seen = progress(self.stalled, self.seen, made)
        moving = movers(self.world, self.state)
        self.moved = [
            name
            for name in self.team
            if name in moving
            and (name in self.untold or any(each.concerns(name) for each in self.triggers))
        ]
        self.untold = left_untold(self.team, self.moved, self.triggers, self.fails, self.untold)

    def _answer(self, number: int, record: PlanRecord) -> None:
        """A planner's answer stands from its timestep on."""
        length = 0 if record.refused else len(record.schedule)
        answers = {record.agent or THE_PLANNER: (number, length)}
        before = self.standing if record.agent else {}
        self.standing = standing(before, answers, record.timestep, self.horizon)

    def _step(self, record: StepRecord) -> None:
        alone = not record.commands and not movers(self.world, self.state)
        self.state, _, happened = after_step(record, self.world, self.state)
        self.timestep = record.timestep + 1
        actions = dict(record.commands)
        if self.acted:
            by: dict[str, tuple[str, str | None, str | None]] = {
                str(n): (*command, None) for n, command in enumerate(record.commands)
            }
            self.acts, self.acted = Acts(timestep=record.timestep, by=by), False
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

    def rewound(self, trace: Trace) -> Rewound:
        """Where all of this leads."""
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
            schedule={n: self.standing[n] for n in order if n in self.standing},
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
    """Why the planner is to be called behind these forks; None where it goes on as it was."""
    changed = [f.altered for f in forks if isinstance(f, ForkRecord) and f.altered]
    if before.line_up != trace.line_up:
        changed.append(f"{trace.planners[-1]} plans from here on")
    return "; ".join(reversed(changed)) or None
