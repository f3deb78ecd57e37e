"""The script of plain worlds: the scripted model answers with random legal actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from cookmas.episodes.capabilities import movers
from cookmas.files.errors import TraceError
from cookmas.orchestrator.dialogue.blocks import CALL, mapping, unexpected_error
from cookmas.orchestrator.dialogue.voice import LOOK_UP, STATE, TEXTS, mark
from cookmas.worlds.domain import AnyDomain
from cookmas.worlds.script import Deaf, Planned, Situation


class PlainScript:
    """A script that draws a legal action for each worker whose move it is.

    The draw depends only on the situation, so equal situations get equal answers.
    """

    texts = TEXTS
    look_up = LOOK_UP

    def __init__(self, domain: AnyDomain) -> None:
        self.mark = mark(domain.name)
        self._domain = domain

    def situation(
        self, blocks: Mapping[str, Any], looked_up: Mapping[str, str], task: str, deaf: Deaf
    ) -> Situation:
        """Return the situation that the blocks of a request describe."""
        setup = mapping(self.mark, blocks.get(self.mark))
        state = mapping(STATE, blocks.get(STATE))
        call = mapping(CALL, blocks.get(CALL))
        about = {"setup": dict(setup), "state": dict(state)}
        situation = Situation(timestep=_timestep(call), about=about, texts={})
        try:
            world, loaded = self.rebuild(situation)
            keys = list(world.lookups(loaded))
        except (TraceError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise unexpected_error(STATE, repr(error)) from None
        known = {**mapping(TEXTS, blocks.get(TEXTS, {})), **looked_up}
        return Situation(
            timestep=situation.timestep,
            about=about,
            texts={key: known[key] for key in keys if key in known},
            unknown=tuple(key for key in keys if key not in known),
        )

    def plan(self, situation: Situation) -> Planned:
        """Return a schedule of one timestep: a legal action for each worker whose move it is."""
        world, state = self.rebuild(situation)
        draw = Random(situation.digest)
        legal = {worker: list(world.legal(state, worker)) for worker in movers(world, state)}
        drawn = {worker: draw.choice(actions) for worker, actions in legal.items() if actions}
        return Planned(schedule=[drawn], lines={}, reasoning="a legal action for each")

    def read(self, situation: Situation) -> Planned:
        """Return an empty reading, because the script interprets no texts."""
        return Planned(schedule=[], lines={}, reasoning="")

    def turn(self, situation: Situation, agent: str) -> Planned:
        """Return the agent's part of the schedule."""
        planned = self.plan(situation)
        world, _ = self.rebuild(situation)
        action = planned.schedule[0].get(agent, world.idle)
        return planned._replace(schedule=[{agent: action}])

    def corrupt(self, fault: str, action: str, situation: Situation, draw: Random) -> str:
        """Return an action that no worker can do now, if `fault` is `illegal`.

        For any other fault return `action` unchanged.
        """
        if fault != "illegal":
            return action
        world, state = self.rebuild(situation)
        legal = {each for worker in world.workers for each in world.legal(state, worker)}
        wrong = [each for each in world.every_action() or () if each not in legal]
        return draw.choice(wrong) if wrong else "no action at all"

    def distort_reading(
        self, text: str, situation: Situation, strikes: Callable[[int], bool]
    ) -> str:
        """Return the text unchanged, because the script interprets no texts."""
        return text

    def rebuild(self, situation: Situation) -> tuple[Any, Any]:
        """Return the world and the observed state."""
        world = self._domain.world(situation.about["setup"])
        return world, world.load(situation.about["state"])


def _timestep(call: Mapping[str, Any]) -> int:
    timestep = call.get("timestep")
    if not isinstance(timestep, int):
        raise unexpected_error(CALL, "timestep should be a number")
    return timestep
