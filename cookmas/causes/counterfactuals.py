"""An episode that is played again, in which the reference takes some of the decisions.

A decision is one answer: a plan, or the turn of an agent. Everything else is as it was: the events,
the draws, and the planners, which answer as they answered as long as they are asked the same. The
reference knows at each decision what could be known then, and the truth about the requests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from cookmas.api import episode_for
from cookmas.episodes.trace import StepRecord, Trace
from cookmas.evals.verdict import EPISODE, Verdict
from cookmas.files.errors import UnsupportedError
from cookmas.loading import Loaded, planner_of
from cookmas.orchestrator.member import Member, Team, Turn
from cookmas.orchestrator.models.cassette import CassetteError
from cookmas.orchestrator.planner import (
    Observation,
    Plan,
    Planner,
    PlannerAnswer,
    check_plan,
)
from cookmas.orchestrator.planners.calling import ask_member, ask_planner
from cookmas.orchestrator.planners.seats import replace_members, seat_of
from cookmas.replaying import judge_in
from cookmas.user_processes import UserProcesses

Answer = TypeVar("Answer", bound=PlannerAnswer)

Ask = Callable[[Any, Observation[Any]], Awaitable[Answer]]
"""A function that asks a planner or an agent."""

Schedule = Sequence[Mapping[str, str]]
"""The actions of each timestep from a decision on, by worker."""


class DecisionPoint(NamedTuple):
    """Where a decision is taken: the timestep, the agent and its turn."""

    timestep: int
    agent: str | None
    """The agent of a team; None stands for the central planner."""
    turn: int
    """Which answer of this agent it is at this timestep, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByReference:
    """The decisions that the reference takes: those at some points, and all from one on."""

    at: frozenset[DecisionPoint] = frozenset()
    since: int | None = None
    """Number of the first decision that it takes; None for none."""

    def concerns(self, number: int, point: DecisionPoint) -> bool:
        """Return whether the reference takes the decision at a point, which has this number."""
        return point in self.at or (self.since is not None and number >= self.since)


AS_IT_WAS = ByReference()


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactual:
    """An episode that was played again."""

    decided: Mapping[DecisionPoint, Schedule]
    """What each decision was, in order; an agent that only talks decides nothing."""
    trace: Trace | None = None
    """Its trace; None if a planner was asked something of which its answer is unknown."""
    verdict: Verdict | None = None
    """Its verdict; None if there is no trace."""
    unsure: str = ""
    """Why the answer is unknown."""

    @property
    def points(self) -> Sequence[DecisionPoint]:
        """The points of its decisions, in order."""
        return [*self.decided]


