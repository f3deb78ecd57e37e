"""What a dish still costs, from what is already there."""

from __future__ import annotations

from worlds.cuisineworld.kitchen import Kitchen
from worlds.cuisineworld.labour import BRING, CARRY, FETCH, cooking
from worlds.cuisineworld.state import State


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
