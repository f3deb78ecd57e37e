"""The random planner, which draws an action for each worker, if possible a legal one."""

from __future__ import annotations

from random import Random
from typing import Any

from cookmas.episodes.base import movers
from cookmas.episodes.possible import list_legal
from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.planner import Observation, Plan


class RandomPlanner:
    """A planner that draws one action for each worker whose move it is, for one timestep.

    It draws legal actions if the world can list them for what is observed. Otherwise it draws from
    all actions of the world.
    """

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    async def plan(self, observation: Observation[Any]) -> Plan:
        world, state = observation.world, observation.state
        draw = Random(f"{self._seed}/{observation.timestep}")
        asked = movers(world, state)
        listed = list_legal(world, state, observation.agent, asked)
        choices = dict.fromkeys(asked, _list_actions(world)) if listed is None else listed
        drawn = {worker: draw.choice(actions) for worker, actions in choices.items() if actions}
        return Plan(schedule=[drawn], reasoning="; ".join(["drawn", *observation.unread]))


def _list_actions(world: Any) -> list[str]:
    """Return all actions of a world; an empty list if an argument has no listed choices."""
    return list(world.every_action() or ())
