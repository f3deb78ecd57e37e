"""The team: each walker plans for itself, and tells the others what it knows."""

from __future__ import annotations

import re
from typing import Any

from orchestrator.member import Team, Turn
from orchestrator.planner import Observation
from worlds.corridor.planners.embedded import read
from worlds.corridor.reading import walk
from worlds.corridor.world import CorridorWorld

_SAID = re.compile(r"(\w[\w ]*) hangs at (\d+)")


class Walker:
    """Says where the bells hang that it knows of, and rings those that it has heard of."""

    async def turn(self, observation: Observation[Any]) -> Turn:
        """First what it knows, once; then its own round."""
        me = observation.agent
        assert me is not None
        places, known = read(observation.state, observation.texts)
        heard = {
            match[1]: int(match[2])
            for said in observation.talk
            for match in _SAID.finditer(said.text)
        }
        bells = observation.state["bells"]
        say = ", ".join(
            f"{name} hangs at {place}"
            for name, place in known.items()
            if bells[name]["ringer"] not in (None, me) and name not in heard
        )
        steps: list[str] = []
        place = places[me]
        for name, goal in {**heard, **known}.items():
            mine = bells.get(name, {}).get("ringer") in (me, None)
            if mine and name in bells and bells[name]["rung"] is None:
                steps += [*walk(place, goal), f"ring({name})"]
                place = goal
        return Turn(say=say, actions=steps)


class WalkerTeam(Team):
    """One walker for each worker."""

    def __init__(self, workers: tuple[str, ...] = ("walker_1", "walker_2")) -> None:
        super().__init__(
            name="team",
            planner_class="embedded",
            members={name: Walker() for name in workers},
        )


def team_of(world: CorridorWorld) -> WalkerTeam:
    """The team of a corridor."""
    return WalkerTeam(tuple(world.workers))
