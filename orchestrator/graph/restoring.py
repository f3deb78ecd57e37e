"""Restoring: the state from which a fork continues, which is simulated from its trace.

A fork has no checkpoint when it begins. Its trace begins with the lines of its parent up to a
timestep, and a record of the fork. Simulating these lines, as replay does, gives the state of the
graph that the parent's checkpoints have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from cookmas.episodes.base import World
from cookmas.episodes.instruction import apply_event
from cookmas.episodes.replay import after_step, behind_fork
from cookmas.episodes.trace import (
    AnyRecord,
    EventRecord,
    ForkRecord,
    Header,
    LineUp,
    StepRecord,
    Superstep,
    Trace,
)
from cookmas.episodes.world import Trigger, digest
from cookmas.files.errors import InputError, TraceError
from cookmas.orchestrator.graph.bookkeeping import Change, Conditions, write
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.graph.state import (
    FIRST_STATE,
    WORKER,
    State,
    acts_of,
    trigger_data,
)

HANDOVER = "handover"
"""The kind of trigger at a fork: another planner takes over, or the world was changed."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewound:
    """The state of an episode at an earlier timestep."""

    world: World
    """The world."""
    seen: Any
    """The state of the world."""
    state: State
    """The state of the graph."""


def rewind(trace: Trace, world: World) -> Rewound:
    """Return the state of an episode after the last record of `trace`.

    The trace ends before the events of a timestep: with its header or a step, which forks may
    follow. If such a fork changes the planner or the world, the state has a trigger that calls the
    planner. `world` is the world in which the run began. Raises TraceError if the trace does not
    replay.
    """
    horizon, line_up = trace.header.horizon, LineUp(trace.header.planner, trace.header.seats)
    conditions = Conditions(world, _team(world, line_up), horizon, horizon is None, Recorder())
    state: State = {**FIRST_STATE, "world": world.start()}
    step: StepRecord | None = None
    acted = -1
    for record in trace.records:
        if isinstance(record, ForkRecord):
            line_up = line_up.apply_fork(record)
            world = behind_fork(record, conditions.world, state["world"])
            conditions = conditions._replace(world=world, team=_team(world, line_up), is_open=False)
        elif isinstance(record, StepRecord):
            step = record
        elif isinstance(record, Superstep) and WORKER in record.nodes:
            acted = record.timestep
        change = _replay(record, conditions.world, state["world"])
        state = write(state, record, conditions, change)
    dumped = conditions.world.dump(state["world"])
    if step and digest(dumped) != step.digest:
        raise TraceError(
            f"the trace does not replay at timestep {step.timestep}; 'cookmas replay' says how"
        )
    if step and step.timestep == acted:
        state["acts"] = acts_of(step.timestep, step.commands)
    state = _hand_over(state, trace)
    return Rewound(
        world=conditions.world,
        seen=state["world"],
        state={
            **state,
            "world": dumped,
            "records": len(trace.records),
            "forked": state["timestep"] > 0,
        },
    )


def _team(world: World, line_up: LineUp) -> Sequence[str]:
    """Return the workers that plan for themselves."""
    return [name for name in world.workers if name in (line_up.seats or {})]


def _replay(record: AnyRecord, world: World, before: Any) -> Change | None:
    """Return the change of the world with a record; None if it leaves the world unchanged."""
    match record:
        case EventRecord(refused=None):
            after, ruling = apply_event(world, before, record.event)
            return Change(after, [ruling.trigger] if ruling.trigger else [])
        case StepRecord():
            after, _, happened = after_step(record, world, before)
            return Change(after, happened)
    return None


def _hand_over(state: State, trace: Trace) -> State:
    """Return the state after the forks at the end of a trace.

    A new planner knows nothing that the last one has kept. If the planner or the world is another
    one, a trigger says so.
    """
    forks = list(takewhile(lambda record: isinstance(record, ForkRecord), reversed(trace.records)))
    before = Trace(trace.records[: len(trace.records) - len(forks)])
    changed = [f.altered for f in forks if isinstance(f, ForkRecord) and f.altered]
    if before.line_up != trace.line_up:
        changed.append(f"{trace.planners[-1]} plans from here on")
        state = {**state, "memory": {}, "untold": {}, **({"owed": {}} if "owed" in state else {})}
    if not changed:
        return state
    handover = Trigger(kind=HANDOVER, cause="; ".join(reversed(changed)))
    return {**state, "news": [*state["news"], trigger_data(handover)]}
