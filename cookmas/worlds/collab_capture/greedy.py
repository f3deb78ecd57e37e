"""The greedy player of Collab Capture, as a baseline."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.worlds.collab_capture.world import CaptureWorld
from cookmas.worlds.rooms.planners import GreedyPlayer
from cookmas.worlds.rooms.world import RoomState


class GreedyChaser(GreedyPlayer):
    """A player that goes to the thief by a shortest open way, and presses no button.

    It draws one of several shortest ways, and stays if there is none.
    """

    def options(self, world: CaptureWorld, state: RoomState, worker: str) -> Sequence[str]:
        """Return the next steps to the room of the thief."""
        ways = world.engine.open_ways(world.position(state).doors)
        return self.follow(ways, state["players"][worker], [state["thief"]])
