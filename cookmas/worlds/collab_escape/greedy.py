"""The greedy player of Collab Escape, as a baseline."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.planners.partners import draw_for
from cookmas.worlds.collab_escape.engine import NEEDED
from cookmas.worlds.collab_escape.world import EscapeWorld
from cookmas.worlds.rooms.maps import find_way


class GreedyEscaper:
    """A player that repairs the nearest generator, then goes to the exit, and flees from nobody.

    It draws one of several shortest ways.
    """

    name = "greedy"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def act(self, observation: Observation[Any]) -> str:
        """Return a fix of the generator in the room, or the next step."""
        world, state = observation.world, observation.state
        assert isinstance(world, EscapeWorld)
        room = state["players"][observation.agent or world.workers[0]]
        broken = [int(at) for at, count in state["fixes"].items() if count < NEEDED]
        if room in broken:
            return world.act
        steps = find_way(world.ways, room, broken or [world.level.exit])
        return f"move({draw_for(self._seed, observation).choice(steps)})" if steps else world.idle
