"""Teams and their members: agents that each plan for one worker and may talk to each other."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, runtime_checkable

from cookmas.episodes.trace import PlannerClass, SeatRecord
from cookmas.orchestrator.planner import Observation, PlannerAnswer

ROUNDS = 4
"""Default number of turns of each member at a timestep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(PlannerAnswer):
    """The answer of an agent in its turn."""

    say: str = ""
    """A message to all other agents; an empty text sends none."""
    actions: Sequence[str] | None = None
    """The agent's actions from the present timestep on; None keeps its earlier decision.

    An empty text is a timestep without an action of the agent's own.
    """
    settles: bool = False
    """True if agents that have decided need not answer the message."""


@runtime_checkable
class Member(Protocol):
    """An agent of a team, which plans for one worker.

    A member with a true attribute `looks_up` gets no texts with the observation, and looks them up
    itself. A member with a true attribute `stepwise` is called at each move of its worker, without
    a trigger.
    """

    async def turn(self, observation: Observation[Any]) -> Turn:
        """Return the agent's turn, which must depend only on the observation.

        Raise InfrastructureError, or PlanningStoppedError, which carries the model calls.
        """
        ...


@runtime_checkable
class Policy(Protocol):
    """An object that chooses one action from an observation, at each move of its worker.

    Like a planner, a policy may have a `name` and a `planner_class`.
    """

    def act(self, observation: Observation[Any]) -> str | Awaitable[str]:
        """Return the action of this timestep, which must depend only on the observation."""
        ...


@dataclass(frozen=True, kw_only=True)
class Team:
    """A planner that consists of agents, one for each worker."""

    name: str
    """Name under which results are reported."""
    planner_class: PlannerClass
    """The planner class of the team: the common class of its members, or `mixed`.

    The class that is passed to the constructor counts for members that have none.
    """
    members: Mapping[str, Member]
    """The agents by worker."""
    rounds: int = ROUNDS
    """Turns that each agent may take at one timestep.

    With 0 each agent takes one turn and cannot send messages.
    """
    seats: Mapping[str, SeatRecord] = field(default_factory=dict)
    """Name and class of each worker's planner.

    By default the name is the team's, and the class is the member's or else the team's.
    """
    topology: ClassVar[str] = "team"

    def __post_init__(self) -> None:
        by = {
            worker: SeatRecord(
                planner=self.name,
                planner_class=getattr(member, "planner_class", self.planner_class),
            )
            for worker, member in self.members.items()
        }
        seats = {**by, **self.seats}
        object.__setattr__(self, "seats", seats)
        if seats:
            classes = [seat.planner_class for seat in seats.values()]
            object.__setattr__(self, "planner_class", common_class(classes))

    @property
    def alike(self) -> bool:
        """Whether the same planner has every seat."""
        return len({seat.planner for seat in self.seats.values()}) == 1

    @property
    def most_turns(self) -> int:
        """The greatest number of turns of all agents together at one timestep."""
        return max(self.rounds, 1) * len(self.members)

    @property
    def stepwise(self) -> frozenset[str]:
        """The workers whose agents are called at each of their moves, without a trigger."""
        return frozenset(n for n, each in self.members.items() if getattr(each, "stepwise", False))


def common_class(classes: Collection[PlannerClass]) -> PlannerClass:
    """Return the one planner class if all `classes` are equal, else `mixed`."""
    first, *others = dict.fromkeys(classes)
    return "mixed" if others else first
