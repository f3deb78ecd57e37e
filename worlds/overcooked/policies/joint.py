"""A cook that plans for all cooks together, and expects the others to follow the same plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from episodes.trace import PlannerClass
from orchestrator.member import Team, Turn
from orchestrator.planner import Observation
from worlds.overcooked.kitchen import STAY
from worlds.overcooked.planning.search import Effort, plan_together
from worlds.overcooked.policies.partners import OvercookedPartner
from worlds.overcooked.state import HIDDEN, OvercookedState
from worlds.overcooked.world import OvercookedWorld

KEPT = 20
"""Greatest number of timesteps after which the cook plans again."""

QUICK = Effort(ahead=40, width=4)
"""How much is searched after another cook did something else than planned."""


class JointCook:
    """A cook that does its part of the best joint plan that a search finds.

    It plans again after KEPT timesteps, and as soon as another cook does not follow the plan. If it
    does not see the others, or may not command low-level acts, it acts as the greedy cook.
    """

    planner_class: PlannerClass = "embedded"
    stepwise = True

    def __init__(self, effort: Effort) -> None:
        self._greedy = OvercookedPartner()
        self._effort = effort

    async def turn(self, observation: Observation[OvercookedState]) -> Turn:
        """Return the cook's act of this timestep. The memory has the plan."""
        world, state = observation.world, observation.state
        assert isinstance(world, OvercookedWorld)
        if HIDDEN in state.scene.cooks or world.options.acts == "medium":
            return Turn(actions=[self._greedy.act(observation)])
        number = world.workers.index(observation.agent or world.workers[0])
        memory = observation.memory
        plan = _rest_of(memory, state)
        if plan is None:
            broken = bool(memory) and state.timestep < memory["since"] + len(memory["plan"])
            left = world.options.horizon - state.timestep
            effort = QUICK if broken else self._effort
            resting = frozenset(
                other
                for other, act in enumerate(state.acts)
                if broken and other != number and act == STAY
            )
            plan = plan_together(world.kitchen, state.scene, left, effort, resting)[:KEPT]
            memory = {"since": state.timestep, "plan": [list(joint) for joint in plan]}
        return Turn(actions=[plan[0][number]], memory=memory)


class JointSearch(Team):
    """A team of cooks that find the same joint plan."""

    def __init__(self, workers: Sequence[str], effort: Effort | None = None) -> None:
        members = {name: JointCook(effort or Effort()) for name in workers}
        super().__init__(name="joint-search", planner_class="embedded", members=members, rounds=0)


def _rest_of(
    memory: Mapping[str, Any], state: OvercookedState
) -> tuple[tuple[str, ...], ...] | None:
    """Return the rest of the plan; None if it is over or somebody did not follow it."""
    if not memory:
        return None
    done = state.timestep - memory["since"]
    plan = memory["plan"]
    if not 0 < done < len(plan) or list(state.acts) != plan[done - 1]:
        return None
    return tuple(map(tuple, plan[done:]))
