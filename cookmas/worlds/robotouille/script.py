"""The script of Robotouille: the scripted model answers as the embedded planner does."""

from __future__ import annotations

from cookmas.worlds.base.script import Planned, Script, Situation


class RobotouilleScript(Script):
    """The script of Robotouille."""

    longest_turn = None

    def plan(self, situation: Situation) -> Planned:
        """Return the schedule of the embedded planner."""
        return self.ask(self.domain.solved("planners:EmbeddedPlanner")(), situation)


SCRIPT = RobotouilleScript
