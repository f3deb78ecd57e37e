"""The restaurant's blocks of a prompt: kitchen, state, open order lines and recipes.

A block is data in JSON under a name in capitals, such as KITCHEN.
"""

from __future__ import annotations

from typing import Any

from cookmas.episodes.base import World
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.blocks import CALL, block, call_data
from cookmas.orchestrator.dialogue.voice import LookUp
from cookmas.orchestrator.planner import Observation

KITCHEN, STATE, ORDERS, RECIPES = "KITCHEN", "STATE", "ORDERS", "RECIPES"

LOOK_UP = LookUp(
    tool="look_up_recipe",
    about="The recipe of a menu item, as the house tells it.",
    key="item",
    about_key="the item's name on the menu",
    text="recipe",
)
"""The tool with which a model looks recipes up; it answers `{"item": ..., "recipe": ...}`."""


def kitchen_data(world: Restaurant, *, stations: bool = True) -> dict[str, Any]:
    """Return the KITCHEN block: the kitchen without its menu and its workers.

    The block CALL names the workers. Stations of equal kind, slots and room share one entry: these
    three values, then the names. The stations are left out if `stations` is False, as in a prompt
    for a reading.
    """
    setup = world.setup()
    alike: dict[tuple[Any, ...], list[str]] = {}
    for name, about in setup["stations"].items():
        alike.setdefault(tuple(about), []).append(name)
    return {
        "name": setup["name"],
        **({"stations": [[*about, names] for about, names in alike.items()]} if stations else {}),
        "larder": setup["larder"],
        "doneness": setup["doneness"],
        **({"stock": setup["stock"]} if setup["stock"] else {}),
    }


def state_data(world: Restaurant, state: KitchenState) -> dict[str, Any]:
    """Return the STATE block: the state as plain data, without order lines and empty fields."""
    dump = world.dump(state)
    del dump["lines"]
    return {name: data for name, data in dump.items() if data or name == "timestep"}


def orders_data(state: KitchenState) -> list[dict[str, Any]]:
    """Return the ORDERS block: the open order lines."""
    return [
        {
            "line": name,
            "item": line.item,
            **({"note": line.note} if line.note else {}),
            **({"due": line.due} if line.due is not None else {}),
        }
        for name, line in state.open_lines().items()
    ]


def outline(world: World, state: Any) -> dict[str, Any]:
    """Return a summary of the state: where workers and things are, and what is out of service."""
    dump = world.dump(state)
    return {name: dump[name] for name in ("workers", "contents", "out") if dump[name]}


def recipes_data(observation: Observation[KitchenState]) -> dict[str, str]:
    """Return the RECIPES block: the known recipes of the items of the open lines."""
    items = dict.fromkeys(line.item for line in observation.state.open_lines().values())
    return {item: observation.texts[item] for item in items if item in observation.texts}


def dump_blocks(
    observation: Observation[KitchenState], task: str = "schedule", *, feedback: bool = True
) -> str:
    """Return all blocks of an observation as text; RECIPES is left out if no recipe is known.

    `task` and `feedback` are passed to `call_data`, which makes the block CALL.
    """
    recipes = recipes_data(observation)
    observed = {**constant_blocks(observation), **changing_blocks(observation)}
    return "\n\n".join(
        [
            *(block(name, data) for name, data in observed.items()),
            *([block(RECIPES, recipes)] if recipes else []),
            block(CALL, call_data(observation, task, feedback=feedback)),
        ]
    )


def constant_blocks(observation: Observation[KitchenState]) -> dict[str, Any]:
    """Return the blocks that stay the same during an episode, by name."""
    assert isinstance(observation.world, Restaurant)
    return {KITCHEN: kitchen_data(observation.world)}


def changing_blocks(observation: Observation[KitchenState]) -> dict[str, Any]:
    """Return the blocks that change during an episode, by name."""
    world, state = observation.world, observation.state
    assert isinstance(world, Restaurant)
    return {STATE: state_data(world, state), ORDERS: orders_data(state)}