class Counterfactuals:
    """Plays an episode again; equal changes are played once.

    `truth` judges. User-supplied planners run in the `processes`. Raises UnsupportedError if the
    world has no reference.
    """

    def __init__(self, loaded: Loaded, truth: Any, processes: UserProcesses | None = None) -> None:
        self.domain = loaded.domain
        self.plays = 0
        """Number of plays so far."""
        self._loaded = loaded
        self._truth = truth
        self._processes = processes
        self._known = dict[ByReference, Counterfactual]()
        self._reference = _reference_of(loaded)

    async def play(self, change: ByReference = AS_IT_WAS) -> Counterfactual:
        """Play the episode with a change."""
        if change not in self._known:
            self.plays += 1
            self._known[change] = await self._play(change)
        return self._known[change]

    def knows(self, change: ByReference) -> bool:
        """Return whether a change has been played already."""
        return change in self._known

    async def plays_like(self, recorded: Trace) -> bool:
        """Return whether the episode, played again without a change, is what was recorded."""
        again = (await self.play()).trace
        return again is not None and _digests(again) == _digests(recorded)

    def reached(self, verdict: Verdict) -> frozenset[str]:
        """Return the goals that were reached as asked; `episode` if the world judges no others."""
        return frozenset(goal for goal, reached in self._judged(verdict) if reached)

    def missed(self, verdict: Verdict) -> Sequence[str]:
        """Return the goals that were not reached as asked; `episode` if the world has no others."""
        return [goal for goal, reached in self._judged(verdict) if reached is False]

    def _judged(self, verdict: Verdict) -> Sequence[tuple[str, bool | None]]:
        deciding = self.domain.judging.deciding
        return [(e.subject, e.passed) for e in verdict.of(deciding)] or [(EPISODE, verdict.success)]

    async def _play(self, change: ByReference) -> Counterfactual:
        asked = _Asked(change)
        by = self._seat(planner_of(self._loaded, self._processes), asked)
        try:
            trace = await episode_for(self._loaded, by).run()
        except CassetteError as error:
            return Counterfactual(decided=asked.decided, unsure=str(error))
        verdict = judge_in(self.domain, trace, self._truth)
        return Counterfactual(decided=asked.decided, trace=trace, verdict=verdict)

    def _seat(self, own: Planner | Team, asked: _Asked) -> Planner | Team:
        """Return the planner or team in which each decision goes through `asked`."""
        reference = planner_of(self._reference, self._processes)
        if not isinstance(own, Team):
            if isinstance(reference, Team):
                raise UnsupportedError(
                    "why", f"{self.domain.name} has no reference for one planner"
                )
            return _Central(own, reference, None, asked)
        workers = self._loaded.scenario.world().workers
        members: Mapping[str, Member] = {
            worker: _Seat(member, seat_of(reference, worker, workers).member, worker, asked)
            for worker, member in own.members.items()
        }
        return replace_members(own, members, {})


class _Asked:
    """The decisions of an episode, noted; it says which of them the reference takes."""

    def __init__(self, change: ByReference) -> None:
        self.decided: dict[DecisionPoint, Schedule] = {}
        self._change = change
        self._turns = Counter[tuple[int, str | None]]()

    def is_changed(self, timestep: int, agent: str | None) -> bool:
        """Note that a decision is asked for, and return whether the reference takes it."""
        self._turns[timestep, agent] += 1
        point = DecisionPoint(timestep, agent, self._turns[timestep, agent])
        number = len(self.decided)
        self.decided[point] = ()
        return self._change.concerns(number, point)

    def note(self, schedule: Schedule) -> None:
        """Note what the last decision was."""
        self.decided[next(reversed(self.decided))] = schedule


class _Deciding:
    """A planner or an agent of which some decisions are the reference's; each has its memory."""

    def __init__(self, own: Any, reference: Any, agent: str | None, asked: _Asked) -> None:
        self._own = own
        self._reference = reference
        self._agent = agent
        self._asked = asked
        self._memory: Mapping[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        """Return what else the planner says of itself, such as its name and its class."""
        return getattr(self._own, name)

    async def _answer(self, ask: Ask[Answer], observation: Observation[Any]) -> Answer:
        if not self._asked.is_changed(observation.timestep, self._agent):
            return await ask(self._own, observation)
        answer = await ask(self._reference, replace(observation, memory=self._memory))
        self._memory = answer.memory or {}
        return replace(answer, memory=None)


class _Central(_Deciding):
    async def plan(self, observation: Observation[Any]) -> Plan:
        plan = await self._answer(ask_planner, observation)
        commands, _ = check_plan(plan, observation.world)
        self._asked.note([dict(row) for row in commands])
        return plan


class _Seat(_Deciding):
    async def turn(self, observation: Observation[Any]) -> Turn:
        turn = await self._answer(ask_member, observation)
        self._asked.note([{str(self._agent): action} for action in turn.actions or ()])
        return turn


def _reference_of(loaded: Loaded) -> Loaded:
    """Return the request for the reference of a world. Raise UnsupportedError if there is none."""
    domain = loaded.domain
    if domain.reference not in (*domain.planners, "oracle"):
        raise UnsupportedError("why", f"the world {domain.name} names no planner to compare with")
    asked = {"planner": domain.reference, "model": None, "asking": None, "people": ()}
    return replace(loaded, request=loaded.request.model_copy(update=asked))


def _digests(trace: Trace) -> list[str]:
    return [step.digest for step in trace.of(StepRecord)]
