"""Plans: the effects of a planner's answer on the trace, and by reference on the state. They are
its active schedule, its memory, its model calls, and its interpretation; without an answer the
episode ends.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from episodes.answered import tally_of
from episodes.failure import FailedError
from episodes.trace import MemoryRecord, ModelCall, PlanRecord, Termination
from episodes.world import Command
from files.errors import InfrastructureError, LimitReachedError
from orchestrator.graph.context import Context, record_end
from orchestrator.graph.recorder import Recorder
from orchestrator.graph.state import THE_PLANNER, ActiveSchedule, ActiveSchedules, State
from orchestrator.member import Turn
from orchestrator.models.message import CallMeasurements
from orchestrator.planner import Plan, PlanningStoppedError


def activate(
    before: ActiveSchedules, answers: Mapping[str, Sequence[int]], begin: int, horizon: int | None
) -> ActiveSchedules:
    """Return the active schedules with these answers from timestep `begin` on.

    `answers` are, by agent, the number of an answer in the trace and its length; one of no length
    leaves nothing. Schedules of other agents go on as before. None reaches beyond the horizon.
    """
    schedules = {name: each for name, each in before.items() if name not in answers}
    for name, (number, length) in answers.items():
        end = begin + length if horizon is None else min(begin + length, horizon)
        if end > begin:
            schedules[name] = ActiveSchedule(plan=number, begin=begin, end=end)
    return schedules


def commands_at(schedules: ActiveSchedules, timestep: int, recorder: Recorder) -> list[Command]:
    """Return the commands of the schedules at a timestep, those of each in order."""
    commands: list[Command] = []
    for each in schedules.values():
        commands += _entry(each, timestep, recorder)
    return commands


def run_out(
    schedules: ActiveSchedules,
    timestep: int,
    recorder: Recorder,
    agents: Collection[str] = (THE_PLANNER,),
) -> list[str]:
    """Return the agents whose schedules have run out by a timestep."""
    return [
        name
        for name in agents
        if not (each := schedules.get(name))
        or timestep >= each["end"]
        or not isinstance(recorder.find_referred(each["plan"]), PlanRecord)
    ]


def _entry(schedule: ActiveSchedule, timestep: int, recorder: Recorder) -> list[Command]:
    plan = recorder.find_referred(schedule["plan"])
    if not isinstance(plan, PlanRecord) or not schedule["begin"] <= timestep < schedule["end"]:
        return []
    return plan.schedule[timestep - schedule["begin"]]


def recall(state: State, context: Context, agent: str | None = None) -> Mapping[str, Any]:
    """Return the memory that the central planner, or an agent of a team, asked to be kept last."""
    number = state.get("memory", {}).get(agent or THE_PLANNER)
    record = None if number is None else context.recorder.find_referred(number)
    return record.kept if isinstance(record, MemoryRecord) else {}


def remember(
    state: State, context: Context, kept: Mapping[str, Any] | None, agent: str | None = None
) -> dict[str, int]:
    """Record a memory that has changed, and return the memories of the state; None changes none."""
    memory = dict(state.get("memory", {}))
    if kept is not None and kept != recall(state, context, agent):
        record = MemoryRecord(timestep=state["timestep"], agent=agent, kept=dict(kept))
        memory[agent or THE_PLANNER] = context.recorder.append(record)
    return memory


def record_calls(
    context: Context,
    calls: Sequence[ModelCall],
    measured: Sequence[CallMeasurements],
    agent: str | None = None,
) -> None:
    """Record calls of a model; in a team those of this agent."""
    for call in calls:
        context.recorder.append(call.model_copy(update={"agent": agent}) if agent else call)
    context.measured.extend(measured)


def interpretation(answer: Plan | Turn) -> dict[str, Any]:
    """Return what an answer says that it understood of the texts, and what it did not."""
    understood = {name: [*read] for name, read in (answer.understood or {}).items()}
    return {
        "understood": None if answer.understood is None else understood,
        "doubts": [*answer.doubts] or None,
    }


def legible(schedule: Any) -> list[list[Command]]:
    """Return a malformed schedule as far as it can be written down."""
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
"""The errors of a planner that gives no answer."""


async def end_unanswered(
    state: State,
    context: Context,
    error: InfrastructureError | PlanningStoppedError | FailedError,
    agent: str | None = None,
) -> State:
    """End the episode because the planner, or an agent of a team, gives no answer."""
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
    """End the episode, since its planner failed; the traceback goes beside the trace.

    An open one raises the error: it can be resumed once the planner has been mended.
    """
    await context.recorder.keep_traceback(error.traceback)
    told = f"{who}planner failed: {error}"
    if context.desk:
        raise FailedError(told, error.traceback)
    return end_here(state, context, "planner_failed", told)


def end_here(state: State, context: Context, how: Termination, why: str) -> State:
    """End the episode where it is, since planning cannot go on.

    An open one does not end because something outside does not answer, since it would leave what
    was ordered behind: InfrastructureError is raised, and it can be resumed.
    """
    if context.desk and how == "infrastructure_error":
        raise InfrastructureError(why)
    tally = tally_of(context.world, context.load(state))
    ended = record_end(context, state["timestep"], how, why, tally)
    return State(triggers=[], records=context.recorder.count, ended=ended)
