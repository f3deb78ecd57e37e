"""What there is to do for a list of dishes: jobs, from what is already there.

Dishes are looked at in the order in which they are wanted. For each, what somebody holds or what
lies in a tool is used first; what is still missing is cooked in a tool that no earlier dish has
taken, and what that needs is looked for in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from worlds.cuisineworld.kitchen import Kitchen, Recipe
from worlds.cuisineworld.state import State


class Job(NamedTuple):
    """Bring an item from one place to another, or turn a tool on (`item` is None).

    `rank` is the dish it is for, by its position in the list. A carrying that has begun has its
    agent as `holder`. `ready` is the timesteps until the item may be taken. A `queued` job is for
    a tool that something else has to be taken out of first.
    """

    rank: int
    item: str | None
    source: str
    target: str
    holder: int | None
    ready: int
    queued: bool = False


class Needs(NamedTuple):
    """All jobs, in the order of the dishes, and what none of them uses."""

    jobs: list[Job]
    idle_holders: list[int]
    idle_products: list[str]
    short: set[str]


class _Stock:
    """What is there and not yet spoken for."""

    def __init__(self, kitchen: Kitchen, state: State, queues: bool) -> None:
        self.kitchen = kitchen
        self.queues = queues
        self.leaving: list[str] = []
        self.held = {
            number: agent.holding
            for number, agent in enumerate(state.agents)
            if agent.holding is not None
        }
        self.at = [agent.at for agent in state.agents]
        self.products: dict[str, str] = {}
        self.parts: dict[str, tuple[str, ...]] = {}
        self.empty: dict[str, list[str]] = {}
        self.busy = state.busy
        for place, kind in kitchen.places.items():
            if kind not in kitchen.tools:
                continue
            inside = state.inside.get(place)
            if not inside:
                self.empty.setdefault(kind, []).append(place)
            elif inside in kitchen.cooking[kind] or len(inside) > 1:
                self.parts[place] = inside
            else:
                self.products[place] = inside[0]
        self.jobs: list[Job] = []
        self.short: set[str] = set()

    def want(self, rank: int, item: str, target: str, queued: bool = False) -> None:
        """Have an item brought to a place."""
        holder = self._holder(item, target)
        if holder is not None:
            del self.held[holder]
            self.jobs.append(Job(rank, item, self.at[holder], target, holder, 0, queued))
            return
        source = self._product(item)
        if source is not None:
            del self.products[source]
            ready = self.busy.get(source, 0)
            self.jobs.append(Job(rank, item, source, target, None, ready, queued))
            if not queued:
                self.leaving.append(source)
            return
        recipe = self.kitchen.recipes.get(item)
        if recipe is None:
            self.jobs.append(Job(rank, item, self.kitchen.storage, target, None, 0, queued))
        else:
            self.cook(rank, recipe)

    def cook(self, rank: int, recipe: Recipe) -> None:
        """Have a recipe cooked, in a tool that holds a part of it or an empty one."""
        queued = False
        tool = self._tool(recipe)
        if tool is None:
            self.short.add(recipe.tool)
            tool = self._leaving(recipe.tool)
            if tool is None:
                return
            queued = True
        inside = self.parts.pop(tool, ())
        missing = [item for item in recipe.inputs if item not in inside]
        for item in missing:
            self.want(rank, item, tool, queued)
        if not missing:
            self.jobs.append(Job(rank, None, tool, tool, None, 0))

    def _leaving(self, kind: str) -> str | None:
        """A tool of a kind that somebody is to empty."""
        if not self.queues:
            return None
        tools = [place for place in self.leaving if self.kitchen.places[place] == kind]
        if not tools:
            return None
        tool = min(tools, key=lambda place: self.busy.get(place, 0))
        self.leaving.remove(tool)
        return tool

    def _holder(self, item: str, target: str) -> int | None:
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
                self.kitchen.places[place] == recipe.tool
                and len(inside) > most
                and all(item in recipe.inputs for item in inside)
            ):
                best, most = place, len(inside)
        if best is None and (empty := self.empty.get(recipe.tool)):
            best = empty.pop(0)
        return best


def needs(
    kitchen: Kitchen, state: State, dishes: Iterable[str], *, queues: bool = False
) -> Needs:
    """The jobs for a list of dishes, to be put on the table beside those that lie there.

    With `queues`, tools that are to be emptied are reckoned with as well.
    """
    stock = _Stock(kitchen, state, queues)
    rank = -1
    for rank, dish in enumerate(dishes):
        stock.want(rank, dish, kitchen.table)
    _finish(stock, rank + 1)
    return Needs(stock.jobs, list(stock.held), list(stock.products), stock.short)


def _finish(stock: _Stock, rank: int) -> None:
    """Finish what was begun and no dish uses, since nothing can be taken out of a tool uncooked.

    A dish that nobody wants yet goes to the table.
    """
    kitchen = stock.kitchen
    for item in [*stock.held.values(), *stock.products.values()]:
        if item in kitchen.dishes:
            stock.want(rank, item, kitchen.table)
    for place, inside in list(stock.parts.items()):
        if place in stock.parts:
            stock.cook(rank, _recipe_with(kitchen, kitchen.places[place], inside))


def _recipe_with(kitchen: Kitchen, kind: str, inside: Sequence[str]) -> Recipe:
    fitting = [
        recipe
        for recipe in kitchen.recipes.values()
        if recipe.tool == kind and set(inside) <= set(recipe.inputs)
    ]
    return min(fitting, key=lambda recipe: len(recipe.inputs))
