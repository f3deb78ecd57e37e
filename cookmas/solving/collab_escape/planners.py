"""The greedy player of Collab Escape, as a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cookmas.solving.policies import DrawingPolicy
from cookmas.solving.rooms.planners import follow
from cookmas.worlds.base.planner import draw_from
from cookmas.worlds.collab_escape.rules import NEEDED
from cookmas.worlds.collab_escape.world import EscapeWorld
from cookmas.worlds.rooms.world import RoomState


def list_steps(world: EscapeWorld, state: RoomState, worker: str) -> Sequence[str]:
    """Return a fix of the generator in the room, or the next steps to what is left to do."""
    room = state["players"][worker]
    broken = [int(at) for at, count in state["fixes"].items() if count < NEEDED]
    if room in broken:
        return [world.act]
    return follow(world.ways, room, broken or [world.level.exit])


GREEDY = partial(DrawingPolicy, "greedy", draw_from(list_steps))
"""The player that repairs the nearest generator, then goes to the exit, and flees from nobody."""
