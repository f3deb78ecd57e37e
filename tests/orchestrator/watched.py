"""A planner that stores its observations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.corridor.planners import EmbeddedPlanner


@dataclass
class Watched(EmbeddedPlanner):
    """The corridor's planner; it stores its observations."""

    seen: list[Observation[Any]] = field(default_factory=list)

    async def plan(self, observation: Observation[Any]) -> Plan:
        self.seen.append(observation)
        return await super().plan(observation)
