"""Planners to compare with: nothing, at random, and greedy in two ways.

Both greedy planners look at the orders by the time that is left to them and use what is there. They
cook nothing before it is ordered, and reckon neither whether an order can still be served nor what
comes after.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from worlds.cuisineworld import commands
from worlds.cuisineworld.kitchen import Kitchen
from worlds.cuisineworld.legal import legal_commands
from worlds.cuisineworld.policies.jobs import Job, Needs, needs
from worlds.cuisineworld.state import State


def noop(kitchen: Kitchen, state: State) -> list[str]:
    """Nobody does anything."""
    return [commands.noop(agent) for agent in range(kitchen.agents)]


class Random:
    """Everybody does something legal, drawn from a generator with a seed."""

    def __init__(self, seed: int = 0) -> None:
        self._draw = random.Random(seed)

    def __call__(self, kitchen: Kitchen, state: State) -> list[str]:
        """A command for each agent."""
        return [
            self._draw.choice(legal_commands(kitchen, state, agent))
            for agent in range(kitchen.agents)
        ]


def greedy(kitchen: Kitchen, state: State) -> list[str]:
    """One agent for each order, the order that expires soonest first; nobody helps another."""
    wanted = _needs(kitchen, state)
    return _give(kitchen, state, wanted, _one_for_each_order(wanted.jobs))


def shared_greedy(kitchen: Kitchen, state: State) -> list[str]:
    """All that can be done for the order that expires soonest is given out first, and so on."""
    wanted = _needs(kitchen, state)
    return _give(kitchen, state, wanted, (job for job in wanted.jobs if job.holder is None))


def _needs(kitchen: Kitchen, state: State) -> Needs:
    dishes = [order.dish for order in state.orders if order.dish in kitchen.servable]
    return needs(kitchen, state, dishes)


def _one_for_each_order(jobs: Iterable[Job]) -> Iterator[Job]:
    """The first job of each order, if nobody carries something for it."""
    first: dict[int, Job] = {}
    carried = set()
    for job in jobs:
        first.setdefault(job.rank, job)
        if job.holder is not None:
            carried.add(job.rank)
    return (job for rank, job in first.items() if rank not in carried)


def _give(kitchen: Kitchen, state: State, wanted: Needs, jobs: Iterable[Job]) -> list[str]:
    """Give jobs out in their order: to who stands there, else to the first who is free.

    Who holds something brings it where it is needed, or throws it away. A tool with a product that
    nobody needs is emptied if it is lacking.
    """
    given = {
        job.holder: _bring(state, job.holder, job.target)
        for job in wanted.jobs
        if job.holder is not None
    }
    for agent in wanted.idle_holders:
        given[agent] = _bring(state, agent, kitchen.storage)
    free = [agent for agent in range(kitchen.agents) if agent not in given]
    for job in (*jobs, *_emptying(kitchen, state, wanted)):
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


def _emptying(kitchen: Kitchen, state: State, wanted: Needs) -> Iterator[Job]:
    for place in wanted.idle_products:
        if kitchen.places[place] in wanted.short:
            product, ready = state.inside[place][0], state.busy.get(place, 0)
            yield Job(0, product, place, kitchen.storage, None, ready)


def _bring(state: State, agent: int, place: str) -> str:
    there = state.agents[agent].at == place
    return commands.put(agent, place) if there else commands.goto(agent, place)
