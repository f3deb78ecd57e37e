"""The embedded team, in which each walker plans for itself and tells others the places it knows."""

from __future__ import annotations

import re
from typing import Any

from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.corridor.planners.embedded import read
from cookmas.worlds.corridor.world import CorridorWorld, open_bells, walk

_SAID = re.compile(r"(\w[\w ]*) hangs at (\d+)")


class Walker:
    """A walker as an agent: it tells others where bells hang, and rings bells that it may ring."""

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return a message with the bells' places that others need, and the agent's own actions."""
        me = observation.agent
        assert me is not None
        places, known = read(observation.state, observation.texts)
        heard_places = {
            match[1]: int(match[2])
            for said in (*observation.heard, *observation.talk)
            for match in _SAID.finditer(said.text)
        }
        bells = observation.state["bells"]
        say = ", ".join(
            f"{name} hangs at {place}"
            for name, place in known.items()
            if bells[name]["ringer"] not in (None, me) and name not in heard_places
        )
        steps: list[str] = []
        place, where = places[me], {**heard_places, **known}
        mine = [
            n for n, bell in open_bells(observation.state).items() if bell["ringer"] in (me, None)
        ]
        for name in mine:
            if name in where:
                steps += [*walk(place, where[name]), f"ring({name})"]
                place = where[name]
        if not steps and not mine:
            steps = [observation.world.idle]
        return Turn(say=say, actions=steps or None)


class WalkerTeam(Team):
    """A team with one agent for each walker."""

    def __init__(self, workers: tuple[str, ...] = ("walker_1", "walker_2")) -> None:
        super().__init__(
            name="team",
            planner_class="embedded",
            members={name: Walker() for name in workers},
        )


def team_of(world: CorridorWorld) -> WalkerTeam:
    """Return a team with an agent for each walker of a corridor."""
    return WalkerTeam(tuple(world.workers))
