"""What a planner is: an observation in, a schedule out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from episodes.trace import PlannerClass
from episodes.world import Outcome, Trigger, World

State = TypeVar("State")


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation(Generic[State]):
    """All that a planner may know when it is called.

    `triggers` say why it is called now; `state` is the state at this timestep without what it may
    not know; `texts` holds what has been looked up in the episode, such as recipes by menu item;
    `fails` the actions that FAILed at the timestep before, by worker, with what came of them.
    """

    timestep: int
    triggers: tuple[Trigger, ...]
    world: World[State]
    state: State
    texts: Mapping[str, str]
    fails: Mapping[str, tuple[str, Outcome]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A planner's answer.

    `schedule` has an entry for each timestep from the present one on, worker to action; a worker
    that is left out is idle. `understood` is what was taken from the texts for each thing asked
    for, in the world's notation, where the planner can say; `gave_up` says why there will be no
    schedule, and ends the episode.
    """

    schedule: Sequence[Mapping[str, str]]
    reasoning: str = ""
    understood: Mapping[str, Sequence[str]] | None = None
    gave_up: str | None = None


class Planner(Protocol):
    """Answers an observation with a schedule.

    The answer should depend on nothing but the observation: a resumed episode asks again.
    """

    @property
    def name(self) -> str:
        """The name under which results are reported."""
        ...

    @property
    def planner_class(self) -> PlannerClass:
        """What helps the planner; results of different classes are never mixed."""
        ...

    async def plan(self, observation: Observation[Any]) -> Plan:
        """The schedule from the observed timestep on. Raises InfrastructureError."""
        ...


def malformed(plan: Plan, world: World[Any], timestep: int = 0) -> str | None:
    """Why a schedule that begins at `timestep` is refused whole; None if it is well-formed."""
    if isinstance(plan.schedule, str) or not isinstance(plan.schedule, Sequence):
        return "The schedule should be a list of timesteps."
    for now, entry in enumerate(plan.schedule, start=timestep):
        if not isinstance(entry, Mapping):
            return f"Timestep {now} of the schedule should map workers to actions."
        for worker, action in entry.items():
            if worker not in world.workers:
                known = ", ".join(world.workers)
                return f"Timestep {now}: there is no worker {worker!r}, only {known}."
            if not isinstance(action, str):
                return f"Timestep {now}, {worker}: an action should be text, not {action!r}."
            if problem := world.unreadable(action):
                return f"Timestep {now}, {worker}: {problem}."
    return None
