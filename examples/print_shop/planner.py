"""The planner of the shop: each free machine takes the job that has waited longest for it."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan
from examples.print_shop.world import PrintShopWorld


class PrintShopPlanner:
    """A planner by rules. It sleeps until a trigger wakes it."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the stages that begin now."""
        world = observation.world
        assert isinstance(world, PrintShopWorld)
        now = {
            machine: actions[1]
            for machine in world.workers
            if machine not in observation.away
            and len(actions := world.legal(observation.state, machine)) > 1
        }
        return Plan(schedule=[now] if now else [])
