"""What a dish costs in agents' timesteps: the unit in which planning and the bound reckon.

A base ingredient costs 4: go to storage, take it, go, put it down. A cooking step costs 4: turn
the tool on, take the product, go, put it down; and 1 more if the tool is occupied for two timesteps
or longer, since whoever takes the product has then waited there or come for it alone: nobody can
come bringing something, as the tool takes nothing before it is emptied.
"""

from __future__ import annotations

from worlds.cuisineworld.kitchen import Kitchen, Recipe
from worlds.cuisineworld.state import State

FETCH = 4
CARRY = 3
BRING = 2


def labour(kitchen: Kitchen, item: str) -> int:
    """The least agents' timesteps that it takes to make an item and put it where it is wanted."""
    recipe = kitchen.recipes.get(item)
    if recipe is None:
        return FETCH
    return cooking(kitchen, recipe) + sum(labour(kitchen, each) for each in recipe.inputs)


def cooking(kitchen: Kitchen, recipe: Recipe) -> int:
    """The agents' timesteps of one cooking step, from turning the tool on."""
    return 1 + CARRY + (kitchen.tools[recipe.tool].wait > 1)


def labour_left(kitchen: Kitchen, state: State, dish: str) -> int:
    """About what a dish still costs, if it may use everything that is there."""
    products, parts = [], []
    for place, inside in state.inside.items():
        kind = kitchen.places[place]
        if kind in kitchen.cooking:
            if len(inside) > 1 or inside in kitchen.cooking[kind]:
                parts.append((kind, inside))
            else:
                products.append(inside[0])
    held = [agent.holding for agent in state.agents if agent.holding is not None]

    def left(item: str) -> int:
        if item in held:
            held.remove(item)
            return BRING
        if item in products:
            products.remove(item)
            return CARRY
        recipe = kitchen.recipes.get(item)
        if recipe is None:
            return FETCH
        begun: tuple[str, ...] = ()
        for kind, inside in parts:
            if kind == recipe.tool and len(inside) > len(begun) and set(inside) <= {*recipe.inputs}:
                begun = inside
        if begun:
            parts.remove((recipe.tool, begun))
        missing = [each for each in recipe.inputs if each not in begun]
        return cooking(kitchen, recipe) + sum(left(each) for each in missing)

    return left(dish)
