"""Drawn actions: the random planner of all workers, the random player of one, and their parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from cookmas.episodes.base import movers
from cookmas.episodes.possible import list_legal
from cookmas.episodes.trace import PlannerClass
from cookmas.episodes.world import Command
from cookmas.orchestrator.planner import Observation, Plan

DrawnAct = Callable[[Any, Random], str]
"""A function that chooses an action by an observation and what it draws."""

ListActions = Callable[[Any, Any, str], Sequence[str]]
"""A function that lists actions of a worker in a state of a world."""


def draw_for(seed: int, observation: Observation[Any]) -> Random:
    """Return the source of all that a policy draws at a timestep, which is the seat's own."""
    return Random(f"{seed}/{observation.timestep}/{observation.agent}")


def draw_from(list_actions: ListActions) -> DrawnAct:
    """Return the function that draws one of the listed actions, or idles if there is none."""

    def act(observation: Observation[Any], draw: Random) -> str:
        world = observation.world
        listed = list_actions(world, observation.state, observation.agent or world.workers[0])
        return draw.choice(listed) if listed else world.idle

    return act


draw_legal = draw_from(lambda world, state, worker: [*world.legal(state, worker)])
"""The function that draws a legal action."""


class RandomPlanner:
    """A planner that draws one action for each worker whose move it is.

    It draws legal actions if the world can list them for what is observed. Otherwise it draws from
    all actions of the world. For more than one timestep (`reach`) it simulates the drawn actions,
    to know which are legal next; workers are drawn for one by one, so two may still collide.
    """

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0, reach: int = 1) -> None:
        self._seed = seed
        self._reach = reach

    async def plan(self, observation: Observation[Any]) -> Plan:
        world, state = observation.world, observation.state
        schedule: list[dict[str, str]] = []
        for ahead in range(self._reach):
            if ahead:
                state, _, _ = world.step(state, [Command(*each) for each in schedule[-1].items()])
            draw = Random(f"{self._seed}/{observation.timestep + ahead}")
            asked = movers(world, state)
            listed = list_legal(world, state, observation.agent, asked)
            choices = dict.fromkeys(asked, _list_actions(world)) if listed is None else listed
            drawn = {worker: draw.choice(actions) for worker, actions in choices.items() if actions}
            schedule.append(drawn)
        return Plan(schedule=schedule, reasoning="; ".join(["drawn", *observation.unread]))


FAR = partial(RandomPlanner, reach=20)
"""The random planner that draws twenty timesteps at a time."""


def _list_actions(world: Any) -> list[str]:
    """Return all actions of a world; an empty list if an argument has no listed choices."""
    return list(world.every_action() or ())


class RandomPlayer:
    """A player that draws a legal action, in the seat of one worker."""

    name = "random"
    planner_class: PlannerClass = "embedded"

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def act(self, observation: Observation[Any]) -> str:
        return draw_legal(observation, draw_for(self._seed, observation))
