"""What a dish costs in agents' timesteps: the unit in which planning and the bound reckon.

A base ingredient costs 4: go to storage, take it, go, put it down. A cooking step costs 4: turn
the tool on, take the product, go, put it down; and 1 more if the tool is occupied for two timesteps
or longer, since whoever takes the product has then waited there or come for it alone: nobody can
come bringing something, as the tool takes nothing before it is emptied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from worlds.cuisineworld.kitchen import Kitchen, Recipe

FETCH = 4
"""Going to storage, taking a base ingredient, going, putting it down."""
CARRY = 3
"""Taking a product, going, putting it down."""
BRING = 2
"""Going and putting down what is held."""


def labour(kitchen: Kitchen, item: str) -> int:
    """The least agents' timesteps that it takes to make an item and put it where it is wanted."""
    recipe = kitchen.recipes.get(item)
    if recipe is None:
        return FETCH
    return cooking(kitchen, recipe) + sum(labour(kitchen, each) for each in recipe.inputs)


def cooking(kitchen: Kitchen, recipe: Recipe) -> int:
    """The agents' timesteps of one cooking step, from turning the tool on."""
    return 1 + CARRY + _coming(kitchen, recipe)


def _coming(kitchen: Kitchen, recipe: Recipe) -> int:
    return 1 if kitchen.tools[recipe.tool].wait > 1 else 0


class Latest(NamedTuple):
    """The latest timestep of a command, counted back from the one that serves the dish (0).

    `activates` is the kind of tool that it turns on, None for any other command.
    """

    back: int
    activates: str | None = None


def latest(kitchen: Kitchen, item: str, back: int = 0) -> Iterator[Latest]:
    """When the commands of an item must be done at the latest, were there any number of agents.

    The item is put down `back` timesteps before the dish is served. There are `labour` of them.
    """
    recipe = kitchen.recipes.get(item)
    count = FETCH if recipe is None else CARRY + _coming(kitchen, recipe)
    for earlier in range(count):
        yield Latest(back + earlier)
    if recipe is not None:
        on = back + CARRY - 1 + kitchen.tools[recipe.tool].wait
        yield Latest(on, recipe.tool)
        for each in recipe.inputs:
            yield from latest(kitchen, each, on)


def shortest(kitchen: Kitchen, item: str) -> int:
    """The timesteps until an item can be put where it is wanted, with any number of agents."""
    return 1 + max(command.back for command in latest(kitchen, item))
