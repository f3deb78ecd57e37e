"""Labour: the cost of a dish in agents' timesteps, for the planner and the upper bound.

An agent's timestep is a timestep in which one agent carries out one command or waits.

A base ingredient costs 4: go to storage, take it, go to the tool, put it down. A cooking step costs
4: activate the tool, take the product, go, put it down. It costs 1 more if the tool is occupied for
two timesteps or longer: the agent that takes the product must wait there or come for it with empty
hands, because the tool accepts nothing before it is emptied. The remaining labour of a dish is less
if items in hands and tools are used for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen, CuisineState, Recipe

FETCH = 4
"""Agents' timesteps to go to storage, take a base ingredient, go and put it down."""
CARRY = 3
"""Agents' timesteps to take a product, go and put it down."""
BRING = 2
"""Agents' timesteps to go and put down the held item."""


def labour(kitchen: CuisineKitchen, item: str) -> int:
    """Return the least agents' timesteps to make an item and put it where it is needed."""
    recipe = kitchen.recipes.get(item)
    if recipe is None:
        return FETCH
    return cooking_time(kitchen, recipe) + sum(labour(kitchen, each) for each in recipe.inputs)


def cooking_time(kitchen: CuisineKitchen, recipe: Recipe) -> int:
    """Return the agents' timesteps of one cooking step, from activating the tool to putting down.

    The ingredients are not included.
    """
    return 1 + CARRY + _minimum_arrival(kitchen, recipe)


def _minimum_arrival(kitchen: CuisineKitchen, recipe: Recipe) -> int:
    return 1 if kitchen.tools[recipe.tool].wait > 1 else 0


class Latest(NamedTuple):
    """The latest timestep at which a command for a dish can be given."""

    back: int
    """Number of timesteps from this command to the command that serves the dish."""
    activates: str | None = None
    """Kind of tool that the command activates; None for any other command."""


def latest(kitchen: CuisineKitchen, item: str, back: int = 0) -> Iterator[Latest]:
    """Yield the latest possible timestep of each command for an item, with any number of agents.

    The item is put down `back` timesteps before the command that serves the dish. The number of
    commands is the item's `labour`.
    """
    recipe = kitchen.recipes.get(item)
    count = FETCH if recipe is None else CARRY + _minimum_arrival(kitchen, recipe)
    for earlier in range(count):
        yield Latest(back + earlier)
    if recipe is not None:
        on = back + CARRY - 1 + kitchen.tools[recipe.tool].wait
        yield Latest(on, recipe.tool)
        for each in recipe.inputs:
            yield from latest(kitchen, each, on)


def shortest(kitchen: CuisineKitchen, item: str) -> int:
    """Return the least number of timesteps to make an item and put it where it is needed.

    The number of agents is not limited.
    """
    return 1 + max(command.back for command in latest(kitchen, item))


def labour_left(kitchen: CuisineKitchen, state: CuisineState, dish: str) -> int:
    """Return an estimate of the agents' timesteps that a dish still needs.

    The dish may use all items in hands and in tools.
    """
    products, parts = [], []
    for place, inside in state.inside.items():
        kind = kitchen.places[place]
        if kind in kitchen.cooking:
            if len(inside) > 1 or inside in kitchen.cooking[kind]:
                parts.append((kind, inside))
            else:
                products.append(inside[0])
    held = [agent.holding for agent in state.agents if agent.holding is not None]

    def labour_of(item: str) -> int:
        if item in held:
            held.remove(item)
            return BRING
        if item in products:
            products.remove(item)
            return CARRY
        recipe = kitchen.recipes.get(item)
        if recipe is None:
            return FETCH
        partial: tuple[str, ...] = ()
        for kind, inside in parts:
            if (
                kind == recipe.tool
                and len(inside) > len(partial)
                and set(inside) <= {*recipe.inputs}
            ):
                partial = inside
        if partial:
            parts.remove((recipe.tool, partial))
        missing = [each for each in recipe.inputs if each not in partial]
        return cooking_time(kitchen, recipe) + sum(labour_of(each) for each in missing)

    return labour_of(dish)
