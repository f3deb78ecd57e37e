"""The child process's side of user-supplied planners, where they are made and called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from cookmas.episodes.base import World
from cookmas.episodes.failure import FailedError
from cookmas.files.errors import CookMASError, InputError, LimitReachedError
from cookmas.orchestrator.dialogue.options import AskingOptions
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.models.cassette import CassetteError
from cookmas.orchestrator.models.options import MakeModel, ModelOptions
from cookmas.orchestrator.models.patience import check_quickly
from cookmas.orchestrator.planner import (
    Observation,
    Plan,
    Planner,
    PlannerAnswer,
    PlanningStoppedError,
)
from cookmas.orchestrator.planners.calling import (
    ask_member,
    ask_planner,
    observation_of,
    write_answer,
)
from cookmas.orchestrator.planners.naming import NamedPlayer, load_planner
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.sandbox.host import Ask
from cookmas.world_names import WORLDS
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.loading import load_domain

STOPPED = (PlanningStoppedError, CassetteError, LimitReachedError)
"""Errors of a planner that are not failures of its own code."""


class HostedPlanner:
    """A user-supplied planner or team. `enter` and `load` make the planner again for each
    episode.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._planner: Planner | Team | None = None
        self._domain: Domain | None = None
        self._world: World | None = None

    async def enter(self, asked: Mapping[str, Any]) -> None:
        """Build the world that `asked` names, for the next episode."""
        self._domain = load_domain(asked["world"], WORLDS)
        self._world = self._domain.world(asked["setup"])

    async def load(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Make the planner that `asked` names.

        Return the properties of the planner that the parent process needs.
        """
        assert self._domain
        assert self._world
        spec, model, asking = asked["spec"], asked["model"], asked["asking"]
        seat = asked["seat"]
        player = NamedPlayer(
            planner=spec,
            model=ModelOptions(**model) if model else None,
            asking=AskingOptions(**asking) if asking else None,
            seed=asked["seed"],
            make_model=self.find_maker(asked),
        )
        try:
            placement = self._domain.place(self._world, _no_schedule)
            planner = load_planner(player, placement, seat)
        except (FailedError, InputError):
            raise
        except CookMASError as error:
            raise InputError(f"planner {spec!r}", str(error)) from None
        if seat is not None:
            planner = team_of_seats({seat: seat_of(planner, seat, self._world.workers)})
        self._planner = planner
        team = planner if isinstance(planner, Team) else None
        return {
            "name": planner.name,
            "planner_class": planner.planner_class,
            "looks_up": bool(getattr(planner, "looks_up", False)),
            "rounds": team.rounds if team else None,
            "seats": _describe_seats(team) if team else None,
        }

    def find_maker(self, asked: Mapping[str, Any]) -> MakeModel | None:
        """Return what makes the planner's models; None if its options do."""
        return None

    async def plan(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the planner's plan for an observation, or why it stopped, as plain data."""
        assert self._planner
        assert not isinstance(self._planner, Team)
        try:
            with check_quickly(data["hurried"]):
                plan = await ask_planner(self._planner, self._observation(data))
            return {"answer": write_answer(plan, Plan)}
        except STOPPED as why:
            return _describe_stop(why)

    async def turn(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the turn of the agent that `data` names, or why it stopped, as plain data."""
        assert isinstance(self._planner, Team)
        try:
            member = self._planner.members[data["agent"]]
            with check_quickly(data["hurried"]):
                turn = await ask_member(member, self._observation(data))
            return {"answer": write_answer(turn, Turn)}
        except STOPPED as why:
            return _describe_stop(why)

    def _observation(self, data: Mapping[str, Any]) -> Observation[Any]:
        async def look_up(key: str) -> str:
            return str(self._ask(key))

        assert self._world
        return observation_of(data, self._world, look_up)


def _describe_seats(team: Team) -> dict[str, dict[str, Any]]:
    """Return the properties of each team member that the parent process needs."""
    return {
        worker: {
            "planner_class": team.seats[worker].planner_class,
            "looks_up": bool(getattr(member, "looks_up", False)),
            "stepwise": bool(getattr(member, "stepwise", False)),
        }
        for worker, member in team.members.items()
    }


def _no_schedule(path: Path) -> NoReturn:
    raise InputError(str(path), "is a schedule; a schedule does not run in its own process")


def _describe_stop(why: PlanningStoppedError | CassetteError | LimitReachedError) -> dict[str, Any]:
    if isinstance(why, CassetteError):
        return {"off_tape": str(why)}
    if isinstance(why, LimitReachedError):
        why = PlanningStoppedError(str(why), "budget")
    made = PlannerAnswer(calls=why.calls, measured=why.measured)
    return {
        "stopped": str(why),
        "termination": why.termination,
        "away": why.away,
        "made": write_answer(made, PlannerAnswer),
    }
