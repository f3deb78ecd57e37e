"""The script of the corridor: the scripted model answers as the embedded planner does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from cookmas.orchestrator.dialogue.blocks import mapping, unexpected_error
from cookmas.orchestrator.dialogue.voice import STATE, TEXTS
from cookmas.orchestrator.planner import Observation, TeamMessage, commands_of
from cookmas.worlds.base.script import Deaf, Planned, Script, Situation
from cookmas.worlds.corridor.planners.embedded import EmbeddedPlanner
from cookmas.worlds.corridor.planners.team import Walker
from cookmas.worlds.corridor.prompts.voice import CORRIDOR, LOOK_UP
from cookmas.worlds.corridor.world import CorridorWorld, open_bells


class CorridorScript(Script):
    """The script of the corridor.

    A situation has the `setup` of the corridor, its `state`, and the `talk` of the team so far.
    """

    mark = CORRIDOR
    texts = TEXTS
    look_up = LOOK_UP

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Deaf
    ) -> Situation:
        """Return the situation that the blocks CORRIDOR, STATE, TEXTS and TALK describe."""
        setup = mapping(CORRIDOR, blocks.get(CORRIDOR))
        state = mapping(STATE, blocks.get(STATE))
        try:
            CorridorWorld(setup["walkers"], setup["length"])
        except (KeyError, TypeError) as error:
            raise unexpected_error(CORRIDOR, repr(error)) from None
        try:
            timestep = int(state["timestep"])
            bells = [n for n, bell in open_bells(dict(state)).items() if not bell.get("hidden")]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise unexpected_error(STATE, repr(error)) from None
        texts = {**mapping(TEXTS, blocks.get(TEXTS, {})), **looked_up}
        return Situation(
            timestep=timestep,
            about={"setup": setup, "state": state, "talk": blocks.get("TALK", [])},
            texts={name: texts[name] for name in bells if name in texts},
            unknown=tuple(name for name in bells if name not in texts),
        )

    def plan(self, situation: Situation) -> Planned:
        """Return the schedule of the embedded planner."""
        answer = asyncio.run(EmbeddedPlanner().plan(_build_observation(situation)))
        schedule = [dict(commands_of(entry)) for entry in answer.schedule]
        return Planned(
            schedule=schedule,
            lines={name: list(read) for name, read in (answer.understood or {}).items()},
            reasoning=answer.reasoning,
            gave_up=answer.gave_up,
        )

    def read(self, situation: Situation) -> Planned:
        """Return the place of each bell, as the embedded planner reads it."""
        return self.plan(situation)._replace(schedule=[])

    def turn(self, situation: Situation, agent: str) -> Planned:
        """Return the turn of a walker, as the embedded team plays it."""
        turn = asyncio.run(Walker().turn(_build_observation(situation, agent)))
        own = [{agent: action} for action in turn.actions or ()]
        return Planned(schedule=own, lines={}, reasoning="", say=turn.say)

    def rebuild(self, situation: Situation) -> tuple[CorridorWorld, Any]:
        """Return the corridor and its state."""
        setup = situation.about["setup"]
        return CorridorWorld(setup["walkers"], setup["length"]), situation.about["state"]

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return a command to ring a bell that does not exist, or the action unchanged."""
        corrupts = fault == "illegal" or (fault == "wrong_item" and action.startswith("ring("))
        return "ring(nobody's bell)" if corrupts else action

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        """Return the text of a reading, with a digit in front of it if `strikes` says so."""
        return f"1{text}" if strikes(0) else text


def _build_observation(situation: Situation, agent: str | None = None) -> Observation[Any]:
    setup = situation.about["setup"]
    talk = tuple(
        TeamMessage(each["agent"], each["said"], each.get("t", 0))
        for each in situation.about["talk"]
    )
    return Observation(
        timestep=situation.timestep,
        triggers=(),
        world=CorridorWorld(setup["walkers"], setup["length"]),
        state=situation.about["state"],
        texts=situation.texts,
        fails={},
        agent=agent,
        talk=talk,
    )
