"""The random planner: every worker takes legal actions at random.

It is the baseline of the benchmark: every other planner should score higher.
"""

from __future__ import annotations

from random import Random

from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import Command
from cookmas.kitchen.legal import legal_actions
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import Entry, Observation, Plan

REACH = 20
"""The number of timesteps in each schedule."""


class RandomPlanner:
    """A planner that draws a legal action for each worker and timestep, with a seed.

    After each timestep it simulates the drawn actions, to know which actions are legal next. It
    draws for each worker separately, so two workers may still collide at one station.
    """

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    async def plan(self, observation: Observation[KitchenState]) -> Plan:
        """Return the actions of the next `REACH` timesteps."""
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
