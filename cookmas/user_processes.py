"""User-supplied planners and evaluators in processes of their own, called children: both sides.

For a planner that a user wrote, the parent process has a stand-in, which sends each observation to
the child and reads its answer. In the child the planner is made and called.
The evaluators, which see the truth, have a child of their own.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from cookmas.episodes.base import World
from cookmas.episodes.failure import FailedError, boundary
from cookmas.episodes.trace import PlannerClass
from cookmas.files.errors import CookMASError, InputError, LimitReachedError, MissingError
from cookmas.files.naming import is_code
from cookmas.orchestrator.member import Team, Turn
from cookmas.orchestrator.models.cassette import CassetteError
from cookmas.orchestrator.models.options import MakeModel, Models
from cookmas.orchestrator.models.patience import check_quickly, is_hurried
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
    observation_data,
    observation_of,
    read_answer,
    write_answer,
)
from cookmas.orchestrator.planners.naming import NamedPlayer, load_player
from cookmas.orchestrator.planners.seats import seat_of, team_of_seats
from cookmas.sandbox.child import Child, Limits
from cookmas.sandbox.host import Ask
from cookmas.sandbox.importing import import_named
from cookmas.world_names import WORLDS, world_of
from cookmas.worlds.base.domain import Domain
from cookmas.worlds.base.loading import load_domain

if TYPE_CHECKING:
    from cookmas.evals.evidence import Evaluator
    from cookmas.evals.verdict import Verdict

ENTERING = 600.0
"""Seconds that a child has to construct the world, before it loads the user's planner."""

STOPPED = (PlanningStoppedError, CassetteError, LimitReachedError)
"""Errors of a planner that are not failures of its own code."""


def is_own(spec: str, named: Mapping[str, str]) -> bool:
    """Return whether a planner is user-supplied: its name is a `module:Class`, and not one of
    `named`.
    """
    return is_code(spec) and spec not in named


class UserProcesses:
    """The processes in which user-supplied code runs.

    Use it in a `with` block, at whose end the processes end. Until a process fails, it is reused
    for all episodes of a suite. `home` names the class that makes a planner inside the planner's
    process, and `told` is plain data for it.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        home: str = f"{__name__}:HostedPlanner",
        told: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        limits = limits or Limits()
        self._home = home
        self._told = told
        self._limits = limits
        self._planners: dict[str | None, Child] = {}
        self._evaluators = Child(f"{__name__}:{HostedEvaluators.__name__}", limits)

    def __enter__(self) -> UserProcesses:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes at once."""
        for child in self._planners.values():
            child.close()
        self._evaluators.close()

    def planner(
        self, player: NamedPlayer, world: Mapping[str, Any], seat: str | None = None
    ) -> Planner | Team:
        """Return the stand-in for a player whose planner is named as `module:Class`.

        `world` has the name of the `world` and the world's `setup`. Each `seat` has its own
        process. If the user's code fails while it loads, the planner raises the error when it is
        asked to plan. Raise InputError if there is no such planner.
        """
        child = self._planners.setdefault(seat, Child(self._home, self._limits))
        asked = {**self._told, "player": player.model_dump(mode="json"), "seat": seat}
        try:
            child.ask("enter", world, ENTERING)
            described = child.ask("load", asked)
        except FailedError as error:
            return FailedPlanner(player.planner, error)
        if described["seats"] is None:
            return OwnPlanner(child, described)
        return Team(
            name=described["name"],
            planner_class=described["planner_class"],
            members={name: _OwnMember(child, each) for name, each in described["seats"].items()},
            rounds=described["rounds"],
        )

    def check_evaluators(self, specs: Sequence[str]) -> None:
        """Raise InputError if an evaluator does not exist."""
        for spec in specs:
            with contextlib.suppress(FailedError):
                self._evaluators.ask("find", spec)

    def judge(
        self,
        verdict: Verdict,
        specs: Sequence[str],
        trace: Path,
        truth: Path | None = None,
        world: str | None = None,
    ) -> Verdict:
        """Return `verdict` with the checks of user-supplied evaluators on the trace in the file
        `trace`.

        `specs` names the evaluators as `module:function`. `truth` is the file of the truth, None
        for that of the scenario. If an evaluator fails, its only check reports the failure.
        """
        from cookmas.evals.judging import check_of_failure
        from cookmas.evals.verdict import Check

        paths = {"trace": str(trace), "truth": str(truth) if truth else None, "world": world}
        own: list[Check] = []
        for spec in specs:
            try:
                checks = self._evaluators.ask("judge", {"spec": spec, **paths})
                own += [Check.model_validate(check) for check in checks]
            except FailedError as error:
                own.append(check_of_failure(spec, error))
        return verdict.model_copy(update={"own": tuple(own)})


