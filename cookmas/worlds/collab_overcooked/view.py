"""The words and the drawing of Collab-Overcooked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.episodes.world import Json
from cookmas.worlds.base.viewing import OPEN, Panel, Terms, VisibleGoal, speak_name
from cookmas.worlds.collab_overcooked.rules.actions import read_action
from cookmas.worlds.collab_overcooked.rules.kitchen import (
    COUNTER,
    DELIVERY,
    DISHES,
    INGREDIENTS,
    TICKS,
    FoodItem,
    UtensilContent,
)
from cookmas.worlds.collab_overcooked.rules.state import CollabState
from cookmas.worlds.collab_overcooked.world import CollabWorld
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.grids.showing import GRID_PAGE, CooksViewing, panel_of_cells

_HERE = Path(__file__).parent / "page"

TILES: Mapping[str, Mapping[str, str]] = {
    COUNTER: {"kind": "counter"},
    INGREDIENTS: {"kind": "counter", "sign": "crate"},
    DISHES: {"kind": "stacks", "sign": "plates"},
    DELIVERY: {"kind": "exit", "sign": "serving"},
    "pot": {"kind": "heats", "sign": "pot"},
    "oven": {"kind": "heats", "sign": "oven"},
    "chopping_board": {"kind": "works", "sign": "board"},
    "blender": {"kind": "works", "sign": "blender"},
}
"""The look of each kind of cell, and the sign on it."""

UNNAMED = (COUNTER,)
"""Kinds of cells whose names are not drawn."""


class CollabViewing(CooksViewing):
    """The words and the drawing of a kitchen on a grid."""

    terms = Terms(goals="orders", reached="delivered", texts="recipes", doing="cooking")
    page = (*GRID_PAGE, _HERE / "collab_overcooked.js")

    def setup(self, world: CollabWorld) -> dict[str, Any]:
        """Return the grid, the look and the names of its places by cell, and how long they work."""
        kitchen = world.kitchen
        return {
            "grid": list(kitchen.grid.rows),
            "ticks": TICKS,
            "places": {
                f"{x},{y}": {
                    **TILES[kitchen.kinds[x, y]],
                    "name": "" if name in UNNAMED else speak_name(name),
                }
                for (x, y), name in kitchen.names.items()
            },
            "utensils": {name: f"{x},{y}" for name, (x, y) in kitchen.utensils.items()},
        }

    def event(self, event: Json) -> str:
        """Return which dish is ordered."""
        dish = event.get("dish")
        return f"{speak_name(str(dish))} is ordered" if dish else super().event(event)

    def action(self, world: CollabWorld, state: CollabState, worker: str, action: str) -> str:
        """Return an action in words, such as "takes the egg from the counter"."""
        try:
            verb, place, food, count = read_action(action)
        except UnableError:
            return action
        place, food = speak_name(place), speak_name(food)
        match verb:
            case "pickup":
                return f"takes {food} from {place}"
            case "wait":
                return "waits" if count == 1 else f"waits {count} timesteps"
            case "put_obj_in_utensil":
                return f"puts it into {place}"
            case "place_obj_on_counter":
                return "lays it on a counter"
            case "fill_dish_with_food":
                return f"fills the dish from {place}"
            case "deliver":
                return "delivers"
        return f"starts {place}"

    def phrase_item(self, item: FoodItem) -> str:
        """Return a food in words."""
        return speak_name(item.name) + (" in a dish" if item.kind == "with_dish" else "")

    def mark_cells(self, world: CollabWorld, state: CollabState) -> Mapping[Cell, str]:
        """Return a sign for each counter and utensil that is not empty."""
        return dict.fromkeys((*state.scene.counters, *state.scene.utensils), "*")

    def describe_things(self, world: CollabWorld, state: CollabState) -> Sequence[Panel]:
        """Return the utensils and the counters that are not empty."""
        names, scene = world.kitchen.names, state.scene
        utensils = {cell: _describe_inside(each) for cell, each in scene.utensils.items()}
        counters = {cell: self.phrase_item(item) for cell, item in sorted(scene.counters.items())}
        return [
            panel_of_cells("utensils", utensils, names),
            panel_of_cells("counters", counters, {}),
        ]

    def goals(self, world: CollabWorld, state: CollabState) -> Sequence[VisibleGoal]:
        """Return the order; nothing before it comes in."""
        if state.order is None:
            return ()
        status = "delivered" if state.served else OPEN
        return [VisibleGoal(name="order", what=speak_name(state.order), status=status)]


def _describe_inside(content: UtensilContent) -> str:
    if content.product is None:
        return ", ".join(map(speak_name, content.items))
    done = "ready" if content.ticks >= TICKS else f"{content.ticks} of {TICKS}"
    return f"{speak_name(content.product)}, {done}"


VIEWING = CollabViewing()
