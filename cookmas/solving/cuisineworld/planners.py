"""The planners of CuisineWorld that need no model; they schedule ahead and are called on triggers.

A rule gives the commands of one timestep. All planners but the embedded one apply a rule in a
simulated kitchen without future orders. The embedded one searches for a plan. A new order, an
expired order or a FAIL is a trigger to plan again.

Both greedy rules serve the order with the least remaining lifetime first, and use items that are in
hands and tools. They cook nothing before it is ordered. They do not check whether an order can
still be served, and do not look ahead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from cookmas.episodes.trace import PlannerClass
from cookmas.orchestrator.dialogue.look_ahead import foreseeing
from cookmas.orchestrator.planner import Observation, Plan
from cookmas.solving.cuisineworld import search
from cookmas.solving.cuisineworld.dispatch import (
    AgentJob,
    Needs,
    Style,
    count_dishes,
    needs,
    still_wanted,
)
from cookmas.worlds.cuisineworld.rules import commands
from cookmas.worlds.cuisineworld.rules.kitchen import STEPS, CuisineKitchen, CuisineState
from cookmas.worlds.cuisineworld.world import CuisineWorld


def noop(kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
    """Return a noop for each agent."""
    return [commands.noop(agent) for agent in range(kitchen.agents)]


def greedy(kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
    """Return commands by which each order gets one agent, and agents do not help each other.

    Orders with the least remaining lifetime get their agents first.
    """
    wanted = _needs(kitchen, state)
    return _give(kitchen, state, wanted, _one_for_each_order(wanted.jobs))


def share_greedily(kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
    """Return commands by which all agents share the work of orders, the shortest lifetime first."""
    wanted = _needs(kitchen, state)
    return _give(kitchen, state, wanted, (job for job in wanted.jobs if job.holder is None))


def _needs(kitchen: CuisineKitchen, state: CuisineState) -> Needs:
    dishes = [order.dish for order in state.orders if order.dish in kitchen.servable]
    return needs(kitchen, state, dishes)


def _one_for_each_order(jobs: Iterable[AgentJob]) -> Iterator[AgentJob]:
    """Return the first job of each order, except orders for which an agent carries an item."""
    first: dict[int, AgentJob] = {}
    carried = set()
    for job in jobs:
        first.setdefault(job.rank, job)
        if job.holder is not None:
            carried.add(job.rank)
    return (job for rank, job in first.items() if rank not in carried)


def _give(
    kitchen: CuisineKitchen, state: CuisineState, wanted: Needs, jobs: Iterable[AgentJob]
) -> list[str]:
    """Give the jobs to free agents, in the order of the jobs; return the commands.

    A job goes to an agent that stands at its source, if there is one. An agent that holds an item
    brings it where it is needed, or to storage. If a dish needs a tool that is full of an unneeded
    product, an agent empties the tool.
    """
    given = {
        job.holder: _bring(state, job.holder, job.target)
        for job in wanted.jobs
        if job.holder is not None
    }
    for agent in wanted.idle_holders:
        given[agent] = _bring(state, agent, kitchen.storage)
    free = [agent for agent in range(kitchen.agents) if agent not in given]
    for job in (*jobs, *_jobs_to_empty(kitchen, state, wanted)):
        if not free:
            break
        agent = min(free, key=lambda agent: state.agents[agent].at != job.source)
        free.remove(agent)
        if state.agents[agent].at != job.source:
            given[agent] = commands.goto(agent, job.source)
        elif job.item is None:
            given[agent] = commands.activate(agent, job.source)
        elif not job.ready:
            at_storage = job.source == kitchen.storage
            given[agent] = commands.get(agent, job.source, job.item if at_storage else None)
    return [given.get(agent, commands.noop(agent)) for agent in range(kitchen.agents)]


def _jobs_to_empty(
    kitchen: CuisineKitchen, state: CuisineState, wanted: Needs
) -> Iterator[AgentJob]:
    for place in wanted.idle_products:
        if kitchen.places[place] in wanted.short:
            product, ready = state.inside[place][0], state.busy.get(place, 0)
            yield AgentJob(0, product, place, kitchen.storage, None, ready)


def _bring(state: CuisineState, agent: int, place: str) -> str:
    there = state.agents[agent].at == place
    return commands.put(agent, place) if there else commands.goto(agent, place)


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
        world, state = observation.world, observation.state
        assert isinstance(world, CuisineWorld)
        schedule = []
        for _ in range(STEPS - state.timestep):
            row = world.commands(self._rule(world.kitchen, state))
            schedule.append(row)
            state, _, _ = world.step(state, row)
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


NOOP = partial(RulePlanner, "noop", noop)
"""The planner that does nothing."""

GREEDY = partial(RulePlanner, "greedy", greedy)
"""The planner that gives each order one agent, beginning with the order that expires first."""

SHARED_GREEDY = partial(RulePlanner, "shared-greedy", share_greedily)
"""The planner whose agents share all work for the order that expires first, then the next."""
