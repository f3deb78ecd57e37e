"""Line-ups: a team in which every seat has its own planner, by its name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from episodes.trace import PlannerClass, SeatRecord
from files.errors import InputError, NobodyThereError
from orchestrator.member import Policy, Team, Turn
from orchestrator.models.budgeted import Models
from orchestrator.models.options import ModelOptions
from orchestrator.planner import Observation, Planner
from orchestrator.planners.lineup import PERSON, in_order, lineup, refuse_unknown
from orchestrator.planners.load import first_given_option
from orchestrator.planners.seats import PlannedSeat, seat_of, team_of_seats
from orchestrator.runs.request import RunRequest

Load = Callable[[str, str, Models], Planner | Team]
"""A function that makes a planner from its name, its seat and the models of all seats."""

AHEAD = 50
"""Number of idle actions in one turn of a person's seat."""


class Unadvised:
    """The member in the seat of a person who gets no suggestions. It only idles."""

    planner_class: PlannerClass = "human"

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return a turn of AHEAD idle actions. The person chooses the real action each timestep."""
        return Turn(actions=[observation.world.idle] * AHEAD, reasoning="a person plays this seat")


def team_in_seats(spec: str, workers: Sequence[str], request: RunRequest, load: Load) -> Team:
    """Return the team of a line-up such as `alice=llm,bob=greedy`. Raises CookMASError.

    The line-up may omit seats of the request's people; those people get no suggestions.
    """
    by, asking = lineup(spec, workers, request.people), request.asking
    models = Models(request.model or ModelOptions(), workers)
    for seat in asking.seats if asking else ():
        refuse_unknown(seat, workers, "asking")
    person = PlannedSeat(planner=PERSON, planner_class="human", member=Unadvised())
    seats = {
        seat: person if planner == PERSON else seat_of(load(planner, seat, models), seat, workers)
        for seat, planner in by.items()
    }
    said = first_given_option(request.model, asking)
    if said and not models.asked and not any(":" in planner for planner in by.values()):
        raise InputError(f"planner {spec!r}", f"calls no model in any seat: leave out --{said}")
    return team_of_seats(seats)


def team_of(seats: Mapping[str, Planner | Team | Policy], workers: Sequence[str]) -> Team:
    """Return the team in which each worker has its own planner. Raises InputError."""
    ordered = in_order(seats, workers, "seats")
    return team_of_seats(
        {worker: seat_of(planner, worker, workers) for worker, planner in ordered.items()}
    )


def remove_advice(team: Team, people: Collection[str]) -> Team:
    """Return the team with a member that only idles, and so suggests nothing, in each person's
    seat.
    """
    person = SeatRecord(planner=PERSON, planner_class="human")
    members = {
        worker: Unadvised() if worker in people else member
        for worker, member in team.members.items()
    }
    return Team(
        name=team.name,
        planner_class=team.planner_class,
        members=members,
        rounds=team.rounds,
        seats={**team.seats, **dict.fromkeys(people, person)},
    )


def refuse_unseated(team: object, people: Collection[str]) -> None:
    """Raise NobodyThereError if a team has a person's seat that none of `people` takes."""
    for seat, member in team.members.items() if isinstance(team, Team) else ():
        if isinstance(member, Unadvised) and seat not in people:
            raise NobodyThereError(f"seat {seat!r}, which belongs to a person")
