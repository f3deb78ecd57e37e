"""Who is to do what, and the workers' actions, which come of it.

Scripted workers are told together, in one task; every other worker has a task of its own. For a
person the graph stops: the node interrupts, and is run again from its beginning once there is an
answer. Nothing is done before that, so that it may be run again any number of times.
"""

from __future__ import annotations

import asyncio
import logging

from langgraph.types import interrupt

from episodes.capabilities import is_turn_based, movers, simulable
from episodes.engine import commands_for
from episodes.failure import failed
from files.errors import LeaseLostError
from orchestrator.graph.recording import Node
from orchestrator.graph.standing import commands_at
from orchestrator.graph.state import (
    Acts,
    Assignment,
    Context,
    Opened,
    State,
    Together,
    planning,
)
from workers.person import Answered, Asked, Person
from workers.protocol import AwayError

_log = logging.getLogger(__name__)


def assigning(node: Node) -> Node:
    """Return a node that also says what the workers are to do, if they are next.

    What follows it then depends on the state alone, also one that somebody has edited.
    """

    async def both(state: State, context: Context) -> State:
        update = await node(state, context)
        after = state | update
        if after["ended"] or after["asleep"] or planning(after):
            return update
        return update | assignments(after, context)

    return both


def assignments(state: State, context: Context) -> State:
    """Return the part of the state that assigns the workers: the commands of the schedule."""
    world = context.world
    now = context.loaded(state) if is_turn_based(world) else None
    wanted = commands_at(state["schedule"], state["timestep"], context.recorder)
    commands = [list(command) for command in commands_for(world, now, wanted)]
    after = State(commands=commands)
    if context.apart != state.get("apart", []):
        after["apart"] = context.apart
    if context.people:
        after["legal"] = _legal(state, context)
    return after


def _legal(state: State, context: Context) -> dict[str, list[str]]:
    """Return the legal actions of each person who is to move, from what they see.

    Nothing is listed where it may not be simulated.
    """
    world = context.world
    now = context.loaded(state)
    asked = [name for name in context.people if name in movers(world, now)]
    known = {name: simulable(world, world.observe(now, name), name) for name in asked}
    return {n: [] if each is None else list(world.legal(each, n)) for n, each in known.items()}


def sent(state: Opened) -> list[Assignment | Together]:
    """Return what the workers are sent: a task each; scripted workers share one."""
    legal, apart = state.get("legal", {}), state.get("apart", [])
    shared = together(state)
    if not apart:
        return [shared]
    alone: list[Assignment | Together] = []
    for place, name, action in shared["together"]:
        if name not in apart:
            continue
        assignment = Assignment(timestep=state["timestep"], place=place, worker=name, action=action)
        if name in legal:
            assignment["legal"] = legal[name]
        alone.append(assignment)
    shared["together"] = [each for each in shared["together"] if each[1] not in apart]
    return [shared, *alone] if shared["together"] or not alone else alone


def together(state: Opened) -> Together:
    """Return what the scripted workers are sent."""
    placed = enumerate(state["commands"])
    return Together(
        timestep=state["timestep"],
        together=[[str(place), name, action] for place, (name, action) in placed],
    )


async def worker(given: Assignment | Together, context: Context) -> State:
    """Let a worker act, or the scripted ones together; one that fails to gives no action.

    A command for somebody who is none is left to the world, which says what becomes of it.
    """
    if "together" in given:
        return State(acts=acts_together(given))
    timestep, name = given["timestep"], given["worker"]
    action: str | None = given["action"]
    away: str | None = None
    there = context.workers.get(name)
    if isinstance(there, Person):
        answered = _asked(given)
        away = answered.get("away")
        action = answered.get("action", action)
    elif there is not None:
        try:
            async with asyncio.timeout(context.patience):
                answer = await there.act(timestep, name, given["action"])
                action = answer if isinstance(answer, str) else None
        except LeaseLostError:
            raise
        except AwayError as error:
            away = str(error)
        except Exception as error:
            action = None
            _log.warning("%s gave no action at timestep %d: %s", name, timestep, failed(error))
            _log.debug("why %s gave no action", name, exc_info=True)
    return State(acts={"timestep": timestep, "by": {given["place"]: (name, action, away)}})


def acts_together(given: Together) -> Acts:
    """Return the acts of scripted workers: they do what they are assigned."""
    by: dict[str, tuple[str, str | None, str | None]] = {
        place: (name, action, None) for place, name, action in given["together"]
    }
    return Acts(timestep=given["timestep"], by=by)


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
