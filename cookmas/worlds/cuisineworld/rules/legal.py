"""Legal commands: those that the kitchen would carry out as the first in a timestep."""

from __future__ import annotations

from cookmas.worlds.cuisineworld.rules import commands
from cookmas.worlds.cuisineworld.rules.engine import CHOPBOARD, is_product
from cookmas.worlds.cuisineworld.rules.kitchen import STORAGE, TABLE, CuisineKitchen
from cookmas.worlds.cuisineworld.rules.state import CuisineState


def legal_commands(kitchen: CuisineKitchen, state: CuisineState, agent: int) -> list[str]:
    """Return the legal commands of an agent: `noop`, all `goto`, and those at its present place."""
    at, holding = state.agents[agent]
    kind = kitchen.places[at]
    inside = state.inside.get(at, ())
    legal = [commands.noop(agent), *(commands.goto(agent, place) for place in kitchen.places)]
    if kind == STORAGE:
        if holding is None:
            items = sorted(kitchen.ingredients)
            legal += [commands.get(agent, at, item) for item in items]
        else:
            legal.append(commands.put(agent, at))
    elif kind == TABLE:
        if holding in kitchen.dishes:
            legal.append(commands.put(agent, at))
    elif at not in state.busy:
        cooking = kitchen.cooking[kind]
        if holding is not None:
            if holding in inside or tuple(sorted((*inside, holding))) in cooking:
                legal.append(commands.put(agent, at))
        elif inside:
            if kind == CHOPBOARD or is_product(kitchen, kind, inside):
                legal.append(commands.get(agent, at))
            if cooking.get(tuple(sorted(inside))) is not None:
                legal.append(commands.activate(agent, at))
    return legal


def every_command(kitchen: CuisineKitchen, agent: int) -> list[str]:
    """Return the commands of an agent that name places and ingredients of the kitchen."""
    every = [commands.noop(agent), *(commands.goto(agent, place) for place in kitchen.places)]
    for place, kind in kitchen.places.items():
        every.append(commands.put(agent, place))
        if kind == STORAGE:
            every += [commands.get(agent, place, item) for item in sorted(kitchen.ingredients)]
        elif kind != TABLE:
            every += [commands.get(agent, place), commands.activate(agent, place)]
    return every
