"""The end of production: a lower bound on the timesteps until another dish can be served.

The bound relaxes the rules, so no planner can be faster. It assumes that agents never block each
other, that every item is free for every dish, and that the contents of a tool can always be used.
As in the engine, the commands of one timestep are carried out one after the other. So one agent can
put an item down, and another one can activate the tool in the same timestep.
"""

from __future__ import annotations

from cookmas.worlds.cuisineworld.rules.kitchen import CuisineKitchen
from cookmas.worlds.cuisineworld.rules.state import CuisineState

BRING = 2
"""Timesteps from taking an item until it can be put down elsewhere."""


def futile(kitchen: CuisineKitchen, state: CuisineState, timesteps: int) -> bool:
    """Return whether no agent can put a dish on the serving table within this many timesteps."""
    return all(_put(kitchen, state, dish) >= timesteps for dish in kitchen.servable)


def _put(kitchen: CuisineKitchen, state: CuisineState, item: str) -> int:
    """Return the least number of timesteps after which an item can be put somewhere."""
    if any(agent.holding == item for agent in state.agents):
        return 0
    ready = [
        max(state.busy.get(place, 0), _count_steps_to(state, place))
        for place, inside in state.inside.items()
        if item in inside
    ]
    if item in kitchen.ingredients:
        ready.append(_count_steps_to(state, kitchen.storage))
    recipe = kitchen.recipes.get(item)
    if recipe is not None:
        lacking = [set(recipe.inputs)] + [
            set(recipe.inputs) - set(inside)
            for place, inside in state.inside.items()
            if kitchen.places[place] == recipe.tool
        ]
        wait = kitchen.tools[recipe.tool].wait
        ready += [
            max((_put(kitchen, state, each) for each in inputs), default=0) + wait
            for inputs in lacking
        ]
    return min(ready, default=10**9) + BRING


def _count_steps_to(state: CuisineState, place: str) -> int:
    """Return the least number of timesteps until an agent is at a place."""
    return 0 if any(agent.at == place for agent in state.agents) else 1
