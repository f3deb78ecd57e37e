"""What is told outside the graph: answers once a checkpoint is durable, and the status."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from episodes.answered import tally_of
from episodes.capabilities import spectate
from orchestrator.graph.state import Context, planning
from workers.protocol import Returning


async def kept(context: Context, values: Mapping[str, Any]) -> None:
    """A checkpoint with these values of the state is durable."""
    cursor = values.get("cursor", 0)
    due = [each for each in context.settled if each.number <= cursor]
    if due:
        await context.mailbox.settle(due)
        context.settled[:] = context.settled[len(due) :]
    if _opened(values) and not _planning(values):
        await publish(context, values)


async def publish(context: Context, values: Mapping[str, Any]) -> None:
    """Publish the status of an open episode; the planner's call publishes when it begins."""
    if context.publish:
        await context.publish(status(context, values))


def _opened(values: Mapping[str, Any]) -> bool:
    """Whether the world has just opened this timestep: the workers have not acted in it yet."""
    acts = values.get("acts") or {}
    return "timestep" in values and acts.get("timestep") != values["timestep"]


def _planning(values: Mapping[str, Any]) -> bool:
    return planning(values) and not values["asleep"] and not values["ended"]


def status(context: Context, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the status as plain data: `world` is what a spectator sees of its state.

    `published` is the orchestrator's wall clock in seconds since the epoch, `late` the seconds
    behind the pace since the process began, `away` the reason of each worker that does not answer,
    `remote` the workers that may be away.
    """
    world = context.world
    state = world.load(values["world"])
    tally = tally_of(world, state)
    return {
        "timestep": values["timestep"],
        "world": world.dump(spectate(world, state)),
        "done": tally.done,
        "letters": values["cursor"],
        "planning": _planning(values),
        "asleep": values["asleep"],
        "ended": values["ended"],
        "late": round(context.pace.late, 3),
        "published": round(time.time(), 3),
        "away": dict(values.get("away") or {}),
        "remote": [name for name, each in context.workers.items() if isinstance(each, Returning)],
    }
