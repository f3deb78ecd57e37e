"""What happens once a checkpoint is durable: senders are told, and everybody may see how it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orchestrator.graph.state import Context


async def kept(context: Context, values: Mapping[str, Any]) -> None:
    """A checkpoint with these values of the state is durable."""
    cursor = values.get("cursor", 0)
    due = [each for each in context.settled if each.number <= cursor]
    if due:
        await context.mailbox.settle(due)
        context.settled[:] = context.settled[len(due) :]
    if context.publish and _opened(values):
        await context.publish(status(context, values))


def _opened(values: Mapping[str, Any]) -> bool:
    """Whether the kitchen has just opened this timestep: the workers have not acted in it yet."""
    acts = values.get("acts") or {}
    return "timestep" in values and acts.get("timestep") != values["timestep"]


def status(context: Context, values: Mapping[str, Any]) -> dict[str, Any]:
    """How the episode stands, as plain data: `world` is the world's own."""
    world = context.world
    tally = world.tally(world.load(values["world"]))
    return {
        "timestep": values["timestep"],
        "world": values["world"],
        "done": tally.done,
        "letters": values["cursor"],
        "planning": bool(values["triggers"]) and not values["asleep"] and not values["ended"],
        "asleep": values["asleep"],
        "ended": values["ended"],
        "late": round(context.pace.late, 3),
    }
