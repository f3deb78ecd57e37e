"""Seats: planners, teams and policies of any kind plan side by side, each for one worker."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from episodes.capabilities import has_central_planner
from episodes.trace import PlannerClass, SeatRecord
from episodes.world import World
from files.errors import InputError
from orchestrator.member import ROUNDS, Member, Policy, Team, Turn, common_class
from orchestrator.planner import Observation, Plan, Planner, PlanningStoppedError, actions_of_worker


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSeat:
    """The planner of one worker."""

    planner: str
    """Name of the planner."""
    planner_class: PlannerClass
    """Class of the planner."""
    member: Member
    """The agent that takes the turns."""
    rounds: int | None = None
    """Turns that it may take at a timestep; None: the team's default."""


class PlannerSeat:
    """A planner for all workers that has one seat: it plans from what this worker sees.

    Of its schedules only the commands of this worker count. What it declines is not withdrawn: it
    is asked of all workers, and a seat speaks for one.
    """

    def __init__(self, planner: Planner, worker: str) -> None:
        self.called = planner.plan
        self.planner_class = planner.planner_class
        self.looks_up: bool = getattr(planner, "looks_up", False)
        self._worker = worker

    async def turn(self, observation: Observation[Any]) -> Turn:
        """What the planner has its worker do; a planner that gives up ends the episode."""
        plan = await self.called(observation)
        if not isinstance(plan, Plan):
            raise TypeError(f"plan answers {type(plan).__name__}; expected a Plan")
        if plan.gave_up is not None:
            raise PlanningStoppedError(plan.gave_up, "gave_up", plan.calls, plan.measured)
        idle = observation.world.idle
        return Turn(
            actions=actions_of_worker(plan.schedule, self._worker, idle) or [idle],
            reasoning=plan.reasoning,
            calls=plan.calls,
            measured=plan.measured,
            memory=plan.memory,
            understood=plan.understood,
            doubts=plan.doubts,
        )


class PolicySeat:
    """A policy that has one seat: it is asked at every timestep, and needs no triggers."""

    stepwise = True

    def __init__(self, policy: Policy) -> None:
        self.called = policy.act
        self.planner_class = class_of(policy)

    async def turn(self, observation: Observation[Any]) -> Turn:
        """The one action that the policy answers."""
        action = self.called(observation)
        if inspect.isawaitable(action):
            action = await action
        if not isinstance(action, str):
            raise TypeError(f"act answers {type(action).__name__}; expected an action as text")
        return Turn(actions=[action])


def seat_of(
    planner: Planner | Team | Policy | Member, worker: str, workers: Sequence[str]
) -> PlannedSeat:
    """Return the seat of a worker that any kind of planner takes.

    A team gives the member that it has for this worker. Raise InputError if there is no such
    worker, or the team has no member for it.
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
    """Return the team of these seats, by worker; its name and class follow from them.

    The name is the common name of the planners, or lists the planner of each worker. Each agent has
    `rounds` turns at a timestep; by default the least number of a seat.
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
    """Return the team in which one policy has all the seats."""
    return team_of_seats({worker: seat_of(policy, worker, workers) for worker in workers})


def refuse_central(planner: Planner | Team, world: World[Any], name: str | None = None) -> None:
    """Raise InputError for one planner of all workers in a world that has no central planner.

    A planner that was given by a `name` is called by it.
    """
    if not isinstance(planner, Team) and not has_central_planner(world):
        seats = ",".join(f"{worker}=PLANNER" for worker in world.workers)
        raise InputError(
            f"planner {name or planner.name!r}",
            f"{world.name} has no central planner; name the planner of each seat, as in {seats}",
        )


def name_of(planner: object) -> str:
    """Return the name of a planner, or of its class where it has none."""
    return str(getattr(planner, "name", None) or type(planner).__name__)


def class_of(planner: object) -> PlannerClass:
    """Return the class of a planner; one that does not say asks no model."""
    by: PlannerClass = getattr(planner, "planner_class", "embedded")
    return by
