"""Seats: each worker may have a planner, a policy or a team member of any kind, or a person.

A person as orchestrator is asked for a schedule, for which the planner waits. A person in the seat
of a worker acts as an agent, or gets no suggestions.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from cookmas.episodes.base import World, limit_talk
from cookmas.episodes.trace import PlannerClass, SeatRecord
from cookmas.files.errors import InputError, NobodyThereError
from cookmas.files.naming import suggest_name
from cookmas.orchestrator.member import ROUNDS, Member, Policy, Team, Turn, common_class
from cookmas.orchestrator.planner import (
    Entry,
    Observation,
    Plan,
    Planner,
    PlanningStoppedError,
    actions_of_worker,
)
from cookmas.workers.person import Person

Each = TypeVar("Each")


class PlannedSeat(NamedTuple):
    """A seat that is taken: the planner of one worker, as a member of a team."""

    record: SeatRecord
    """Name and class of the planner."""
    member: Member
    """The agent that takes the turns."""
    rounds: int | None = None
    """Turns that the agent may take at a timestep; None stands for the team's default."""


class PlannerSeat:
    """A team member made from a planner for all workers, which plans from what one worker sees.

    Only this worker's commands in the planner's schedules count. The requests that the planner
    declines stay open, because they concern all workers and a seat decides for one only.
    """

    def __init__(self, planner: Planner, worker: str) -> None:
        self.called = planner.plan
        self.planner_class = planner.planner_class
        self.looks_up: bool = getattr(planner, "looks_up", False)
        self._worker = worker

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return the actions of this worker in the planner's schedule.

        Raise PlanningStoppedError, which ends the episode, if the planner gives up.
        """
        plan = await self.called(observation)
        if not isinstance(plan, Plan):
            raise TypeError(f"plan answers {type(plan).__name__}; expected a Plan")
        if plan.gave_up is not None:
            raise PlanningStoppedError(plan.gave_up, "gave_up", plan.calls, plan.measured)
        idle = observation.world.idle
        nothing = "" if plan.queued else idle
        return Turn(
            actions=actions_of_worker(plan.schedule, self._worker, nothing) or [idle],
            queued=plan.queued,
            reasoning=plan.reasoning,
            calls=plan.calls,
            measured=plan.measured,
            memory=plan.memory,
            understood=plan.understood,
            doubts=plan.doubts,
        )


class PolicySeat:
    """A team member made from a policy, which is asked at each move of its worker."""

    stepwise = True

    def __init__(self, policy: Policy) -> None:
        self.called = policy.act
        self.planner_class = class_of(policy)

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return a turn with the one action that the policy chooses."""
        action = self.called(observation)
        if inspect.isawaitable(action):
            action = await action
        if not isinstance(action, str):
            raise TypeError(f"act answers {type(action).__name__}; expected an action as text")
        return Turn(actions=[action])


def seat_of(
    planner: Planner | Team | Policy | Member, worker: str, workers: Sequence[str]
) -> PlannedSeat:
    """Return the seat of a worker, taken by a planner of any kind.

    If the planner is a team, its member for this worker takes the seat. Raise InputError if the
    worker does not exist, or the team has no member for it.
    """
    if worker not in workers:
        raise InputError("seats", f"there is no {worker!r}, only {', '.join(workers)}")
    name = name_of(planner)
    if isinstance(planner, Team):
        if worker not in planner.members:
            raise InputError("seats", f"{name} has no member for {worker}")
        return PlannedSeat(planner.seats[worker], planner.members[worker], planner.rounds)
    record = SeatRecord(planner=name, planner_class=class_of(planner))
    if isinstance(planner, Policy):
        return PlannedSeat(record, PolicySeat(planner))
    if isinstance(planner, Member):
        return PlannedSeat(record, planner, getattr(planner, "rounds", None))
    return PlannedSeat(record, PlannerSeat(planner, worker))


