"""The greedy player of Collab Capture, as a baseline."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.base.planners.partners import draw_for
from cookmas.worlds.collab_capture.world import CaptureWorld
from cookmas.worlds.rooms.maps import find_way


class GreedyChaser:
    """A player that goes to the thief by a shortest open way, and presses no button.

    It draws one of several shortest ways, and stays if there is none.
    """

    name = "greedy"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def act(self, observation: Observation[Any]) -> str:
        """Return the next step to the room of the thief."""
        world, state = observation.world, observation.state
        assert isinstance(world, CaptureWorld)
        room = state["players"][observation.agent or world.workers[0]]
        ways = world.engine.open_ways(world.position(state).doors)
        steps = find_way(ways, room, [state["thief"]])
        return f"move({draw_for(self._seed, observation).choice(steps)})" if steps else world.idle
