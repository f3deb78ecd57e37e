"""The fixed planner: it plays a given schedule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Entry, Observation, Plan


class FixedPlanner:
    """A planner that always answers with the rest of a given schedule.

    It gives up if the schedule has ended and not everything is done. `schedule` has an entry for
    each timestep of the episode from 0 on. `name` is the name of the schedule file.
    """

    planner_class: PlannerClass = "fixed"

    def __init__(self, schedule: Sequence[Entry], name: str = "fixed") -> None:
        self.name = name
        self._schedule = schedule

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the schedule from the present timestep on."""
        rest = self._schedule[observation.timestep :]
        if not rest and not observation.world.is_finished(observation.state):
            return Plan(schedule=(), gave_up="the schedule is over and not everything is done")
        return Plan(
            schedule=rest, reasoning="; ".join(["as the schedule says", *observation.unread])
        )
