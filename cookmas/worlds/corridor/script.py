"""The script of the corridor: the scripted model answers as the embedded planners do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from cookmas.orchestrator.planner import TeamMessage
from cookmas.worlds.base.script import Overlooks, Planned, Script, Situation
from cookmas.worlds.corridor.voice import CORRIDOR, LOOK_UP


class CorridorScript(Script):
    """The script of the corridor. A situation also has the `talk` of the team so far."""

    mark = CORRIDOR
    look_up = LOOK_UP

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Overlooks
    ) -> Situation:
        """Return the situation that the blocks of a request describe."""
        found = super().situation(blocks, looked_up, task, deaf)
        return replace(found, about={**found.about, "talk": blocks.get("TALK", [])})

    def plan(self, situation: Situation) -> Planned:
        """Return the schedule of the embedded planner."""
        return self.ask(self.domain.solved("planners:EmbeddedPlanner")(), situation)

    def read(self, situation: Situation) -> Planned:
        """Return the place of each bell, as the embedded planner reads it."""
        return self.plan(situation)._replace(schedule=[])

    def turn(self, situation: Situation, agent: str) -> Planned:
        """Return the turn of a walker, as the embedded team plays it."""
        talk = [
            TeamMessage(each["agent"], each["said"], each.get("t", 0))
            for each in situation.about["talk"]
        ]
        turn = asyncio.run(
            self.domain.solved("planners:Walker")().turn(self.observe(situation, agent, talk))
        )
        own = [{agent: action} for action in turn.actions or ()]
        return Planned(schedule=own, lines={}, reasoning="", say=turn.say)

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return a command to ring a bell that does not exist, or the action unchanged."""
        corrupts = fault == "illegal" or (fault == "wrong_item" and action.startswith("ring("))
        return "ring(nobody's bell)" if corrupts else action

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        """Return the text of a reading, with a digit in front of it if `strikes` says so."""
        return f"1{text}" if strikes(0) else text


SCRIPT = CorridorScript
