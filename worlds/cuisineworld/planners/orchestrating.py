"""The orchestrator's planners in CuisineWorld: they schedule ahead and are called on triggers.

A rule gives the commands of one timestep. The planner rolls it forward in the public rules of the
kitchen, without the orders to come. A new order, an expiry or a refusal calls the planner again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from episodes.trace import PlannerClass
from orchestrator.planner import Observation, Plan
from worlds.cuisineworld.kitchen import STEPS, CuisineKitchen
from worlds.cuisineworld.policies import search, simple
from worlds.cuisineworld.policies.dispatch import Style
from worlds.cuisineworld.state import CuisineState
from worlds.cuisineworld.world import CuisineWorld

Rule = Callable[[CuisineKitchen, CuisineState], Sequence[str]]
"""Function that returns the commands of one timestep for a kitchen and its state."""


class RulePlanner:
    """A planner that rolls a rule forward for up to `reach` timesteps."""

    planner_class: PlannerClass = "embedded"
    name: str
    reach = STEPS

    def rule(self) -> Rule:
        """Return the rule."""
        raise NotImplementedError

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the commands from the present timestep on, as if no further order came."""
        world, state = observation.world, observation.state
        assert isinstance(world, CuisineWorld)
        rule, schedule = self.rule(), []
        for _ in range(min(self.reach, STEPS - state.timestep)):
            commands = world.commands(rule(world.kitchen, state))
            schedule.append(commands)
            state, _, _ = world.step(state, commands)
        ahead = f"{len(schedule)} timesteps ahead"
        return Plan(schedule=schedule, reasoning="; ".join([ahead, *observation.unread]))


class EmbeddedPlanner:
    """A planner that searches for the dishes to cook next, from its last plan on."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the commands of the best plan found, to the end of the episode."""
        world, state = observation.world, observation.state
        assert isinstance(world, CuisineWorld)
        memory, made = observation.memory, search.count_dishes(world.kitchen, state)
        last = None
        if memory:
            left = search.still_wanted(memory["dishes"], Counter(memory["made"]), made)
            last = (left, Style(*memory["style"]))
        found = search.plan(world.kitchen, state, last=last)
        served = f"{found.value:.1f} orders may be served from here on"
        return Plan(
            schedule=[world.commands(lines) for lines in found.schedule],
            reasoning="; ".join([served, *observation.unread]),
            memory={
                "dishes": list(found.dishes),
                "style": list(found.style),
                "made": dict(made),
            },
        )


class NoopPlanner(RulePlanner):
    """A planner that does nothing."""

    name = "noop"

    def rule(self) -> Rule:
        """Return the rule of doing nothing."""
        return simple.noop


class RandomPlanner(RulePlanner):
    """A planner whose agents do random legal actions; the timestep is added to the seed."""

    name = "random"
    reach = 1

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return a schedule of one timestep."""
        self._draw = self._seed + observation.timestep
        return await super().plan(observation)

    def rule(self) -> Rule:
        """Return the rule of random legal actions."""
        return simple.Random(self._draw)


class GreedyPlanner(RulePlanner):
    """A planner that gives each order an agent, those that expire first before the others."""

    name = "greedy"

    def rule(self) -> Rule:
        """Return the greedy rule in which agents do not help each other."""
        return simple.greedy


class SharedGreedyPlanner(RulePlanner):
    """A planner that gives out all work for the order that expires first, then for the next."""

    name = "shared-greedy"

    def rule(self) -> Rule:
        """Return the greedy rule in which agents share the work of an order."""
        return simple.share_greedily
