"""The remaining labour of a dish, if the items in hands and tools are used for it."""

from __future__ import annotations

from cookmas.solving.cuisineworld.labour import BRING, CARRY, FETCH, cooking_time
from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen
from cookmas.worlds.cuisineworld.rules.state import CuisineState


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
