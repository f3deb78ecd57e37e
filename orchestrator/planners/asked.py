"""Calls of planners that a user may have written: each returns an answer or raises a clear error.

The clear errors are those of the protocols, FailedError and WorldFailedError.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from cookmas.episodes.failure import failure_of, world_failed
from cookmas.files.errors import InfrastructureError, InputError
from cookmas.orchestrator.member import Member, Turn
from cookmas.orchestrator.models.cassette import CassetteError
from cookmas.orchestrator.models.limited import restore_spent
from cookmas.orchestrator.planner import Observation, Plan, Planner, PlanningStoppedError
from cookmas.orchestrator.planners.wire import plan_data, plan_of, turn_data, turn_of

Answer = TypeVar("Answer")


async def ask_planner(planner: Planner, observation: Observation[Any]) -> Plan:
    """Return a planner's answer.

    Raise the errors that `Planner.plan` allows. For any other error raise FailedError, or
    WorldFailedError if the world that the planner used is at fault.
    """
    return await _ask(planner.plan, observation, lambda plan: plan_of(plan_data(plan)))


async def ask_member(member: Member, observation: Observation[Any]) -> Turn:
    """Return an agent's turn.

    Raise the errors that `Member.turn` allows. For any other error raise FailedError, or
    WorldFailedError if the world that the agent used is at fault.
    """
    return await _ask(member.turn, observation, lambda turn: turn_of(turn_data(turn)))


async def _ask(
    method: Callable[[Observation[Any]], Any],
    observation: Observation[Any],
    read: Callable[[object], Answer],
) -> Answer:
    try:
        answering = method(observation)
        if not inspect.isawaitable(answering):
            raise TypeError(f"{method.__name__} is not async; expected 'async def'")
        with restore_spent(observation.spent, observation.spent_by):
            return read(await answering)
    except (InputError, InfrastructureError, CassetteError, PlanningStoppedError):
        raise
    except (Exception, SystemExit) as error:
        written = getattr(getattr(method, "__self__", None), "called", method)
        raise world_failed(error, observation.world) or failure_of(error, written) from error
