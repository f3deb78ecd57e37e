"""What a member of a team is: an agent that plans for one worker, and may talk to the others."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from episodes.trace import ModelCall, PlannerClass, SeatRecord
from orchestrator.models.message import Measured
from orchestrator.planner import Observation

ROUNDS = 4
"""Turns that each member has at a timestep where nothing else is said."""


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
    measured: Sequence[Measured] = ()
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

    One that has a true attribute `looks_up` gets no texts with the observation, and looks them up
    itself. One that has a true attribute `stepwise` is asked at every timestep at which it is its
    worker's move, whether anything triggers that or not.
    """

    async def turn(self, observation: Observation[Any]) -> Turn:
        """What it does, by nothing but the observation.

        Raises InfrastructureError, or PlanningStoppedError where a model has been called before.
        """
        ...


@runtime_checkable
class Policy(Protocol):
    """Answers an observation with one action, at every timestep at which it is its move.

    Like a planner it may have a `name` and a `planner_class`.
    """

    def act(self, observation: Observation[Any]) -> str | Awaitable[str]:
        """Return the action of this timestep, by nothing but the observation."""
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
        """So many turns may be taken at one timestep."""
        return max(self.rounds, 1) * len(self.members)

    @property
    def stepwise(self) -> frozenset[str]:
        """The workers that are asked at each of their moves, without a trigger."""
        return frozenset(n for n, each in self.members.items() if getattr(each, "stepwise", False))


def common_class(classes: Collection[PlannerClass]) -> PlannerClass:
    """Return the class of all of these, or `mixed` where they are of several."""
    first, *others = dict.fromkeys(classes)
    return "mixed" if others else first
