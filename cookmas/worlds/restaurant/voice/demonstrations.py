"""Demonstrations for prompts: how a dish that nobody has ordered is made, timestep by timestep.

The dishes are not on any shipped menu. The embedded scheduler makes the schedule for the given
kitchen and number of workers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cookmas.files.errors import InputError, NotationError
from cookmas.kitchen.components import parse_component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import OrderLine, make_opening_state
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.planner import commands_of
from cookmas.worlds.restaurant.voice.blocks import outline
from cookmas.worlds.shipped import solved

LINE = "demo.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemonstrationDish:
    """A dish for a demonstration."""

    item: str
    """The name of the menu item."""
    recipe: str
    note: str
    """The customer's words."""
    components: tuple[str, ...]
    """The components that recipe and note ask for together, in notation."""


DISHES: Sequence[DemonstrationDish] = (
    DemonstrationDish(
        item="Ham and Egg Plate",
        recipe="Slice the ham. Boil the egg until hard. Put the ham on a plate, the egg beside it, "
        "and serve.",
        note="A soft egg, please.",
        components=("ham > slice 1", "egg > boil soft"),
    ),
    DemonstrationDish(
        item="Potatoes with Onion",
        recipe="Peel the potato and boil it for 8 to 10 minutes. Chop the onion meanwhile. Serve "
        "the potato with the onion on top.",
        note="The potato 2 minutes longer, please.",
        components=("potato > peel 1 > boil 10-12", "onion > chop 2"),
    ),
    DemonstrationDish(
        item="Tomato and Cucumber Bowl",
        recipe="Slice the tomato, chop the cucumber, and serve the two side by side.",
        note="",
        components=("tomato > slice 1", "cucumber > chop 2"),
    ),
)


def demonstrate(
    world: Restaurant, ordered: Iterable[str], workers: int, timesteps: int | None = None
) -> dict[str, Any]:
    """Return a demonstration in this kitchen, of all timesteps or only the first `timesteps`.

    `ordered` names the menu items that customers ordered, and `workers` is the number of workers.
    Raises InputError if the kitchen can make none of the dishes that are not ordered.
    """
    crew = [f"worker_{n}" for n in range(1, workers + 1)]
    setup = {**world.setup(), "workers": crew, "stock": {}, "menu": []}
    return _build(json.dumps(setup), frozenset(ordered), timesteps)


@lru_cache(maxsize=128)
def _build(setup: str, ordered: frozenset[str], timesteps: int | None) -> dict[str, Any]:
    kitchen = Restaurant.of_setup(json.loads(setup)).kitchen
    for dish in DISHES:
        if dish.item not in ordered and (decisions := _decisions(kitchen, dish)):
            return {
                "workers": list(kitchen.workers),
                "order": {"line": LINE, "item": dish.item, "note": dish.note},
                "recipe": dish.recipe,
                "timesteps": decisions[:timesteps],
            }
    raise InputError(
        "demonstration", "this kitchen has the ingredients for none; expected demonstration none"
    )


def _decisions(kitchen: Kitchen, dish: DemonstrationDish) -> list[dict[str, Any]]:
    """Return the state and the actions of each timestep; empty if the dish cannot be made."""
    try:
        components = [parse_component(text, kitchen.doneness) for text in dish.components]
    except NotationError:
        return []
    if solved("restaurant", "scheduling.schedule:find_problem")(kitchen, components):
        return []
    state = make_opening_state(kitchen)._replace(lines={LINE: OrderLine(dish.item, dish.note)})
    world, decisions = Restaurant(kitchen), []
    make_schedule = solved("restaurant", "scheduling.schedule:make_schedule")
    for actions in make_schedule(kitchen, state, {LINE: components}).schedule:
        decisions.append({"state": outline(world, state), "actions": actions})
        state, _, _ = world.step(state, commands_of(actions))
    return decisions