def team_of_seats(seats: Mapping[str, PlannedSeat], rounds: int | None = None) -> Team:
    """Return the team of the given seats; `seats` maps workers to them.

    The team's name is the planners' common name if they have one; otherwise it lists the planner of
    each worker. The team's class is the common class or `mixed`. Each agent has `rounds` turns at a
    timestep; the default is the least limit of any seat, or ROUNDS if no seat has a limit.
    """
    limits = [seat.rounds for seat in seats.values() if seat.rounds is not None]
    records = {worker: seat.record for worker, seat in seats.items()}
    names = [record.planner for record in records.values()]
    told = ", ".join(f"{worker}={name}" for worker, name in zip(records, names, strict=True))
    return Team(
        name=names[0] if len(set(names)) == 1 else told,
        planner_class=common_class([record.planner_class for record in records.values()]),
        members={worker: seat.member for worker, seat in seats.items()},
        rounds=min(limits, default=ROUNDS) if rounds is None else rounds,
        seats=records,
    )


def seat_policy(policy: Policy, workers: Sequence[str]) -> Team:
    """Return the team in which one policy has every seat."""
    return team_of_seats({worker: seat_of(policy, worker, workers) for worker in workers})


def team_of(seats: Mapping[str, Planner | Team | Policy], workers: Sequence[str]) -> Team:
    """Return the team in which each worker has its own planner. Raises InputError."""
    ordered = in_order(seats, workers, "seats")
    return team_of_seats(
        {worker: seat_of(planner, worker, workers) for worker, planner in ordered.items()}
    )


def in_order(seats: Mapping[str, Each], workers: Sequence[str], where: str) -> dict[str, Each]:
    """Return the seats in the order of the workers.

    Raise InputError if a seat is missing or unknown.
    """
    for seat in seats:
        refuse_unknown(seat, workers, where)
    if missing := [worker for worker in workers if worker not in seats]:
        all_of_them = ",".join(f"{worker}=..." for worker in workers)
        raise InputError(where, f"seat {missing[0]!r} has no planner; expected {all_of_them}")
    return {worker: seats[worker] for worker in workers}


def refuse_unknown(seat: str, workers: Sequence[str], where: str) -> None:
    """Raise InputError if no worker has this name."""
    if seat not in workers:
        expected = f"expected {', '.join(workers)}{suggest_name(seat, workers)}"
        raise InputError(where, f"there is no seat {seat!r}; {expected}")


def refuse_central(planner: Planner | Team, world: World, name: str | None = None) -> None:
    """Raise InputError for a central planner in a world that allows only a planner for each seat.

    The error calls the planner `name` if it is given, else by the planner's own name.
    """
    if not isinstance(planner, Team) and not world.central:
        seats = ",".join(f"{worker}=PLANNER" for worker in world.workers)
        raise InputError(
            f"planner {name or planner.name!r}",
            f"{world.name} has no central planner; name the planner of each seat, as in {seats}",
        )


def name_of(planner: object) -> str:
    """Return the name of a planner; if it has no name, return that of its class."""
    return str(getattr(planner, "name", None) or type(planner).__name__)


def class_of(planner: object) -> PlannerClass:
    """Return the planner class of a planner; `embedded` (without a model) if it names none."""
    by: PlannerClass = getattr(planner, "planner_class", "embedded")
    return by


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

PERSON_RECORD = SeatRecord(planner=PERSON, planner_class="human")
"""The record of such a seat in a trace."""

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
    members, seats = dict.fromkeys(people, Unadvised()), dict.fromkeys(people, PERSON_RECORD)
    return replace_members(team, members, seats)


def replace_members(
    team: Team, members: Mapping[str, Member], seats: Mapping[str, SeatRecord]
) -> Team:
    """Return a plain team with other members in some seats; a subclass is made in its own way."""
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
    return replace_members(planner, seated, {})


def refuse_unseated(team: object, people: Collection[str]) -> None:
    """Raise NobodyThereError if a team has a person's seat that none of `people` takes."""
    for seat, member in team.members.items() if isinstance(team, Team) else ():
        if isinstance(member, Unadvised) and seat not in people:
            raise NobodyThereError(f"seat {seat!r}, which belongs to a person")
