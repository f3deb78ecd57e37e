"""The members of a team: agents that plan for one worker each, and may talk to each other."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from episodes.trace import ModelCall, PlannerClass, SeatRecord
from orchestrator.models.message import CallMeasurements
from orchestrator.planner import Observation

ROUNDS = 4
"""Default number of turns of each member at a timestep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """The answer of an agent in its turn."""

    say: str = ""
    """A message to all other agents; empty: none."""
    actions: Sequence[str] | None = None
    """Its actions from the present timestep on; None keeps its earlier decision."""
    reasoning: str = ""
    """Its explanation, which other agents do not see."""
    calls: Sequence[ModelCall] = ()
    """The model calls for this turn, in order."""
    measured: Sequence[CallMeasurements] = ()
    """What each of these calls took; the trace does not hold it."""
    memory: Mapping[str, Any] | None = None
    """Plain data of bounded size for its next observation; None keeps the earlier data."""
    understood: Mapping[str, Sequence[str]] | None = None
    """How it interpreted the texts, by request, in the world's notation; in the trace with
    `actions`.
    """
    doubts: Sequence[str] = ()
    """What it did not understand in the texts; in the trace with `actions`."""


@runtime_checkable
class Member(Protocol):
    """An agent of a team, which plans for one worker.

    A member with a true attribute `looks_up` gets no texts with the observation, and looks them up
    itself. A member with a true attribute `stepwise` is called at each move of its worker, without
    a trigger.
    """

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return the agent's turn, which depends only on the observation. Raises
        InfrastructureError, or PlanningStoppedError after a model call.
        """
        ...


@runtime_checkable
class Policy(Protocol):
    """Answers an observation with one action, at each move of its worker. Like a planner it may
    have a `name` and a `planner_class`.
    """

    def act(self, observation: Observation[Any]) -> str | Awaitable[str]:
        """Return the action of this timestep, which depends only on the observation."""
        ...


@dataclass(frozen=True, kw_only=True)
class Team:
    """A planner for each worker."""

    name: str
    """Name under which results are reported."""
    planner_class: PlannerClass
    """What helps the team; members with a `planner_class` of their own determine it."""
    members: Mapping[str, Member]
    """The agent of each worker."""
    rounds: int = ROUNDS
    """Turns that each agent may take at one timestep; with 0 each takes one and cannot send
    messages.
    """
    seats: Mapping[str, SeatRecord] = field(default_factory=dict)
    """Name and class of each worker's planner; by default those of the team."""
    topology: ClassVar[str] = "team"

    def __post_init__(self) -> None:
        seats = {
            worker: self.seats.get(worker)
            or SeatRecord(
                planner=self.name,
                planner_class=getattr(member, "planner_class", self.planner_class),
            )
            for worker, member in self.members.items()
        }
        object.__setattr__(self, "seats", seats)
        if seats:
            classes = [seat.planner_class for seat in seats.values()]
            object.__setattr__(self, "planner_class", common_class(classes))

    @property
    def most_turns(self) -> int:
        """The greatest number of turns of all agents at one timestep."""
        return max(self.rounds, 1) * len(self.members)

    @property
    def stepwise(self) -> frozenset[str]:
        """The workers whose agents are called at each of their moves, without a trigger."""
        return frozenset(n for n, each in self.members.items() if getattr(each, "stepwise", False))


def common_class(classes: Collection[PlannerClass]) -> PlannerClass:
    """Return the common class of these, or `mixed` if they differ."""
    first, *others = dict.fromkeys(classes)
    return "mixed" if others else first
