"""What the nodes of the graph write into the trace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from episodes.answered import tally_of
from episodes.failure import FailedError, naming
from episodes.trace import End, ModelCall, Superstep, Termination
from episodes.world import Command, Tally
from files.errors import InfrastructureError, LimitReachedError
from orchestrator.graph.state import Context, State, hold
from orchestrator.member import Turn
from orchestrator.models.message import Measured
from orchestrator.planner import Plan, PlanningStoppedError

Node = Callable[[State, Context], Awaitable[State]]
"""What is run in a superstep: the state in, what it changes out."""


async def noted(node: Node, state: State, context: Context) -> State:
    """Run a node; what it refers to is at hand, and what it records is written down.

    Raises WorldFailedError where the world fails.
    """
    await hold(state, context)
    with naming(context.world):
        update = await node(state, context)
    await context.recorder.write()
    return update


def superstep(context: Context, timestep: int, nodes: list[str]) -> None:
    """The graph runs these nodes together."""
    context.recorder.append(Superstep(timestep=timestep, nodes=nodes))


def called(
    context: Context,
    calls: Sequence[ModelCall],
    measured: Sequence[Measured],
    agent: str | None = None,
) -> None:
    """A model was called; in a team by this agent."""
    for call in calls:
        context.recorder.append(call.model_copy(update={"agent": agent}) if agent else call)
    context.measured.extend(measured)


def end(context: Context, timestep: int, how: Termination, why: str, tally: Tally) -> Termination:
    """The episode is over."""
    context.recorder.append(End(timestep=timestep, termination=how, why=why, tally=tally))
    return how


def stopped(state: State, context: Context, how: Termination, why: str) -> State:
    """The episode ends where it is, since planning cannot go on.

    An open one does not end because something outside does not answer, since it would leave what
    was ordered behind: InfrastructureError is raised, and it can be resumed.
    """
    if context.desk and how == "infrastructure_error":
        raise InfrastructureError(why)
    tally = tally_of(context.world, context.loaded(state))
    ended = end(context, state["timestep"], how, why, tally)
    return State(triggers=[], records=context.recorder.count, ended=ended)


async def _broken(state: State, context: Context, error: FailedError, who: str) -> State:
    """The episode ends since its planner failed; the traceback goes beside the trace.

    An open one raises the error: it can be resumed once the planner has been mended.
    """
    await context.recorder.keep_traceback(error.traceback)
    told = f"{who}planner failed: {error}"
    if context.desk:
        raise FailedError(told, error.traceback)
    return stopped(state, context, "planner_failed", told)


UNANSWERED = (InfrastructureError, PlanningStoppedError, FailedError)
"""What is raised where who plans gives no answer."""


async def unanswered(
    state: State,
    context: Context,
    error: InfrastructureError | PlanningStoppedError | FailedError,
    agent: str | None = None,
) -> State:
    """The episode ends where it is, since who plans gives no answer; in a team that is an agent."""
    who = f"{agent}: " if agent else ""
    match error:
        case LimitReachedError():
            return stopped(state, context, "budget", f"{who}{error}")
        case InfrastructureError():
            if isinstance(error, FailedError):
                await context.recorder.keep_traceback(error.traceback)
            return stopped(state, context, "infrastructure_error", f"{who}{error}")
        case PlanningStoppedError():
            called(context, error.calls, error.measured, agent)
            return stopped(state, context, error.termination, f"{who}{error}")
        case FailedError():
            return await _broken(state, context, error, who)


def taken_from_texts(answer: Plan | Turn) -> dict[str, Any]:
    """Return what an answer says that it understood of the texts, and what it did not."""
    understood = {name: [*read] for name, read in (answer.understood or {}).items()}
    return {
        "understood": None if answer.understood is None else understood,
        "doubts": [*answer.doubts] or None,
    }


def legible(schedule: Any) -> list[list[Command]]:
    """A malformed schedule as far as it can be written down."""
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
