"""The random planner: everybody does something legal."""

from __future__ import annotations

from random import Random
from typing import Any

from episodes.capabilities import movers
from episodes.trace import PlannerClass
from orchestrator.planner import Observation, Plan


class RandomPlanner:
    """Draws one of the legal actions of each worker, one timestep ahead, with a seed."""

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return one timestep."""
        world, state = observation.world, observation.state
        draw = Random(f"{self._seed}/{observation.timestep}")
        legal = {worker: list(world.legal(state, worker)) for worker in movers(world, state)}
        drawn = {worker: draw.choice(actions) for worker, actions in legal.items() if actions}
        return Plan(schedule=[drawn], reasoning="; ".join(["drawn", *observation.unread]))
