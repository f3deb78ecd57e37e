"""Seats: a team in which each worker may have a planner, policy or team member of any kind."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from cookmas.episodes.base import World
from cookmas.episodes.trace import PlannerClass, SeatRecord
from cookmas.files.errors import InputError
from cookmas.files.wording import suggest_name
from cookmas.orchestrator.member import ROUNDS, Member, Policy, Team, Turn, common_class
from cookmas.orchestrator.planner import (
    Observation,
    Plan,
    Planner,
    PlanningStoppedError,
    actions_of_worker,
)

Each = TypeVar("Each")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSeat:
    """A seat that is taken: the planner of one worker, as a member of a team."""

    planner: str
    """Name of the planner."""
    planner_class: PlannerClass
    """Class of the planner."""
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
        seat = planner.seats[worker]
        return PlannedSeat(
            planner=seat.planner,
            planner_class=seat.planner_class,
            member=planner.members[worker],
            rounds=planner.rounds,
        )
    by = class_of(planner)
    if isinstance(planner, Policy):
        return PlannedSeat(planner=name, planner_class=by, member=PolicySeat(planner))
    if isinstance(planner, Member):
        rounds: int | None = getattr(planner, "rounds", None)
        return PlannedSeat(planner=name, planner_class=by, member=planner, rounds=rounds)
    return PlannedSeat(planner=name, planner_class=by, member=PlannerSeat(planner, worker))


def team_of_seats(seats: Mapping[str, PlannedSeat], rounds: int | None = None) -> Team:
    """Return the team of the given seats; `seats` maps workers to them.

    The team's name is the planners' common name if they have one; otherwise it lists the planner of
    each worker. The team's class is the common class or `mixed`. Each agent has `rounds` turns at a
    timestep; the default is the least limit of any seat, or ROUNDS if no seat has a limit.
    """
    limits = [seat.rounds for seat in seats.values() if seat.rounds is not None]
    names = [seat.planner for seat in seats.values()]
    told = ", ".join(f"{worker}={seat.planner}" for worker, seat in seats.items())
    return Team(
        name=names[0] if len(set(names)) == 1 else told,
        planner_class=common_class([seat.planner_class for seat in seats.values()]),
        members={worker: seat.member for worker, seat in seats.items()},
        rounds=min(limits, default=ROUNDS) if rounds is None else rounds,
        seats={
            worker: SeatRecord(planner=seat.planner, planner_class=seat.planner_class)
            for worker, seat in seats.items()
        },
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
