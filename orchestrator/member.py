"""What a member of a team is: an agent that plans for one worker, and may talk to the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from episodes.trace import ModelCall, PlannerClass
from orchestrator.models.message import Measured
from orchestrator.planner import Observation


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What an agent does in its turn.

    `say` is told to all others; `actions` are its own from the present timestep on, and None where
    it does not decide yet. `reasoning` it keeps to itself. `calls`, `measured` and `memory` are as
    in a planner's answer.
    """

    say: str = ""
    actions: Sequence[str] | None = None
    reasoning: str = ""
    calls: Sequence[ModelCall] = ()
    measured: Sequence[Measured] = ()
    memory: Mapping[str, Any] | None = None


class Member(Protocol):
    """An agent of a team, which plans for one worker."""

    async def turn(self, observation: Observation[Any]) -> Turn:
        """What it does, by nothing but the observation.

        Raises InfrastructureError, or PlanningStoppedError where a model has been called before.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Team:
    """Who plans for each worker; `rounds` is how often each may have a turn at one timestep.

    `name` and `planner_class` are as a planner's.
    """

    name: str
    planner_class: PlannerClass
    members: Mapping[str, Member]
    rounds: int = 4

    @property
    def most_turns(self) -> int:
        """So many turns may be taken at one timestep."""
        return self.rounds * len(self.members)
