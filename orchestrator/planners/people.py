"""People in the place of planners: a person as orchestrator, and people who play workers.

A person as orchestrator is asked for a schedule, for which the planner waits. A person in the seat
of a worker acts as an agent, or gets no suggestions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from cookmas.episodes.base import World, limit_talk
from cookmas.episodes.trace import PlannerClass, SeatRecord
from cookmas.files.errors import NobodyThereError
from cookmas.orchestrator.member import Member, Team, Turn
from cookmas.orchestrator.planner import Entry, Observation, Plan, Planner
from cookmas.workers.person import Person

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

PERSON = PersonPlanner.name
"""Name of the planner for a seat that a person plays without suggestions."""

AHEAD = 50
"""Number of idle actions in one turn of a person's seat."""


class Unadvised:
    """The member in the seat of a person who gets no suggestions. It only idles."""

    planner_class: PlannerClass = "human"

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return a turn of AHEAD idle actions. The person chooses the real action each timestep."""
        return Turn(actions=[observation.world.idle] * AHEAD, reasoning="a person plays this seat")


def remove_advice(team: Team, people: Collection[str]) -> Team:
    """Return the team with a member that only idles, and so suggests nothing, in each person's
    seat.
    """
    person = SeatRecord(planner=PERSON, planner_class="human")
    return _replace_members(team, dict.fromkeys(people, Unadvised()), dict.fromkeys(people, person))


def _replace_members(
    team: Team, members: Mapping[str, Member], seats: Mapping[str, SeatRecord]
) -> Team:
    """Return the team with other members in some seats."""
    return Team(
        name=team.name,
        planner_class=team.planner_class,
        members={worker: members.get(worker, own) for worker, own in team.members.items()},
        rounds=team.rounds,
        seats={**team.seats, **seats},
    )


def seat_people(
    planner: Planner | Team, people: Mapping[str, Person], world: World
) -> Planner | Team:
    """Return the planner; if it is a team that may talk, people act as agents in their own seats.

    A person without the method `turn` cannot act as an agent. Nor does a person who gets
    suggestions: the planner of such a seat is the agent.
    """
    if not isinstance(planner, Team) or not limit_talk(world, planner.rounds):
        return planner
    seated = {
        worker: person
        for worker, person in people.items()
        if isinstance(person, Member) and isinstance(planner.members.get(worker), Unadvised)
    }
    return _replace_members(planner, seated, {})


def refuse_unseated(team: object, people: Collection[str]) -> None:
    """Raise NobodyThereError if a team has a person's seat that none of `people` takes."""
    for seat, member in team.members.items() if isinstance(team, Team) else ():
        if isinstance(member, Unadvised) and seat not in people:
            raise NobodyThereError(f"seat {seat!r}, which belongs to a person")
