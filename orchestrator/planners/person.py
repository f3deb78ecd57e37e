"""The person who plans: asked for a schedule wherever they sit, and waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from episodes.trace import PlannerClass
from files.errors import NobodyThereError
from orchestrator.planner import Entry, Observation, Plan, Planner

THE_PLACE = "the orchestrator's place"


class Place(Protocol):
    """Where the person sits who plans."""

    async def schedule(
        self, observation: Observation[Any], draft: Sequence[Entry], limit: float | None
    ) -> Sequence[Entry]:
        """The person's schedule from the observed timestep on, begun from a draft.

        Whoever waits gives up after `limit` seconds, if there is a limit. Raises NobodyThereError
        if the person leaves.
        """
        ...


class PersonPlanner:
    """Asks the person at its place; without one whoever wants a schedule is told so.

    The draft is what is left of the schedule under way, or what `drafter` plans. After `limit`
    seconds what is left of the old schedule goes on. What is asked for depends on the observation
    alone, so that an episode that was killed while the person thought asks the same again.
    """

    name = "person"
    planner_class: PlannerClass = "human"

    def __init__(
        self,
        place: Place | None = None,
        limit: float | None = None,
        drafter: Planner | None = None,
    ) -> None:
        self._place = place
        self._limit = limit
        self._drafter = drafter

    async def plan(self, observation: Observation[Any]) -> Plan:
        """The person's schedule. Raises NobodyThereError if there is no person."""
        if self._place is None:
            raise NobodyThereError(THE_PLACE)
        draft: Sequence[Entry] = observation.underway
        if self._drafter:
            draft = (await self._drafter.plan(observation)).schedule
        try:
            async with asyncio.timeout(self._limit):
                schedule = await self._place.schedule(observation, draft, self._limit)
        except TimeoutError:
            why = f"no schedule within {self._limit:g} seconds; what was planned before goes on"
            return Plan(schedule=observation.underway, reasoning=why)
        return Plan(schedule=schedule, reasoning="a person's schedule")


class DraftingPersonPlanner(PersonPlanner):
    """The same, for a person who begins with a planner's draft."""

    name = "person-draft"


PEOPLE: Mapping[str, str] = {
    cls.name: f"{__name__}:{cls.__name__}" for cls in (PersonPlanner, DraftingPersonPlanner)
}
"""People who plan, by the names of their planners, in any world."""
