"""CookMAS's way in CuisineWorld: a planner that is called on triggers, and schedules ahead.

A rule that answers one timestep is rolled forward in the public rules of the kitchen, without the
orders to come; a new order, an expiry or a refusal has it called again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from episodes.trace import PlannerClass
from orchestrator.planner import Observation, Plan
from worlds.cuisineworld.kitchen import STEPS, Kitchen
from worlds.cuisineworld.policies import search, simple
from worlds.cuisineworld.policies.dispatch import Style
from worlds.cuisineworld.state import State
from worlds.cuisineworld.world import CuisineWorld

Rule = Callable[[Kitchen, State], Sequence[str]]
"""Answers a kitchen and its state with the commands of one timestep."""


class RulePlanner:
    """Rolls a rule forward for up to `reach` timesteps."""

    planner_class: PlannerClass = "embedded"
    name: str
    reach = STEPS

    def rule(self) -> Rule:
        """The rule to go by."""
        raise NotImplementedError

    async def plan(self, observation: Observation[Any]) -> Plan:
        """The commands from the present timestep on, as if no further order came."""
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
    """Searches for the dishes to cook next; what it had in mind last is where it begins."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    async def plan(self, observation: Observation[Any]) -> Plan:
        """The commands of the best plan found, to the end of the episode."""
        world, state = observation.world, observation.state
        assert isinstance(world, CuisineWorld)
        kept, made = observation.memory, search.made(world.kitchen, state)
        last = None
        if kept:
            left = search.still_wanted(kept["dishes"], Counter(kept["made"]), made)
            last = (left, Style(*kept["style"]))
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
    """Nobody does anything."""

    name = "noop"

    def rule(self) -> Rule:
        """Nothing."""
        return simple.noop


class RandomPlanner(RulePlanner):
    """Everybody does something legal, drawn anew at each timestep, which adds to the seed."""

    name = "random"
    reach = 1

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    async def plan(self, observation: Observation[Any]) -> Plan:
        """One timestep."""
        self._draw = self._seed + observation.timestep
        return await super().plan(observation)

    def rule(self) -> Rule:
        """A draw."""
        return simple.Random(self._draw)


class GreedyPlanner(RulePlanner):
    """An agent for each order, that which runs out soonest first."""

    name = "greedy"

    def rule(self) -> Rule:
        """Greedy, each for itself."""
        return simple.greedy


class SharedGreedyPlanner(RulePlanner):
    """What there is to do for the order that runs out soonest is given out first."""

    name = "shared-greedy"

    def rule(self) -> Rule:
        """Greedy, all together."""
        return simple.shared_greedy
