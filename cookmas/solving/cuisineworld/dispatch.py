"""Dispatch: the commands of one timestep, for agents that work on a list of dishes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from cookmas.solving.cuisineworld.jobs import AgentJob, needs
from cookmas.worlds.cuisineworld.rules import commands
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen
from cookmas.worlds.cuisineworld.rules.state import CuisineState


class Style(NamedTuple):
    """How a plan gives jobs to agents."""

    patience: int = 2
    """Greatest number of timesteps that an agent waits at a tool until the tool is ready."""
    ahead: bool = True
    """True if agents make and fetch ingredients before a tool for them is free."""


class _Hands:
    """The agents without a command for this timestep, and the commands of the other agents."""

    def __init__(self, kitchen: CuisineKitchen, state: CuisineState) -> None:
        self.kitchen = kitchen
        self.agents = state.agents
        self.free = list(range(kitchen.agents))
        self.taking: list[str] = []
        self.putting: list[str] = []
        self.other: list[str] = []
        self.emptied: set[str] = set()
        self.waiting = 0

    def bring(self, agent: int, place: str) -> None:
        self.free.remove(agent)
        if self.agents[agent].at == place:
            self.putting.append(commands.put(agent, place))
        else:
            self.other.append(commands.goto(agent, place))

    def take(self, agent: int, job: AgentJob) -> None:
        self.free.remove(agent)
        at_storage = job.source == self.kitchen.storage
        if self.agents[agent].at != job.source:
            self.other.append(commands.goto(agent, job.source))
        elif job.item is None:
            self.other.append(commands.activate(agent, job.source))
        elif not job.ready:
            self.taking.append(commands.get(agent, job.source, job.item if at_storage else None))
            self.emptied.add(job.source)
        self.waiting += job.queued


def dispatch(
    kitchen: CuisineKitchen, state: CuisineState, dishes: Sequence[str], style: Style
) -> list[str]:
    """Return the commands of one timestep; an agent without a job gets no command.

    Commands that take products come first, then those that put items down. So an agent can use a
    tool that another agent empties in the same timestep.
    """
    wanted = needs(kitchen, state, dishes, ahead=style.ahead, enough=kitchen.agents + 1)
    hands = _Hands(kitchen, state)
    agents = state.agents
    todo: list[AgentJob] = []
    queue: list[AgentJob] = []
    for job in wanted.jobs:
        if job.holder is None:
            todo.append(job)
        else:
            if job.queued and agents[job.holder].at == job.target:
                queue.append(job)
                hands.free.remove(job.holder)
            else:
                hands.bring(job.holder, job.target)
            hands.waiting += job.queued
    for agent in wanted.idle_holders:
        hands.bring(agent, kitchen.storage)
    rest = []
    for job in todo:
        given = False
        if not job.queued and job.ready < style.patience:
            for agent in hands.free:
                if agents[agent].at == job.source:
                    hands.take(agent, job)
                    given = True
                    break
        if not given:
            rest.append(job)
    for job in rest:
        if not hands.free:
            break
        if job.ready > style.patience:
            continue
        if job.queued and hands.waiting + 1 >= kitchen.agents:
            continue
        agent = min(hands.free, key=lambda agent: agents[agent].at != job.source)
        hands.take(agent, job)
    if hands.free and wanted.short:
        for place in wanted.idle_products:
            if hands.free and kitchen.places[place] in wanted.short and place not in state.busy:
                product = state.inside[place][0]
                agent = min(hands.free, key=lambda agent: agents[agent].at != place)
                hands.take(agent, AgentJob(0, product, place, kitchen.storage, None, 0))
    then: dict[str, tuple[str, ...]] = {}
    for job in queue:
        if job.target in hands.emptied and job.holder is not None:
            inside = tuple(sorted((*then.get(job.target, ()), str(job.item))))
            if inside in kitchen.cooking[kitchen.places[job.target]]:
                then[job.target] = inside
                hands.putting.append(commands.put(job.holder, job.target))
    return hands.taking + hands.putting + hands.other


def count_dishes(kitchen: CuisineKitchen, state: CuisineState) -> Counter[str]:
    """Return the dishes that were put on the table so far."""
    return Counter((*state.completed, *state.inside.get(kitchen.table, ())))


def still_wanted(dishes: Sequence[str], before: Counter[str], now: Counter[str]) -> tuple[str, ...]:
    """Return the dishes of a plan that are not made yet.

    `before` are the dishes that were made when the plan began, `now` those that are made now.
    """
    new, left = now - before, []
    for dish in dishes:
        if new[dish]:
            new[dish] -= 1
        else:
            left.append(dish)
    return tuple(left)
