"""Policies for comparison: one that does nothing, a random one, and two greedy ones.

Both greedy policies serve the order with the least remaining lifetime first, and use items that are
in hands and tools. They cook nothing before it is ordered. They do not check whether an order can
still be served, and do not look ahead.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from cookmas.solving.cuisineworld.jobs import AgentJob, Needs, needs
from cookmas.worlds.cuisineworld.rules import commands
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen
from cookmas.worlds.cuisineworld.rules.legal import legal_commands
from cookmas.worlds.cuisineworld.rules.state import CuisineState


def noop(kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
    """Return a noop for each agent."""
    return [commands.noop(agent) for agent in range(kitchen.agents)]


class Random:
    """A policy that draws a legal command for each agent."""

    def __init__(self, seed: int = 0) -> None:
        self._draw = random.Random(seed)

    def __call__(self, kitchen: CuisineKitchen, state: CuisineState) -> list[str]:
        """Return a command for each agent."""
        return [
            self._draw.choice(legal_commands(kitchen, state, agent))
            for agent in range(kitchen.agents)
        ]


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