class OwnPlanner:
    """A planner that runs in a child; `described` has the attributes that the child reported."""

    def __init__(self, child: Child, described: Mapping[str, Any]) -> None:
        self._child = child
        self.name: str = described["name"]
        self.planner_class: PlannerClass = described["planner_class"]
        self.looks_up: bool = described["looks_up"]

    async def plan(self, observation: Observation[Any]) -> Plan:
        return read_answer(await _ask_child(self._child, "plan", observation), Plan)


class _OwnMember:
    def __init__(self, child: Child, described: Mapping[str, Any]) -> None:
        self._child = child
        self.planner_class: PlannerClass = described["planner_class"]
        self.looks_up: bool = described["looks_up"]
        self.stepwise: bool = described["stepwise"]

    async def turn(self, observation: Observation[Any]) -> Turn:
        return read_answer(await _ask_child(self._child, "turn", observation), Turn)


class FailedPlanner:
    """A stand-in for a planner that could not be loaded; when it is asked, it raises the error."""

    planner_class: PlannerClass = "unknown"

    def __init__(self, name: str, error: FailedError) -> None:
        self.name = name
        self._error = error

    async def plan(self, observation: Observation[Any]) -> NoReturn:
        raise self._error


async def _ask_child(child: Child, method: str, observation: Observation[Any]) -> str:
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


class HostedPlanner:
    """A user-supplied planner or team in its child; `enter` and `load` make it for each episode."""

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
        """Make the planner of the `player` in `asked`, and return what its stand-in reports."""
        assert self._domain
        assert self._world
        player, seat = NamedPlayer(**asked["player"]), asked["seat"]
        workers = self._world.workers
        models = Models(player.model, workers if seat else (), self.find_maker(asked))
        try:
            placement = self._domain.place(self._world, _no_schedule)
            planner = load_player(player, placement, models, seat)
        except (FailedError, InputError):
            raise
        except CookMASError as error:
            raise InputError(f"planner {player.planner!r}", str(error)) from None
        if seat is not None:
            planner = team_of_seats({seat: seat_of(planner, seat, workers)})
        self._planner = planner
        team = planner if isinstance(planner, Team) else None
        return {
            "name": planner.name,
            "planner_class": planner.planner_class,
            "looks_up": bool(getattr(planner, "looks_up", False)),
            "rounds": team.rounds if team else None,
            "seats": _describe_members(team) if team else None,
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


def _describe_members(team: Team) -> dict[str, dict[str, Any]]:
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


class HostedEvaluators:
    """The user-supplied evaluators of the child process, each of which a call names."""

    def __init__(self, ask: Ask) -> None:
        """`ask` is unused: evaluators get all that they may know with the call."""

    async def find(self, spec: str) -> None:
        """Raise InputError if there is no such evaluator; `spec` names it as `module:function`."""
        _import_evaluator(spec)

    async def judge(self, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the checks of one evaluator on the episode in a trace file, as plain data.

        `asked` names the evaluator, the files of the trace and of the truth, and the world.
        """
        from cookmas.episodes.trace_file import read_trace
        from cookmas.replaying import truth_of

        spec, path, world = asked["spec"], Path(asked["trace"]), asked["world"]
        with boundary(spec, allowed=()):
            evaluator = _import_evaluator(spec)
            trace = read_trace(path)
            truth = truth_of(trace, path, Path(asked["truth"]) if asked["truth"] else None, world)
            domain = world_of(trace, world)
            played = domain.world(trace.header.setup)
        _, checks, _ = domain.judging.examine(trace, truth, played, {spec: evaluator})
        return [check.model_dump(mode="json") for check in checks]


def _import_evaluator(spec: str) -> Evaluator:
    where = f"evaluator {spec!r}"
    evaluator: Evaluator = import_named(spec, where, "module:function")
    if not callable(evaluator):
        raise InputError(where, "is not an evaluator: it cannot be called")
    return evaluator
