"""The greedy player of Collab Escape, as a baseline."""

from __future__ import annotations

from collections.abc import Sequence

from cookmas.worlds.collab_escape.engine import NEEDED
from cookmas.worlds.collab_escape.world import EscapeWorld
from cookmas.worlds.rooms.planners import GreedyPlayer
from cookmas.worlds.rooms.world import RoomState


class GreedyEscaper(GreedyPlayer):
    """A player that repairs the nearest generator, then goes to the exit, and flees from nobody.

    It draws one of several shortest ways.
    """

    def options(self, world: EscapeWorld, state: RoomState, worker: str) -> Sequence[str]:
        """Return a fix of the generator in the room, or the next steps."""
        room = state["players"][worker]
        broken = [int(at) for at, count in state["fixes"].items() if count < NEEDED]
        if room in broken:
            return [world.act]
        return self.follow(world.ways, room, broken or [world.level.exit])
