"""Plans: a planner's answer in the trace, and the active schedules, to which the state refers.

An answer has a schedule, a memory, model calls and an interpretation of the texts. Without an
answer the episode ends.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from cookmas.episodes.answered import tally_of
from cookmas.episodes.failure import FailedError
from cookmas.episodes.trace import (
    ChargeRecord,
    End,
    MemoryRecord,
    ModelCall,
    PlanRecord,
    Termination,
)
from cookmas.episodes.world import Command
from cookmas.files.errors import InfrastructureError, LimitReachedError
from cookmas.orchestrator.graph.bookkeeping import queue_of
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.recorder import Recorder
from cookmas.orchestrator.graph.state import THE_PLANNER, ActiveSchedule, ActiveSchedules, State
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import Plan, PlannerAnswer, PlanningStoppedError
from cookmas.orchestrator.thinking import Charge, ThinkingPrice


def commands_at(
    schedules: ActiveSchedules,
    timestep: int,
    recorder: Recorder,
    busy: Collection[str] = (),
    cancel: str = "",
) -> list[Command]:
    """Return the commands of all schedules at a timestep, schedule by schedule.

    The queued actions of the workers in `busy` wait for the end of what these are at, except
    `cancel`.
    """
    commands: list[Command] = []
    for each in schedules.values():
        row = next(iter(rest_of(each, timestep, recorder)), [])
        waits = busy if "begun" in each else ()
        commands += [c for c in row if c.worker not in waits or c.action == cancel]
    return commands


def run_out(
    schedules: ActiveSchedules,
    timestep: int,
    recorder: Recorder,
    agents: Collection[str] = (THE_PLANNER,),
) -> list[str]:
    """Return the agents whose schedules have run out by a timestep, or that have had none."""
    return [
        name
        for name in agents
        if not (each := schedules.get(name)) or not is_active(each, timestep, recorder)
    ]


def is_active(schedule: ActiveSchedule, timestep: int, recorder: Recorder) -> bool:
    """Return whether a schedule has a timestep, or a queued action, from `timestep` on."""
    if not isinstance(recorder.find_referred(schedule["plan"]), PlanRecord):
        return False
    queue = queue_of(schedule, recorder.find_referred)
    return timestep < schedule["end"] or (queue is not None and bool(queue.list_rest(timestep)))


def rest_of(schedule: ActiveSchedule, timestep: int, recorder: Recorder) -> list[list[Command]]:
    """Return the commands of a schedule from `timestep` on, as far as they are known now.

    The queued actions are expected as soon as possible: nobody knows how long those before last.
    """
    plan = recorder.find_referred(schedule["plan"])
    if not isinstance(plan, PlanRecord) or timestep < schedule["begin"]:
        return []
    queue = queue_of(schedule, recorder.find_referred)
    if queue is not None:
        return queue.list_rest(timestep)
    begin = schedule["begin"]
    return plan.schedule[timestep - begin : schedule["end"] - begin]


def recall(state: State, context: Context, agent: str | None = None) -> Mapping[str, Any]:
    """Return the last memory of the central planner, or of an `agent` of a team; empty if none."""
    number = state["memory"].get(agent or THE_PLANNER)
    record = None if number is None else context.recorder.find_referred(number)
    return record.kept if isinstance(record, MemoryRecord) else {}


def remember(
    state: State, context: Context, kept: Mapping[str, Any] | None, agent: str | None = None
) -> State:
    """Record the new memory of a planner or an agent if it has changed, and return the state.

    `kept` is the new memory; if it is None, nothing changes.
    """
    if kept is None or kept == recall(state, context, agent):
        return state
    memory = MemoryRecord(timestep=state["timestep"], agent=agent, kept=dict(kept))
    return context.write(state, memory)


def record_calls(
    context: Context,
    calls: Sequence[ModelCall],
    measured: Sequence[CallMeasurements],
    agent: str | None = None,
) -> None:
    """Record model calls, in a team under the name of the agent."""
    for call, each in zip_longest(calls, measured[: len(calls)]):
        named = call.model_copy(update={"agent": agent}) if agent else call
        context.recorder.append(named, each)
    context.measured.extend(measured)


def price_of(state: State, context: Context, agent: str | None = None) -> ThinkingPrice | None:
    """Return the price of thinking, with what is left over of the earlier answers.

    They are those of the central planner, or of an `agent` of a team. By a wall clock the price is
    the real time of a timestep.
    """
    if isinstance(context.pace, WallClock):
        return ThinkingPrice(context.pace.seconds, "real seconds")
    left = state.get("owed", {}).get(agent or THE_PLANNER, 0.0)
    return context.price and context.price._replace(spent=left)


def charge(
    answer: PlannerAnswer, state: State, context: Context, agent: str | None = None
) -> tuple[State, int | None]:
    """Record what an answer costs, and return the timestep at which it takes effect.

    It is None if the answer takes effect at once. A turn of an `agent` that decides nothing is
    charged with the next one that does.
    """
    price = price_of(state, context, agent)
    if price is None:
        return state, None
    timestep = state["timestep"]
    units = price.count_units(answer.calls, answer.seconds)
    cost = price.charge(answer.calls, answer.seconds)
    if isinstance(answer, Turn) and answer.actions is None:
        cost = Charge(0, price.spent + units)
    if units:
        record = ChargeRecord(timestep=timestep, agent=agent, takes=cost.timesteps, rest=cost.rest)
        state = context.write(state, record)
    return state, timestep + cost.timesteps if cost.timesteps else None


def interpretation(answer: Plan | Turn) -> dict[str, Any]:
    """Return a record's fields for the interpretation of the texts and the doubts about them."""
    understood = {name: [*read] for name, read in (answer.understood or {}).items()}
    return {
        "understood": None if answer.understood is None else understood,
        "doubts": [*answer.doubts] or None,
    }


