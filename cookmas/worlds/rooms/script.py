"""The script of the worlds of rooms: the scripted model plays optimally."""

from __future__ import annotations

from cookmas.solving.rooms.planners import OptimalPlanner
from cookmas.worlds.base.script import Planned, Script, Situation


class RoomScript(Script):
    """The script of the worlds of rooms."""

    def plan(self, situation: Situation) -> Planned:
        """Return the actions of the optimal planner."""
        return self.ask(OptimalPlanner(), situation)
