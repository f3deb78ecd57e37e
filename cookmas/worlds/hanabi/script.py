"""The script of Hanabi: the scripted model plays by the first policy of the world."""

from __future__ import annotations

from typing import Any

from cookmas.worlds.base.planners.random import RandomPlanner
from cookmas.worlds.base.script import Planned, Script, Situation
from cookmas.worlds.hanabi.prompts.voice import read_outline
from cookmas.worlds.hanabi.world import HanabiWorld

PLAYER = RandomPlanner
"""Class of the planner whose moves the scripted model makes."""


class HanabiScript(Script):
    """The script of Hanabi."""

    def plan(self, situation: Situation) -> Planned:
        """Return the move of the player whose move it is."""
        return self.ask(PLAYER(), situation, situation.about["state"]["player"])

    def rebuild(self, situation: Situation) -> tuple[Any, Any]:
        """Return the game and what the player sees. Raise InputError if invalid."""
        world = self.domain.world(situation.about["setup"])
        assert isinstance(world, HanabiWorld)
        return world, read_outline(world, situation.about["state"])