def legible(schedule: Any) -> list[list[Command]]:
    """Return the readable parts of a malformed schedule."""
    entries = schedule if isinstance(schedule, list | tuple) else ()
    return [
        [
            Command(str(worker), action)
            for worker, action in _pairs(entry)
            if isinstance(action, str)
        ]
        for entry in entries
    ]


def _pairs(entry: Any) -> list[tuple[Any, Any]]:
    if isinstance(entry, Mapping):
        return list(entry.items())
    pairs = entry if isinstance(entry, list | tuple) else ()
    return [tuple(pair) for pair in pairs if isinstance(pair, list | tuple) and len(pair) == 2]


UNANSWERED = (InfrastructureError, PlanningStoppedError, FailedError)
"""The errors that are raised if a planner gives no answer."""


async def end_unanswered(
    state: State,
    context: Context,
    error: InfrastructureError | PlanningStoppedError | FailedError,
    agent: str | None = None,
) -> State:
    """End the episode because the planner, or an agent of a team, gave no answer."""
    who = f"{agent}: " if agent else ""
    match error:
        case LimitReachedError():
            return end_here(state, context, "budget", f"{who}{error}")
        case InfrastructureError():
            if isinstance(error, FailedError):
                await context.recorder.keep_traceback(error.traceback)
            return end_here(state, context, "infrastructure_error", f"{who}{error}")
        case PlanningStoppedError():
            record_calls(context, error.calls, error.measured, agent)
            return end_here(state, context, error.termination, f"{who}{error}")
        case FailedError():
            return await _end_broken(state, context, error, who)


async def _end_broken(state: State, context: Context, error: FailedError, who: str) -> State:
    """End the episode because its planner failed; store the traceback next to the trace.

    For an open episode, raise the error instead: it can be resumed after the planner is repaired.
    """
    await context.recorder.keep_traceback(error.traceback)
    told = f"{who}planner failed: {error}"
    if context.desk:
        raise FailedError(told, error.traceback)
    return end_here(state, context, "planner_failed", told)


class StrandedError(Exception):
    """The end of a resumable episode by an infrastructure error, which no checkpoint has.

    The trace has the end, but the last checkpoint is the one before the failed call.
    """


def end_here(state: State, context: Context, how: Termination, why: str) -> State:
    """End the episode at this timestep, because planning cannot continue.

    If an external service fails in an open episode, raise InfrastructureError instead of ending the
    episode. So no order is lost, and the episode can be resumed. If it fails in another episode
    with checkpoints, record the end and raise StrandedError.
    """
    if how == "infrastructure_error" and context.desk:
        raise InfrastructureError(why)
    ended = record_end(state, context, how, why)
    if how == "infrastructure_error" and context.resumable:
        raise StrandedError
    return ended


def record_end(state: State, context: Context, how: Termination, why: str) -> State:
    """Record that the episode is over, and return the state at its end."""
    tally = tally_of(context.world, state["world"])
    end = End(timestep=state["timestep"], termination=how, why=why, tally=tally)
    return context.write(state, end)
