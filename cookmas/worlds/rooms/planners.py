"""Players that need no model: one that plays optimally, and one that draws its actions."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.base.planners.partners import draw_for
from cookmas.worlds.rooms.world import RoomWorld

AHEAD = 40
"""Greatest number of turns for which optimal play is computed."""


class OptimalPlanner:
    """A planner that plays optimally for both players, and expects both to do so."""

    name = "optimal"
    planner_class: PlannerClass = "embedded"

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the best actions of this turn."""
        world, state = observation.world, observation.state
        assert isinstance(world, RoomWorld)
        last = observation.timestep + AHEAD if observation.last is None else observation.last
        left = min(max(last - observation.timestep + 1, 1), AHEAD)
        solution, position = world.solution_from(state), world.position(state)
        chance, spare = solution.value(position, left)
        remark = f"wins with probability {chance:.4g}, and then {spare:.4g} turns early"
        return Plan(
            schedule=[world.texts_of(solution.best(position, left))],
            reasoning="; ".join([remark, *observation.unread]),
        )


class RandomPlayer:
    """A player that draws one of its legal actions."""

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def act(self, observation: Observation[Any]) -> str:
        """Return the drawn action."""
        worker = observation.agent or observation.world.workers[0]
        legal = observation.world.legal(observation.state, worker)
        return draw_for(self._seed, observation).choice([*legal])
