"""The planner: each van that is free gets the job that has waited longest."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from examples.dispatch.world import DispatchWorld


class DispatchPlanner:
    """A planner by rules. `observation.away` has the vans that are busy or out of reach."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    @foreseeing
    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the deliveries that begin now; without one, wait until something happens."""
        world = observation.world
        assert isinstance(world, DispatchWorld)
        vans = [name for name in world.workers if name not in observation.away]
        jobs = [f"deliver({name})" for name in world.find_open(observation.state)]
        now = dict(zip(vans, jobs, strict=False))
        return Plan(schedule=[now] if now else [])
