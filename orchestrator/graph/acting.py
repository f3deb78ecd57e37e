"""A worker's action: carried out by whatever stands in for it, or asked of the person who plays it.

For a person the graph stops: the node interrupts, and is run again from its beginning once there
is an answer. Nothing is done before that, so that it may be run again any number of times.
"""

from __future__ import annotations

import asyncio
import logging

from langgraph.types import interrupt

from episodes.errors import LeaseLostError
from episodes.failure import failed
from orchestrator.graph.state import Assignment, Context, State
from workers.person import Answered, Asked, Person
from workers.protocol import AwayError

_log = logging.getLogger(__name__)


async def worker(assignment: Assignment, context: Context) -> State:
    """Let a worker act; one that fails to gives no action.

    A command for somebody who is none is left to the world, which says what becomes of it.
    """
    timestep, name = assignment["timestep"], assignment["worker"]
    action: str | None = assignment["action"]
    away: str | None = None
    there = context.workers.get(name)
    if isinstance(there, Person):
        answered = _asked(assignment)
        away = answered.get("away")
        action = answered.get("action", action)
    elif there is not None:
        try:
            async with asyncio.timeout(context.patience):
                answer = await there.act(timestep, name, assignment["action"])
                action = answer if isinstance(answer, str) else None
        except LeaseLostError:
            raise
        except AwayError as error:
            away = str(error)
        except Exception as error:
            action = None
            _log.warning("%s gave no action at timestep %d: %s", name, timestep, failed(error))
            _log.debug("why %s gave no action", name, exc_info=True)
    return State(acts={"timestep": timestep, "by": {assignment["place"]: (name, action, away)}})


def _asked(assignment: Assignment) -> Answered:
    """Stop the graph until the person has answered."""
    asked = Asked(
        timestep=assignment["timestep"],
        worker=assignment["worker"],
        assignment=assignment["action"],
        legal=assignment.get("legal", []),
    )
    answered: Answered = interrupt(asked)
    return answered
