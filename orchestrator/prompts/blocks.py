"""JSON blocks in prompts: what is known, in a form that machines read back to the very same data.

A block is a line `### NAME`, then JSON fenced by lines of three backticks:

    ### ORDERS
    ```json
    [
    {"line": "o1.1", "item": "Greek Salad", "note": "No feta, please."}
    ]
    ```

Everything that comes from outside (customers' words, recipes) stands inside JSON strings, in which
backticks, `<` and whatever is no printable character are written as escapes: so no text can close
a block, open another, or look like a mark between messages.
"""

from __future__ import annotations

import json
from typing import Any

from episodes.world import Trigger, World
from kitchen.state import KitchenState
from kitchen.world import Restaurant
from orchestrator.planner import Observation

KITCHEN, STATE, ORDERS, RECIPES, CALL = "KITCHEN", "STATE", "ORDERS", "RECIPES", "CALL"

TOOL = "look_up_recipe"
"""The tool with which a model looks recipes up; it answers `{"item": ..., "recipe": ...}`."""


def to_json(data: Any) -> str:
    """Plain data as JSON in which no text can be taken for anything but text."""
    text = json.dumps(data, ensure_ascii=False)
    return "".join(c if c.isprintable() and c not in "`<" else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))


def block(name: str, data: Any) -> str:
    """A block; what is at the top of its data stands on lines of its own."""
    match data:
        case dict() if data:
            entries = (f"{to_json(key)}: {to_json(value)}" for key, value in data.items())
            body = "{\n" + ",\n".join(entries) + "\n}"
        case list() if data:
            body = "[\n" + ",\n".join(map(to_json, data)) + "\n]"
        case _:
            body = to_json(data)
    return f"### {name}\n```json\n{body}\n```"


def kitchen_data(world: Restaurant) -> dict[str, Any]:
    """The KITCHEN block: the kitchen without the menu, which planning does not need."""
    setup = world.setup()
    del setup["menu"]
    if not setup["stock"]:
        del setup["stock"]
    return setup


def orders_data(state: KitchenState) -> list[dict[str, Any]]:
    """The ORDERS block: the open order lines."""
    return [
        {
            "line": name,
            "item": line.item,
            "note": line.note,
            "due": line.due,
            "status": line.status,
        }
        for name, line in state.open_lines().items()
    ]


def outline(world: World[Any], state: Any) -> dict[str, Any]:
    """The state as far as decisions are about it: who and what is where, and what is out."""
    dump = world.dump(state)
    return {name: dump[name] for name in ("workers", "contents", "out") if dump[name]}


def recipes_data(observation: Observation[KitchenState]) -> dict[str, str]:
    """The RECIPES block: the prose of every item that is open."""
    items = dict.fromkeys(line.item for line in observation.state.open_lines().values())
    return {item: observation.texts[item] for item in items if item in observation.texts}


def call_data(
    observation: Observation[KitchenState], task: str, *, feedback: bool = True
) -> dict[str, Any]:
    """The CALL block: when and why the planner is called and what it should do.

    Without `feedback` it is not said which action FAILed, nor why.
    """
    triggers = [
        {"kind": t.kind, "cause": t.cause} for t in observation.triggers if feedback or not _fail(t)
    ]
    fails = {
        worker: {"action": action, "reason": outcome.fail, "why": outcome.why}
        for worker, (action, outcome) in observation.fails.items()
    }
    return {
        "timestep": observation.timestep,
        "triggers": triggers,
        **({"fails": fails} if feedback else {}),
        "task": task,
        "workers": list(observation.world.workers),
    }


def _fail(trigger: Trigger) -> bool:
    return trigger.kind == "failure"


def dump_blocks(
    observation: Observation[KitchenState], task: str = "schedule", *, feedback: bool = True
) -> str:
    """All blocks of an observation; recipes that are not known are left out."""
    world, state = observation.world, observation.state
    assert isinstance(world, Restaurant)
    recipes = recipes_data(observation)
    return "\n\n".join(
        [
            block(KITCHEN, kitchen_data(world)),
            block(STATE, world.dump(state)),
            block(ORDERS, orders_data(state)),
            *([block(RECIPES, recipes)] if recipes else []),
            block(CALL, call_data(observation, task, feedback=feedback)),
        ]
    )
