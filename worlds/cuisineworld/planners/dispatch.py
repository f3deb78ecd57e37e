"""Who does what next: one timestep's commands for a list of dishes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from worlds.cuisineworld import commands
from worlds.cuisineworld.kitchen import Kitchen
from worlds.cuisineworld.planners.jobs import Job, needs
from worlds.cuisineworld.state import State


class Style(NamedTuple):
    """How jobs are given out.

    `patience`: an agent waits at a tool that is ready in so many timesteps or fewer.
    `near`: how many places in the list of dishes a job may be behind and still go first to an
    agent that stands there.
    """

    patience: int = 2
    near: int = 9


def dispatch(kitchen: Kitchen, state: State, dishes: Sequence[str], style: Style) -> list[str]:
    """The commands of one timestep, in an order in which they help each other."""
    wanted = needs(kitchen, state, dishes, queues=kitchen.agents > 1)
    taking: list[str] = []
    putting: list[str] = []
    other: list[str] = []
    agents = state.agents
    busy = set()
    blocked = 0
    inside = state.inside
    for job in wanted.jobs:
        if job.holder is not None:
            busy.add(job.holder)
            if agents[job.holder].at != job.target:
                other.append(commands.goto(job.holder, job.target))
            else:
                putting.append(commands.put(job.holder, job.target))
            blocked += job.queued
    for agent in wanted.idle_holders:
        busy.add(agent)
        there = agents[agent].at == kitchen.storage
        (putting if there else other).append(
            commands.put(agent, kitchen.storage) if there else commands.goto(agent, kitchen.storage)
        )
    free = [agent for agent in range(kitchen.agents) if agent not in busy]
    todo = [job for job in wanted.jobs if job.holder is None]
    emptied = set()

    def give(agent: int, job: Job) -> None:
        free.remove(agent)
        if agents[agent].at != job.source:
            other.append(commands.goto(agent, job.source))
        elif job.item is None:
            other.append(commands.activate(agent, job.source))
        elif not job.ready:
            storage = job.source == kitchen.storage
            taking.append(commands.get(agent, job.source, job.item if storage else None))
        if job.source != kitchen.storage and job.item is not None:
            emptied.add(job.source)

    # those who stand where something can be done at once
    rest: list[Job] = []
    for job in todo:
        here = [agent for agent in free if agents[agent].at == job.source]
        if here and not job.queued and job.ready <= (0 if job.source == kitchen.storage else style.patience - 1):
            give(here[0], job)
        else:
            rest.append(job)
    for job in rest:
        if not free:
            break
        if job.queued and (job.target not in emptied or blocked + 1 >= kitchen.agents or len(free) + 0 < 1):
            continue
        if job.ready > style.patience:
            continue
        agent = min(free, key=lambda agent: agents[agent].at != job.source)
        blocked += job.queued
        give(agent, job)
    del inside
    return taking + putting + other
