"""Players that need no model: one that plays optimally, and one that draws its actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.base.planners.partners import draw_for
from cookmas.worlds.rooms.maps import AHEAD, Ways, find_way
from cookmas.worlds.rooms.solving import solve
from cookmas.worlds.rooms.world import RoomState, RoomWorld


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


class DrawingPlayer:
    """The base of players that draw one of several actions; one without any stays."""

    name: str
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def options(self, world: Any, state: RoomState, worker: str) -> Sequence[str]:
        """Return the actions of which one is drawn."""
        raise NotImplementedError(f"{self.name} has no options")

    def act(self, observation: Observation[Any]) -> str:
        """Return the drawn action."""
        world = observation.world
        worker = observation.agent or world.workers[0]
        options = self.options(world, observation.state, worker)
        return draw_for(self._seed, observation).choice(options) if options else world.idle


class RandomPlayer(DrawingPlayer):
    """A player that draws one of its legal actions."""

    name = "random"

    def options(self, world: Any, state: RoomState, worker: str) -> Sequence[str]:
        """Return the legal actions."""
        legal: Sequence[str] = world.legal(state, worker)
        return legal


class GreedyPlayer(DrawingPlayer):
    """The base of players that take a shortest way to the nearest of some rooms."""

    name = "greedy"

    def follow(self, ways: Ways, room: int, goals: Sequence[int]) -> Sequence[str]:
        """Return the first steps of all shortest ways from a room."""
        return [f"move({step})" for step in find_way(ways, room, goals)]
