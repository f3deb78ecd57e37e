"""The random planner: everybody does something legal. What a benchmark must not reward."""

from __future__ import annotations

from random import Random

from episodes.trace import PlannerClass
from episodes.world import Command
from kitchen.legal import legal_actions
from kitchen.state import KitchenState
from kitchen.world import Restaurant
from orchestrator.planner import Entry, Observation, Plan

REACH = 20
"""Timesteps of a schedule."""


class RandomPlanner:
    """Draws one of its legal actions for each worker and timestep, with a seed.

    It rolls its draws forward in the rules of the kitchen; two workers may meet at one place.
    """

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    async def plan(self, observation: Observation[KitchenState]) -> Plan:
        """The next timesteps."""
        world, state = observation.world, observation.state
        assert isinstance(world, Restaurant)
        schedule: list[Entry] = []
        for timestep in range(observation.timestep, observation.timestep + REACH):
            draw = Random(f"{self._seed}/{timestep}")
            actions = [
                Command(worker, str(draw.choice(legal_actions(world.kitchen, state, worker))))
                for worker in world.workers
            ]
            schedule.append(actions)
            state, _, _ = world.step(state, actions)
        return Plan(schedule=schedule, reasoning="; ".join(["drawn", *observation.unread]))
