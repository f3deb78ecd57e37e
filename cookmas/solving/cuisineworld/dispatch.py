"""Dispatch: the commands of one timestep, for agents that work on a list of dishes.

The remaining work for the list is its jobs. The dishes are taken in its order. Each dish first uses
items in hands and in tools. Missing items are cooked in a tool that no earlier dish uses, and their
ingredients are found in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cookmas.worlds.cuisineworld.rules import commands
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen, CuisineState, Recipe


class AgentJob(NamedTuple):
    """A job for one agent: to bring an item from one place to another, or to activate a tool."""

    rank: int
    """Position in the list of dishes of the dish that needs the job."""
    item: str | None
    """The item to bring; None if the job is to activate a tool."""
    source: str
    """Name of the place where the item or the tool is."""
    target: str
    """Name of the place to which the agent brings the item."""
    holder: int | None
    """Number of the agent that already carries the item; None if no agent does."""
    ready: int
    """Timesteps until the item can be taken."""
    queued: bool = False
    """True if another item must be taken out of the target first."""


class Needs(NamedTuple):
    """All jobs for a list of dishes, and the items that these jobs do not use."""

    jobs: list[AgentJob]
    """The jobs in the order of the dishes."""
    idle_holders: list[int]
    """Numbers of the agents whose item no job uses."""
    idle_products: list[str]
    """Names of the tools whose product no job uses."""
    short: set[str]
    """Kinds of tool of which more are needed than are free."""


class _Stock:
    """The items and tools that no job uses yet, and the jobs found so far."""

    def __init__(self, kitchen: CuisineKitchen, state: CuisineState, ahead: bool) -> None:
        self.kitchen = kitchen
        self.ahead = ahead
        self.at = [agent.at for agent in state.agents]
        self.held = {
            number: agent.holding
            for number, agent in enumerate(state.agents)
            if agent.holding is not None
        }
        self.products: dict[str, str] = {}
        self.parts: dict[str, tuple[str, ...]] = {}
        self.empty: dict[str, list[str]] = {}
        self.taken: list[str] = []
        self.busy = state.busy
        self.rank = 0
        self.jobs: list[AgentJob] = []
        self.short: set[str] = set()
        inside = state.inside
        for kind in kitchen.cooking:
            for place in kitchen.by_kind[kind]:
                its = inside.get(place)
                if not its:
                    self.empty.setdefault(kind, []).append(place)
                elif len(its) > 1 or its in kitchen.cooking[kind]:
                    self.parts[place] = its
                else:
                    self.products[place] = its[0]

    def want(self, item: str, target: str | None, queued: bool = False) -> None:
        """Add the jobs that make an item and bring it to the place `target`.

        If `target` is None, the jobs only make the item. `queued` is True if another item must be
        taken out of the target first.
        """
        holder = self._holder(item, target) if self.held else None
        if holder is not None:
            if target is not None:
                del self.held[holder]
                self.jobs.append(
                    AgentJob(self.rank, item, self.at[holder], target, holder, 0, queued)
                )
            return
        source = self._product(item) if self.products else None
        if source is not None:
            del self.products[source]
            if target is not None:
                ready = self.busy.get(source, 0)
                self.jobs.append(AgentJob(self.rank, item, source, target, None, ready, queued))
                if not queued:
                    self.taken.append(source)
            return
        recipe = self.kitchen.recipes.get(item)
        if recipe is not None:
            self.cook(recipe)
        elif target is not None:
            self.jobs.append(
                AgentJob(self.rank, item, self.kitchen.storage, target, None, 0, queued)
            )

    def cook(self, recipe: Recipe) -> None:
        """Add the jobs that cook a recipe.

        They use a tool that has some of the items already, or an empty tool. If there is neither,
        no job is added; but with `ahead` the missing items are made and brought to the used tool
        that is expected to become free first. If no used tool is of this kind, the items are only
        made.
        """
        tool = self._tool(recipe)
        queued = tool is None
        if tool is None:
            self.short.add(recipe.tool)
            if not self.ahead:
                return
            tool = self._next_tool(recipe.tool)
        inside = () if tool is None else self.parts.pop(tool, ())
        missing = [item for item in recipe.inputs if item not in inside]
        for item in missing:
            self.want(item, tool, queued)
        if tool is not None:
            self.taken.append(tool)
            if not missing:
                self.jobs.append(AgentJob(self.rank, None, tool, tool, None, 0))

    def free_jobs(self) -> int:
        """Return the number of jobs that an agent can begin now or in the next timestep."""
        return sum(not job.queued and job.holder is None and job.ready < 2 for job in self.jobs)

    def _holder(self, item: str, target: str | None) -> int | None:
        found = None
        for number, its in self.held.items():
            if its == item and (found is None or self.at[number] == target):
                found = number
        return found

    def _product(self, item: str) -> str | None:
        there = [place for place, its in self.products.items() if its == item]
        return min(there, key=lambda place: self.busy.get(place, 0)) if there else None

    def _tool(self, recipe: Recipe) -> str | None:
        best, most = None, 0
        for place, inside in self.parts.items():
            if (
                len(inside) > most
                and self.kitchen.places[place] == recipe.tool
                and all(item in recipe.inputs for item in inside)
            ):
                best, most = place, len(inside)
        if best is None and (empty := self.empty.get(recipe.tool)):
            best = empty.pop(0)
        return best

    def _next_tool(self, kind: str) -> str | None:
        """Return the used tool of a kind that is expected to become free first.

        Remove this tool from `taken`. Return None if there is no such tool.
        """
        for place in self.taken:
            if self.kitchen.places[place] == kind:
                self.taken.remove(place)
                return place
        return None


def needs(
    kitchen: CuisineKitchen,
    state: CuisineState,
    dishes: Iterable[str],
    *,
    ahead: bool = False,
    enough: int = 0,
) -> Needs:
    """Return the jobs for a list of dishes.

    Each dish of the list is made, even if the same dish is on the table already.

    With `ahead`, ingredients are made and fetched even if the dish has no free tool yet. If
    `enough` is not 0, the search for jobs ends as soon as agents can begin that number of jobs.
    """
    stock = _Stock(kitchen, state, ahead)
    for dish in dishes:
        stock.want(dish, kitchen.table)
        stock.rank += 1
        if enough and not stock.held and stock.free_jobs() >= enough:
            return Needs(stock.jobs, [], [], set())
    _finish(stock)
    return Needs(stock.jobs, list(stock.held), list(stock.products), stock.short)


def _finish(stock: _Stock) -> None:
    """Add jobs for finished dishes and begun recipes that the list of dishes does not use.

    The dishes go to the table. A begun recipe is cooked to its end, because only products can leave
    a tool.
    """
    kitchen = stock.kitchen
    for item in [*stock.held.values(), *stock.products.values()]:
        if item in kitchen.dishes:
            stock.want(item, kitchen.table)
            stock.rank += 1
    for place, inside in list(stock.parts.items()):
        if place in stock.parts:
            stock.cook(_recipe_with(kitchen, kitchen.places[place], inside))
            stock.rank += 1


def _recipe_with(kitchen: CuisineKitchen, kind: str, inside: Sequence[str]) -> Recipe:
    fitting = [
        recipe
        for recipe in kitchen.recipes.values()
        if recipe.tool == kind and set(inside) <= set(recipe.inputs)
    ]
    return min(fitting, key=lambda recipe: len(recipe.inputs))


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
