"""The greedy player of Collab Capture, as a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from cookmas.solving.policies import DrawingPolicy
from cookmas.solving.rooms.planners import follow
from cookmas.worlds.base.planner import draw_from
from cookmas.worlds.collab_capture.world import CaptureWorld
from cookmas.worlds.rooms.world import RoomState


def list_steps(world: CaptureWorld, state: RoomState, worker: str) -> Sequence[str]:
    """Return the next steps to the room of the thief, by all shortest open ways."""
    ways = world.engine.open_ways(world.position(state).doors)
    return follow(ways, state["players"][worker], [state["thief"]])


GREEDY = partial(DrawingPolicy, "greedy", draw_from(list_steps))
"""The player that goes to the thief by a shortest open way, and presses no button."""
