"""Jobs: the work for a list of dishes, given what is already there.

The dishes are taken in the order in which they are wanted. For each, items in hands and in tools
are used first. What is still missing is cooked in a tool that no earlier dish has claimed, and its
ingredients are found in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from worlds.cuisineworld.kitchen import CuisineKitchen, Recipe
from worlds.cuisineworld.state import CuisineState


class AgentJob(NamedTuple):
    """Bring an item from one place to another, or activate a tool."""

    rank: int
    """Position in the list of the dish that the job is for."""
    item: str | None
    """The item; None to activate a tool."""
    source: str
    """Name of the place where the item or the tool is."""
    target: str
    """Name of the place to which the item goes."""
    holder: int | None
    """Number of the agent that already carries the item; None if no agent does."""
    ready: int
    """Timesteps until the item can be taken."""
    queued: bool = False
    """True if another item must be taken out of the target first."""


class Needs(NamedTuple):
    """All jobs for a list of dishes, and what they leave unused."""

    jobs: list[AgentJob]
    """The jobs in the order of the dishes."""
    idle_holders: list[int]
    """Numbers of the agents whose item no job uses."""
    idle_products: list[str]
    """Names of the tools whose product no job uses."""
    short: set[str]
    """Kinds of tool that some dish lacks."""


class _Stock:
    """The items and tools that no job has claimed yet."""

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
        """Add the jobs that bring an item to a place, or only make it if the place is None."""
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
        """Add the jobs that cook a recipe, in a tool that has a part of it or in an empty one."""
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
        """Return the number of jobs that no agent has begun and that wait for no tool."""
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
        """Return the tool of a kind that becomes free first after its present use; None if there is
        none.
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
    """Return the jobs for a list of dishes, in addition to the dishes that are on the table.

    With `ahead`, a dish that lacks a tool has its ingredients made and fetched nevertheless. As
    soon as `enough` free jobs are found, later dishes are left out.
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
    """Add jobs for what was begun and no dish uses, because only products can leave a tool.

    A dish that no order wants goes to the table.
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
