"""The player of worlds of rooms that plays optimally, and the steps of a greedy one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.rooms.search import solve
from cookmas.worlds.rooms.rules import AHEAD, Ways, find_way
from cookmas.worlds.rooms.world import RoomWorld


class OptimalPlanner:
    """A planner that plays optimally for both players, and expects both to do so."""

    name = "optimal"
    planner_class: PlannerClass = "embedded"

    @foreseeing
    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the best actions of this turn."""
        world, state = observation.world, observation.state
        assert isinstance(world, RoomWorld)
        last = observation.timestep + AHEAD if observation.last is None else observation.last
        left = min(max(last - observation.timestep + 1, 1), AHEAD)
        solution, position = solve(world, state), world.position(state)
        chance, spare = solution.value(position, left)
        remark = f"wins with probability {chance:.4g}, and then {spare:.4g} turns early"
        return Plan(
            schedule=[world.texts_of(solution.best(position, left))],
            reasoning="; ".join([remark, *observation.unread]),
        )


def follow(ways: Ways, room: int, goals: Sequence[int]) -> Sequence[str]:
    """Return the first steps of all shortest ways from a room to the nearest of some rooms."""
    return [f"move({step})" for step in find_way(ways, room, goals)]
