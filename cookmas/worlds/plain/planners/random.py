"""The random planner, which draws an action for each worker, if possible a legal one."""

from __future__ import annotations

from random import Random
from typing import Any

from cookmas.episodes.capabilities import movers, simulable
from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.worlds.plain.world import PlainWorld


class RandomPlanner:
    """A planner that draws one action for each worker whose move it is, for one timestep.

    It draws legal actions if the observed state can be simulated. Otherwise it draws from all
    actions of the world.
    """

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule of one timestep."""
        world, state = observation.world, observation.state
        draw = Random(f"{self._seed}/{observation.timestep}")
        known = simulable(world, state, observation.agent)
        choices = {
            worker: _list_actions(world) if known is None else list(world.legal(known, worker))
            for worker in movers(world, state)
        }
        drawn = {worker: draw.choice(actions) for worker, actions in choices.items() if actions}
        return Plan(schedule=[drawn], reasoning="; ".join(["drawn", *observation.unread]))


def _list_actions(world: Any) -> list[str]:
    """Return all actions of a world; an empty list if an argument has no listed choices."""
    assert isinstance(world, PlainWorld)
    return list(world.every_action() or ())
