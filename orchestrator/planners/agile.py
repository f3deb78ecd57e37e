"""The agile planner: a quick planner at once, and a slow one beside it whose answer replaces it.

After the AgileThinker of RealtimeGym (Wen et al. 2025).
"""

from __future__ import annotations

from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.member import common_class
from cookmas.orchestrator.planner import Observation, Plan, Planner

AGILE = "agile"
"""Name of the preset."""


class AgilePlanner:
    """A slow planner, and the quick one that answers until the answer of the slow takes effect."""

    def __init__(self, slow: Planner, quick: Planner) -> None:
        self._slow = slow
        self.meanwhile = quick

    @property
    def name(self) -> str:
        """The names of both."""
        return f"{AGILE}: {self.meanwhile.name}, then {self._slow.name}"

    @property
    def planner_class(self) -> PlannerClass:
        """The common class of both, or `mixed`."""
        return common_class([self.meanwhile.planner_class, self._slow.planner_class])

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the answer of the slow planner."""
        return await self._slow.plan(observation)
