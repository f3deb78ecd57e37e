"""The script of the worlds of rooms: the scripted model plays optimally."""

from __future__ import annotations

from cookmas.worlds.base.script import Planned, Script, Situation
from cookmas.worlds.base.solving import import_solving
from cookmas.worlds.rooms.rules import SOLVING


class RoomScript(Script):
    """The script of the worlds of rooms."""

    def plan(self, situation: Situation) -> Planned:
        """Return the actions of the optimal planner."""
        return self.ask(import_solving(SOLVING, "planners:OptimalPlanner")(), situation)


SCRIPT = RoomScript
