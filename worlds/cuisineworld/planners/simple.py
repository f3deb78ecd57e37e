"""Planners to compare with: nothing, at random, and greedy."""

from __future__ import annotations

import random

from worlds.cuisineworld import commands
from worlds.cuisineworld.kitchen import Kitchen
from worlds.cuisineworld.legal import legal_commands
from worlds.cuisineworld.planners.jobs import needs
from worlds.cuisineworld.state import State


def noop(kitchen: Kitchen, state: State) -> list[str]:
    """Nobody does anything."""
    return [commands.noop(agent) for agent in range(kitchen.agents)]


class Random:
    """Everybody does something legal, drawn from a generator with a seed."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)

    def __call__(self, kitchen: Kitchen, state: State) -> list[str]:
        """A command for each agent."""
        return [
            self._draw.choice(legal_commands(kitchen, state, agent))
            for agent in range(kitchen.agents)
        ]


def greedy(kitchen: Kitchen, state: State) -> list[str]:
    """What there is to do for the order that expires soonest is given out first, and so on.

    A job goes to an agent that stands there, else to the first that is free; who holds something
    brings it where it is needed, or throws it away. Nothing is cooked before it is ordered, and
    nobody reckons whether an order can still be served or what comes after.
    """
    dishes = [order.dish for order in state.orders if order.dish in kitchen.servable]
    wanted = needs(kitchen, state, dishes)
    given: dict[int, str] = {}
    for job in wanted.jobs:
        if job.holder is not None:
            given[job.holder] = _bring(state, job.holder, job.target)
    for agent in wanted.idle_holders:
        given[agent] = _bring(state, agent, kitchen.storage)
    free = [agent for agent in range(kitchen.agents) if agent not in given]
    for job in wanted.jobs:
        if free and job.holder is None:
            agent = min(free, key=lambda agent: state.agents[agent].at != job.source)
            free.remove(agent)
            if state.agents[agent].at != job.source:
                given[agent] = commands.goto(agent, job.source)
            elif job.item is None:
                given[agent] = commands.activate(agent, job.source)
            elif job.ready:
                given[agent] = commands.noop(agent)
            else:
                storage = job.source == kitchen.storage
                given[agent] = commands.get(agent, job.source, job.item if storage else None)
    for place in wanted.idle_products:
        if free and kitchen.places[place] in wanted.short:
            agent = free.pop(0)
            there = state.agents[agent].at == place
            given[agent] = commands.get(agent, place) if there else commands.goto(agent, place)
    return [given.get(agent, commands.noop(agent)) for agent in range(kitchen.agents)]


def _bring(state: State, agent: int, place: str) -> str:
    there = state.agents[agent].at == place
    return commands.put(agent, place) if there else commands.goto(agent, place)
