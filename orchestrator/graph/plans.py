"""Answers of planners: what comes with a schedule, and the end of an episode without an answer.

With a schedule come a memory, model calls, a price, and an interpretation of the texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from cookmas.episodes.answered import tally_of
from cookmas.episodes.failure import FailedError
from cookmas.episodes.trace import (
    ChargeRecord,
    End,
    MemoryRecord,
    ModelCall,
    Termination,
)
from cookmas.files.errors import InfrastructureError, LimitReachedError
from cookmas.orchestrator.graph.bookkeeping import write
from cookmas.orchestrator.graph.context import Context
from cookmas.orchestrator.graph.state import THE_PLANNER, State
from cookmas.orchestrator.member import Turn
from cookmas.orchestrator.models.message import CallMeasurements
from cookmas.orchestrator.pace import WallClock
from cookmas.orchestrator.planner import Plan, PlannerAnswer, PlanningStoppedError
from cookmas.orchestrator.thinking import Charge, ThinkingPrice


def find_memory(state: State, context: Context, agent: str | None = None) -> Mapping[str, Any]:
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
    if kept is None or kept == find_memory(state, context, agent):
        return state
    memory = MemoryRecord(timestep=state["timestep"], agent=agent, kept=dict(kept))
    return write(state, memory, context.conditions)


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
        state = write(state, record, context.conditions)
    return state, timestep + cost.timesteps if cost.timesteps else None


def interpretation(answer: Plan | Turn) -> dict[str, Any]:
    """Return a record's fields for the interpretation of the texts and the doubts about them."""
    understood = {name: [*read] for name, read in (answer.understood or {}).items()}
    return {
        "understood": None if answer.understood is None else understood,
        "doubts": [*answer.doubts] or None,
    }


UNANSWERED = (InfrastructureError, PlanningStoppedError, FailedError)


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
    return write(state, end, context.conditions)
