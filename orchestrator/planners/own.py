"""Planners and teams that a user wrote. Each runs in a process of its own, called the child."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from cookmas.episodes.failure import FailedError
from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import MissingError
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.models.cassette import CassetteError
from cookmas.orchestrator.models.patience import is_hurried
from cookmas.orchestrator.planner import (
    Observation,
    Plan,
    Planner,
    PlannerAnswer,
    PlanningStoppedError,
)
from cookmas.orchestrator.planners.calling import observation_data, read_answer
from cookmas.sandbox.child import Child

ENTERING = 600.0
"""Seconds that a child has to construct the world, before it loads the user's planner."""


class OwnPlanner:
    """A planner that runs in a child; `described` has the attributes that the child reported."""

    def __init__(self, child: Child, described: Mapping[str, Any]) -> None:
        self._child = child
        self.name: str = described["name"]
        self.planner_class: PlannerClass = described["planner_class"]
        self.looks_up: bool = described["looks_up"]

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the child's answer. Raise FailedError if the child gives none."""
        return read_answer(await _answer(self._child, "plan", observation), Plan)


class _OwnMember:
    """An agent of a team in a child; `described` has the attributes that the child reported."""

    def __init__(self, child: Child, described: Mapping[str, Any]) -> None:
        self._child = child
        self.planner_class: PlannerClass = described["planner_class"]
        self.looks_up: bool = described["looks_up"]
        self.stepwise: bool = described["stepwise"]

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return the agent's turn from the child. Raise FailedError if the child gives none."""
        return read_answer(await _answer(self._child, "turn", observation), Turn)


class FailedPlanner:
    """A stand-in for a planner that could not be loaded; when it is asked, it raises the error."""

    planner_class: PlannerClass = "unknown"

    def __init__(self, name: str, error: FailedError) -> None:
        self.name = name
        self._error = error

    async def plan(self, observation: Observation[Any]) -> NoReturn:
        """Raise the error with which loading failed."""
        raise self._error


def load_own_planner(
    child: Child, spec: str, world: Mapping[str, Any], asked: Mapping[str, Any]
) -> Planner | Team:
    """Let a child load the planner or team that `spec` names, and return a stand-in for it.

    `world` describes the world to the child, and `asked` has the arguments for loading the planner.
    If the user's code fails while it loads, return a planner that raises the error when it is asked
    to plan. Raise InputError if `spec` names no planner.
    """
    try:
        child.ask("enter", world, ENTERING)
        described = child.ask("load", {"spec": spec, **asked})
    except FailedError as error:
        return FailedPlanner(spec, error)
    if described["seats"] is None:
        return OwnPlanner(child, described)
    return Team(
        name=described["name"],
        planner_class=described["planner_class"],
        members={name: _OwnMember(child, each) for name, each in described["seats"].items()},
        rounds=described["rounds"],
    )


async def _answer(child: Child, method: str, observation: Observation[Any]) -> str:
    """Return the child's answer in JSON. Raise the error with which its planner stopped."""

    async def look_up(key: Any) -> str:
        if not isinstance(key, str):
            raise MissingError(f"there is nothing to look up for {key!r}, which is not a text")
        return await observation.look_up(key)

    data = {**observation_data(observation), "hurried": is_hurried()}
    answer: Mapping[str, Any] = await child.call(method, data, look_up)
    if "off_tape" in answer:
        raise CassetteError(answer["off_tape"])
    if "stopped" in answer:
        made = read_answer(answer["made"], PlannerAnswer)
        why, termination = answer["stopped"], answer["termination"]
        away = bool(answer["away"])
        raise PlanningStoppedError(why, termination, made.calls, made.measured, away=away)
    return str(answer["answer"])
