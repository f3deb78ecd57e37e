"""The random planner of CuisineWorld: it draws a command for each agent, as the paper's does."""

from __future__ import annotations

from random import Random
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.cuisineworld.rules.engine import legal_commands
from cookmas.worlds.cuisineworld.world import CuisineWorld


class RandomPlanner:
    """A planner of random legal actions for one timestep, drawn with the seed plus the timestep."""

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    @foreseeing
    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule of one timestep."""
        world, state = observation.world, observation.state
        assert isinstance(world, CuisineWorld)
        draw, agents = Random(self._seed + observation.timestep), range(world.kitchen.agents)
        drawn = [draw.choice(legal_commands(world.kitchen, state, agent)) for agent in agents]
        ahead = "1 timesteps ahead"
        return Plan(
            schedule=[world.commands(drawn)], reasoning="; ".join([ahead, *observation.unread])
        )
