"""The oracle: it knows the recipe and schedules both cooks with the fewest timesteps."""

from __future__ import annotations

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.collab_overcooked.search import fewest_timesteps
from cookmas.solving.collab_overcooked.useful import goal_of
from cookmas.worlds.collab_overcooked.rules.scene import Tables
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.world import CollabWorld


class CollabOracle:
    """A planner that follows the best plan from the beginning; it is a yardstick."""

    name = "oracle"
    planner_class: PlannerClass = "oracle"

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def plan(self, observation: Observation[CollabState]) -> Plan:
        """Return the whole plan at the beginning; give up later, where it no longer fits."""
        world = observation.world
        assert isinstance(world, CollabWorld)
        if observation.timestep:
            return Plan(schedule=[], gave_up="the plan was not carried out as it was made")
        goal = goal_of(world.kitchen, observation.state.order or "", self._tables)
        found = None if goal is None else fewest_timesteps(goal)
        if found is None:
            return Plan(schedule=[], gave_up="no plan was found")
        return Plan(schedule=list(found.begun), reasoning=f"{len(found.begun)} timesteps")
