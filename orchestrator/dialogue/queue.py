"""The queue of a team's agent: a plan that it works off at its own moves without the model.

The queue is kept in the agent's memory, so that a resumed episode continues it. The
orchestrator calls the agent at each of its moves. As long as nothing is new, the agent hands out
the next action of the plan and does not ask the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from cookmas.orchestrator.dialogue.blocks import PROBLEMS
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.planner import Observation


def is_queued(observation: Observation[Any], prompting: Prompting) -> bool:
    """Return whether the actions of each worker in a schedule are a queue for the orchestrator.

    They are in a world whose actions last. A decision on one timestep is no queue, and an agent
    with a queue of its own hands its actions out one by one.
    """
    lasting = observation.world.lasting
    own = prompting.queue and observation.agent is not None
    return lasting and not prompting.per_step and not own


QUEUE = "queue"
"""Key of the queue in the memory of an agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanQueue:
    """A plan, and how much of it the agent had handed out after its last turn."""

    plan: Sequence[str] = ()
    """The actions in order."""
    at: int = -1
    """Index of the action that the agent handed out last; -1 if it has handed out none."""
    since: int = -1
    """Timestep of the agent's last turn."""
    heard: int = 0
    """Number of messages of the timestep `since` that the agent knew at its last turn."""
    decided: int = -1
    """Timestep at which the model answered with this plan; -1 if the plan is not the model's."""

    @classmethod
    def of(cls, observation: Observation[Any]) -> PlanQueue:
        """Return the queue in the memory of an observation, or an empty one."""
        return cls(**observation.memory.get(QUEUE, {}))

    def count_begun(self, timestep: int) -> int:
        """Return how many actions of the plan were begun before a timestep."""
        return self.at + 1 if timestep > self.since else max(self.at, 0)

    def actions_left(self, timestep: int) -> list[str]:
        """Return the actions of the plan that were not begun before a timestep."""
        return list(self.plan[self.count_begun(timestep) :])

    def goes_on(self, observation: Observation[Any]) -> bool:
        """Return whether the agent can act without the model: an action is left and nothing is new.

        New are triggers, a FAIL of the agent, problems in its memory, and words of other agents
        that it did not know at its last turn.
        """
        return (
            bool(self.actions_left(observation.timestep))
            and not observation.triggers
            and observation.agent not in observation.fails
            and not observation.memory.get(PROBLEMS)
            and not self._unheard(observation)
        )

    def _unheard(self, observation: Observation[Any]) -> bool:
        said = [*observation.heard, *observation.talk]
        late = [each for each in said if each.timestep == self.since][self.heard :]
        new = [each for each in said if each.timestep > self.since]
        return any(each.agent != observation.agent for each in (*late, *new))

    def handing(self, observation: Observation[Any]) -> PlanQueue:
        """Return the queue after the agent has handed out the next action."""
        now = observation.timestep
        return replace(self, at=self.count_begun(now), since=now, heard=len(observation.talk))

    def data(self) -> Mapping[str, Any]:
        """Return the queue as plain data."""
        return {**asdict(self), "plan": list(self.plan)}


def new_queue(observation: Observation[Any], plan: Sequence[str], *, answered: bool) -> PlanQueue:
    """Return the queue of a new plan, whose first action is handed out if it is the agent's move.

    `answered` says whether the plan is an answer of the model.
    """
    now = observation.timestep
    return PlanQueue(
        plan=plan,
        at=0 if plan and observation.agent in observation.movers else -1,
        since=now,
        heard=len(observation.talk),
        decided=now if answered else -1,
    )
