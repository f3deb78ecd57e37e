"""The planner of Robotouille that needs no model: it searches for a schedule in the rules."""

from __future__ import annotations

from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.robotouille.finding import find_schedule, find_schedule_alone


class EmbeddedPlanner:
    """A planner that searches for a schedule until the goal, for all robots.

    As the agent of one robot it expects that the others do their part. If it is called after a
    timestep in which another one waited, it prefers a schedule in which its robot acts alone.
    """

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    @foreseeing
    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule until the goal; give up if the search finds none."""
        world: Any = observation.world
        agent, found = observation.agent, None
        waited = any(x.worker != agent and x.action == world.idle for x in observation.did)
        if agent and waited:
            found = find_schedule_alone(world, observation.state, agent)
        found = found or find_schedule(world, observation.state)
        if not found:
            return Plan(schedule=(), gave_up="the search found no schedule")
        remarks = [f"the goal is reached after {len(found)} timesteps", *observation.unread]
        return Plan(schedule=found, reasoning="; ".join(remarks))
