"""A person as orchestrator: the planner asks the person for a schedule and waits."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import NobodyThereError
from cookmas.orchestrator.planner import Entry, Observation, Plan, Planner

THE_PLACE = "the orchestrator's place"


class PlannerPlace(Protocol):
    """The interface through which a person acts as orchestrator, such as a terminal or a page."""

    async def schedule(
        self, observation: Observation[Any], draft: Sequence[Entry], limit: float | None
    ) -> Sequence[Entry]:
        """Return the person's schedule from the observed timestep on.

        The person starts from `draft` and may change it. The caller cancels the question after
        `limit` seconds, if there is a limit. Raise NobodyThereError if the person leaves.
        """
        ...


class PersonPlanner:
    """A planner that asks the person at `place`; without a place it raises NobodyThereError.

    The person starts from a draft: the schedule of `drafter` if there is one, else the rest of the
    active schedule. If the person does not answer within `limit` seconds, the active schedule
    continues. The question depends only on the observation, so that a killed episode asks the same
    question after it resumes.
    """

    name = "person"
    planner_class: PlannerClass = "human"

    def __init__(
        self,
        place: PlannerPlace | None = None,
        limit: float | None = None,
        drafter: Planner | None = None,
    ) -> None:
        self._place = place
        self._limit = limit
        self._drafter = drafter

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the person's schedule. Raise NobodyThereError if there is no person."""
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
    """A planner that asks a person, who starts from the draft of another planner."""

    name = "person-draft"


PEOPLE: Mapping[str, str] = {
    cls.name: f"{__name__}:{cls.__name__}" for cls in (PersonPlanner, DraftingPersonPlanner)
}
"""The planners that ask people, by name; every world has them."""
