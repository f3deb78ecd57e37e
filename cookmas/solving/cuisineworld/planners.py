"""The orchestrator's planners in CuisineWorld, which schedule ahead and are called on triggers.

A rule gives the commands of one timestep. All planners but the embedded one apply a rule in a
simulated kitchen without future orders. The embedded one searches for a plan. A new order, an
expired order or a FAIL is a trigger to plan again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.cuisineworld import policy_search as search
from cookmas.solving.cuisineworld import simple
from cookmas.solving.cuisineworld.dispatch import Style, count_dishes, still_wanted
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, CuisineKitchen
from cookmas.worlds.cuisineworld.rules.state import CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld

Rule = Callable[[CuisineKitchen, CuisineState], Sequence[str]]
"""Function that returns the commands of one timestep for a kitchen and its state."""


class RulePlanner:
    """A planner that applies the rule with its name to the end, in a simulated kitchen."""

    planner_class: PlannerClass = "embedded"

    def __init__(self, name: str, rule: Rule) -> None:
        self.name = name
        self._rule = rule

    @foreseeing
    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the commands from the present timestep on, as if no further order came."""
        return _apply(self._rule, observation, STEPS)


def _apply(rule: Rule, observation: Observation[Any], reach: int) -> Plan:
    world, state = observation.world, observation.state
    assert isinstance(world, CuisineWorld)
    schedule = []
    for _ in range(min(reach, STEPS - state.timestep)):
        commands = world.commands(rule(world.kitchen, state))
        schedule.append(commands)
        state, _, _ = world.step(state, commands)
    ahead = f"{len(schedule)} timesteps ahead"
    return Plan(schedule=schedule, reasoning="; ".join([ahead, *observation.unread]))


class EmbeddedPlanner:
    """A planner that searches for the dishes to cook next, starting from its last plan."""

    name = "embedded"
    planner_class: PlannerClass = "embedded"

    @foreseeing
    async def plan(self, observation: Observation[Any]) -> Plan:
        """Return the commands of the best plan found, to the end of the episode."""
        world, state = observation.world, observation.state
        assert isinstance(world, CuisineWorld)
        memory, made = observation.memory, count_dishes(world.kitchen, state)
        last = None
        if memory:
            left = still_wanted(memory["dishes"], Counter(memory["made"]), made)
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


NOOP = partial(RulePlanner, "noop", simple.noop)
"""The planner that does nothing."""

GREEDY = partial(RulePlanner, "greedy", simple.greedy)
"""The planner that gives each order one agent, beginning with the order that expires first."""

SHARED_GREEDY = partial(RulePlanner, "shared-greedy", simple.share_greedily)
"""The planner whose agents share all work for the order that expires first, then the next."""
