"""The second computation of what is missing: put it in, and see what the world makes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

from cookmas.episodes.world import Command
from cookmas.worlds.base.questions import Question
from cookmas.worlds.cuisineworld.rules.kitchen import Agent
from cookmas.worlds.overcooked.rules.kitchen import KitchenItem
from cookmas.worlds.overcooked.rules.places import places_of

BROUGHT_WITHIN = 40
"""Greatest number of timesteps in which a soup is brought to the window."""


def cook_dish(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the items with which a tool of CuisineWorld makes the product that is asked for."""
    place, product = question.text.split()[0], question.text.partition("make ")[2].split(".")[0]
    (agent, *_) = world.workers
    here = (Agent(place), *state.agents[1:])
    inside = state.inside[place]
    for count in range(1, len(question.options)):
        for items in combinations(question.options, count):
            filled = state._replace(
                agents=here, inside={**state.inside, place: (*inside, *items)}, busy={}
            )
            after, outcomes, _ = world.step(filled, [Command(agent, f"activate_{place}")])
            if outcomes[agent].done and after.inside[place] == (product,):
                return set(items)
    return None


def deliver_soup(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the lists of ingredients with which a soup of the pot gets points.

    The soup is given to a cook that can come to the window. Return None if nobody can.
    """
    name = question.text.partition("missing in ")[2].split()[0]
    inside = state.scene.pots[places_of(world.kitchen)[name]].ingredients
    right = set[str]()
    for option in question.options:
        items = [] if option == "nothing" else option.split(", ")
        whole = tuple(sorted([*inside, *items]))
        gained = [_deliver(world, state, number, whole) for number in range(len(world.workers))]
        if all(points is None for points in gained):
            return None
        if any(points for points in gained):
            right.add(option)
    return right


def _deliver(world: Any, state: Any, number: int, soup: tuple[str, ...]) -> int | None:
    """Return the points for a soup that a cook holds; None if it cannot come to the window."""
    if soup not in world.kitchen.points:
        return 0
    cooks = list(state.scene.cooks)
    cooks[number] = cooks[number]._replace(held=KitchenItem("soup", soup))
    nobody = (None,) * len(cooks)
    now = state._replace(scene=state.scene._replace(cooks=tuple(cooks)), doing=nobody, timestep=0)
    cook = world.workers[number]
    for action in world.legal(now, cook):
        if not action.startswith("deliver"):
            continue
        for timestep in range(BROUGHT_WITHIN):
            own = [Command(cook, action)] if timestep == 0 else []
            movers = [x for x in world.movers(now) if x != cook]
            now, _, _ = world.step(now, [*own, *(Command(x, world.idle) for x in movers)])
            if now.doing[number] is None:
                break
        if now.scene.cooks[number].held is None:
            return int(now.score - state.score)
    return None


def start_utensil(world: Any, state: Any, seat: str, question: Question) -> set[str] | None:
    """Return the items with which a utensil of Collab-Overcooked makes what the dish needs."""
    if state.tables is None:
        return None
    name = question.text.partition(" go into ")[2].partition(" for ")[0]
    cell = world.kitchen.utensils[name]
    inside = state.scene.utensils[cell]
    needed = {state.order}
    while more := {
        item
        for row in state.tables.rows
        if row.product in needed
        for item in row.inputs
        if item not in needed
    }:
        needed |= more
    for items in _list_additions(question.options, 3 - len(inside.items)):
        full = inside._replace(items=(*inside.items, *items), filled=inside.filled + len(items))
        made = _start(world, state, cell, full)
        if made in needed:
            return set(items)
    return None


def _list_additions(options: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    for count in range(1, most + 1):
        yield from combinations_with_replacement(options, count)


def _start(world: Any, state: Any, cell: Any, full: Any) -> str | None:
    """Return what a utensil with some content makes if a cook that can come there starts it."""
    utensils = {**state.scene.utensils, cell: full}
    nobody = (None,) * len(world.workers)
    begin = state._replace(scene=state.scene._replace(utensils=utensils), doing=nobody)
    for cook in world.workers:
        for action in world.legal(begin, cook):
            if not action.endswith(f"({world.kitchen.names[cell]})"):
                continue
            now = begin
            for timestep in range(BROUGHT_WITHIN):
                own = [Command(cook, action)] if timestep == 0 else []
                others = [x for x in world.movers(now) if x != cook]
                now, _, _ = world.step(now, [*own, *(Command(x, world.idle) for x in others)])
                product = now.scene.utensils.get(cell, full).product
                if product is not None:
                    return str(product)
                if now.doing[world.workers.index(cook)] is None and timestep:
                    break
    return None
