"""The script of the laboratory: the scripted model repeats its embedded planner."""

from __future__ import annotations

from cookmas.worlds.base.script import Planned, Script, Situation
from tests.worlds.laboratory.planner import EmbeddedPlanner


class LabScript(Script):
    def plan(self, situation: Situation) -> Planned:
        return self.ask(EmbeddedPlanner(), situation)

    def read(self, situation: Situation) -> Planned:
        return self.plan(situation)._replace(schedule=[])
