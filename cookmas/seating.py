"""Line-ups: a team in which every seat has its own planner, by its name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from cookmas.episodes.base import World, limit_talk
from cookmas.episodes.trace import PlannerClass, SeatRecord
from cookmas.files.errors import InputError, NobodyThereError
from cookmas.files.naming import is_code
from cookmas.orchestrator.member import Member, Policy, Team, Turn
from cookmas.orchestrator.models.options import MakeModel, ModelOptions, Models
from cookmas.orchestrator.planner import Observation, Planner
from cookmas.orchestrator.planners.lineup import PERSON, in_order, lineup, refuse_unknown
from cookmas.orchestrator.planners.load import first_given_option
from cookmas.orchestrator.planners.seats import PlannedSeat, seat_of, team_of_seats
from cookmas.orchestrator.runs.request import RunRequest
from cookmas.workers.person import Person

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


def team_in_seats(
    spec: str,
    workers: Sequence[str],
    request: RunRequest,
    load: Load,
    make_model: MakeModel | None = None,
) -> Team:
    """Return the team of a line-up such as `alice=llm,bob=greedy`. Raises CookMASError.

    The line-up may omit seats of the request's people; those people get no suggestions.
    """
    by, asking = lineup(spec, workers, request.people), request.asking
    models = Models(request.model or ModelOptions(), workers, make_model)
    for seat in asking.seats if asking else ():
        refuse_unknown(seat, workers, "asking")

    def take(seat: str, planner: str) -> PlannedSeat:
        if planner != PERSON:
            return seat_of(load(planner, seat, models), seat, workers)
        rounds = asking.of_seat(seat).talk if asking else None
        return PlannedSeat(planner=PERSON, planner_class="human", member=Unadvised(), rounds=rounds)

    seats = {seat: take(seat, planner) for seat, planner in by.items()}
    if asking and PERSON in by.values():
        asking = asking.model_copy(update={"talk": None})
    said = first_given_option(request.model, asking)
    if said and not models.asked and not any(map(is_code, by.values())):
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
