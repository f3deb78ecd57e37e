"""The script of questions: the scripted model computes the answer from the state in the request."""

from __future__ import annotations

from random import Random

from cookmas.worlds.base.script import Planned, Script, Situation
from cookmas.worlds.questions.world import ANSWERER, QuestionWorld


class QuestionScript(Script):
    """The script of questions."""

    def plan(self, situation: Situation) -> Planned:
        """Return the first right answer; the first option if none of them is computed."""
        world = self._world(situation)
        options = world.level.options
        right = [
            option
            for option in self.domain.solved("planners:compute_right")(world)
            if option in options
        ]
        row = {ANSWERER: next(iter(right), options[0])}
        return Planned(schedule=[row], lines={}, reasoning="computed from the state")

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return a wrong answer for the fault of the question's kind, such as `wrong_mind`."""
        world = self._world(situation)
        if fault != f"wrong_{world.level.kind}":
            return super().corrupt(fault, action, situation, draw)
        right = self.domain.solved("planners:compute_right")(world)
        return draw.choice([option for option in world.level.options if option not in right])

    def _world(self, situation: Situation) -> QuestionWorld:
        world, _ = self.rebuild(situation)
        assert isinstance(world, QuestionWorld)
        return world


SCRIPT = QuestionScript
