"""The words, the keys and the drawing of Overcooked-AI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cookmas.worlds.base.viewing import Panel, Terms, VisibleGoal, panel_of, speak_name
from cookmas.worlds.grids.grid import Cell
from cookmas.worlds.grids.lasting import UnableError
from cookmas.worlds.grids.showing import GRID_PAGE, CooksViewing, panel_of_cells
from cookmas.worlds.overcooked.rules.actions import (
    DELIVER,
    MOVE_AWAY,
    OPEN,
    PICK_UP,
    PLACE,
    PUT,
    START,
    MediumAction,
    read_action,
)
from cookmas.worlds.overcooked.rules.kitchen import (
    CAPACITY,
    COUNTER,
    DISHES,
    GATE,
    GATE_TICKS,
    INTERACT,
    ONIONS,
    POT,
    SERVING,
    STAY,
    TOMATOES,
    WALL,
    Ingredients,
    KitchenItem,
    OvercookedKitchen,
    PotContent,
    count_ingredients,
    open_gates,
    timesteps_open,
)
from cookmas.worlds.overcooked.rules.places import INITIALS, names_of
from cookmas.worlds.overcooked.rules.state import OvercookedState
from cookmas.worlds.overcooked.world import OvercookedWorld

TILES: Mapping[str, Mapping[str, Any]] = {
    COUNTER: {"kind": "counter"},
    DISHES: {"kind": "stacks", "sign": "plates"},
    GATE: {"kind": "gate", "sign": ["bars", "posts"]},
    ONIONS: {"kind": "dispenser", "sign": "crate", "thing": "onion"},
    POT: {"kind": "heats", "sign": "pot"},
    SERVING: {"kind": "exit", "sign": "serving"},
    TOMATOES: {"kind": "dispenser", "sign": "crate", "thing": "tomato"},
    WALL: {"kind": "wall"},
}
"""The look of each kind of cell, and the sign on it."""

KEYS: Mapping[str, str] = {
    "ArrowUp": "north",
    "ArrowLeft": "west",
    "ArrowDown": "south",
    "ArrowRight": "east",
    " ": INTERACT,
    ".": STAY,
}
"""The act of each key."""


class OvercookedViewing(CooksViewing):
    """The words, the keys and the drawing of a kitchen on a grid."""

    terms = Terms(goals="orders", reached="delivered", doing="cooking")
    page = (*GRID_PAGE, Path(__file__).parent / "page" / "overcooked.js")

    def setup(self, world: OvercookedWorld) -> dict[str, Any]:
        """Return the grid with its places, the recipes, and how long gates stay open."""
        kitchen = world.kitchen
        names = names_of(kitchen)
        return {
            "grid": list(kitchen.grid.rows),
            "places": {
                f"{x},{y}": {
                    **TILES[kind],
                    "name": names.get((x, y), ""),
                    "what": "" if kind == COUNTER else speak_name(kind),
                }
                for (x, y), kind in kitchen.kinds.items()
            },
            "capacity": CAPACITY,
            "gate_ticks": GATE_TICKS,
            "times": {",".join(soup): time for soup, time in kitchen.times.items()},
            "orders": [
                [_phrase_ingredients(recipe.ingredients), recipe.points]
                for recipe in kitchen.ordered
            ],
            "starts_by_itself": kitchen.starts_by_itself,
        }

    def keys(
        self, world: OvercookedWorld, state: OvercookedState, worker: str
    ) -> Mapping[str, str]:
        """Return the keys of the low-level acts; none if cooks may not command them."""
        return {} if world.options.acts == "medium" else KEYS

    def event(self, event: Mapping[str, Any]) -> str:
        """Return the words of an event: that the episode begins, or an instruction."""
        return "the episode begins" if event.get("kind") == "begin" else super().event(event)

    def action(
        self, world: OvercookedWorld, state: OvercookedState, worker: str, action: str
    ) -> str:
        """Return an action in words, such as "puts onion into pot c0"."""
        try:
            read = read_action(action)
        except UnableError:
            return action
        return _phrase_action(read)

    def phrase_item(self, item: KitchenItem) -> str:
        """Return an item in words, such as `dish` or `soup of 3 onions`."""
        soup = item.ingredients
        return f"soup of {_phrase_ingredients(soup)}" if soup else item.kind

    def mark_cells(self, world: OvercookedWorld, state: OvercookedState) -> Mapping[Cell, str]:
        """Return a sign for each counter and pot that is not empty, and for each open gate."""
        scene = state.scene
        filled = dict.fromkeys((*scene.counters, *scene.pots), "*")
        return filled | dict.fromkeys(open_gates(scene.gates), "o")

    def describe_things(self, world: OvercookedWorld, state: OvercookedState) -> Sequence[Panel]:
        """Return the pots and the counters that are not empty, and the gates."""
        kitchen, scene = world.kitchen, state.scene
        names = names_of(kitchen)
        pots = {cell: _describe_pot(kitchen, pot) for cell, pot in scene.pots.items()}
        counters = {cell: self.phrase_item(item) for cell, item in sorted(scene.counters.items())}
        gates = {
            cell: f"open, {timesteps_open(gate)} timesteps left" if gate.open else "closed"
            for cell, gate in scene.gates.items()
        }
        return [
            panel_of_cells("pots", pots, names),
            panel_of_cells("counters", counters, names),
            panel_of_cells("gates", gates, names),
        ]

    def panels(self, world: OvercookedWorld, state: OvercookedState) -> Sequence[Panel]:
        """Return the score, and the panels of all kitchens."""
        score = [("points", str(state.score)), ("soups", str(state.delivered))]
        return [panel_of("score", score), *super().panels(world, state)]

    def goals(self, world: OvercookedWorld, state: OvercookedState) -> Sequence[VisibleGoal]:
        """Return the orders, which are never used up."""
        return [
            VisibleGoal(
                name=f"soup of {_phrase_ingredients(recipe.ingredients)}",
                what=f"{recipe.points} points",
            )
            for recipe in world.kitchen.ordered
        ]


def _phrase_action(action: MediumAction | str) -> str:
    if isinstance(action, str):
        words = {STAY: "stays", INTERACT: "interacts"}
        return words.get(action) or f"goes {action}"
    item, place = action.item, _phrase_place(action.place)
    words = {
        DELIVER: f"delivers {item} at {place}",
        MOVE_AWAY: "moves away",
        OPEN: f"opens {place}",
        PICK_UP: f"takes {item} from {place}",
        PLACE: f"lays {item} on {place}",
        PUT: f"puts {item} into {place}",
        START: f"starts {place}",
    }
    return words[action.verb]


def _phrase_place(name: str) -> str:
    """Return the name of a place with its kind, such as `pot c0`."""
    kind = INITIALS.get(name[:1])
    return f"{speak_name(kind)} {name}" if kind else name


def _phrase_ingredients(ingredients: Ingredients) -> str:
    return ", ".join(count_ingredients(ingredients))


def _describe_pot(kitchen: OvercookedKitchen, pot: PotContent) -> str:
    inside = _phrase_ingredients(pot.ingredients)
    if pot.ticks < 0:
        return inside
    if kitchen.is_ready(pot.ingredients, pot.ticks):
        return f"{inside}: ready"
    return f"{inside}: {pot.ticks} of {kitchen.times[pot.ingredients]}"


VIEWING = OvercookedViewing()
