"""The prompt for a reading, which a planner sends if its model only reads recipes and notes."""

from __future__ import annotations

from collections.abc import Mapping

from cookmas.episodes.conversation import Message
from cookmas.kitchen.layout import KIND_OF_PROCESS
from cookmas.kitchen.state import KitchenState, OrderLine
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.blocks import CALL, block, call_data
from cookmas.orchestrator.dialogue.prompt import describe_texts, first_messages
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.restaurant.voice import conventions
from cookmas.worlds.restaurant.voice.answers import ReadLayout
from cookmas.worlds.restaurant.voice.blocks import (
    KITCHEN,
    ORDERS,
    RECIPES,
    kitchen_data,
    orders_data,
    recipes_data,
)


def render_reading(
    observation: Observation[KitchenState],
    lines: Mapping[str, OrderLine],
    ways: Prompting,
    templates: Templates,
) -> list[Message]:
    """Return the first messages of a dialogue in which a model reads these order lines.

    `ways` are the prompting options. The system message does not depend on the lines.
    """
    world = observation.world
    assert isinstance(world, Restaurant)
    layout = ReadLayout(lines=lines, reasoning=ways.chain_of_thought)
    texts = {"given_texts": describe_texts(ways, templates, world)}
    system = {
        "conventions": conventions(templates),
        "processes": ", ".join(KIND_OF_PROCESS),
        "given": templates.fill("given_reading", texts),
        "example": layout.example(),
        "limits": layout.describe_limits(templates),
        "chain_of_thought": templates.fill("chain_of_thought_read")
        if ways.chain_of_thought
        else "",
    }
    orders = [entry for entry in orders_data(observation.state) if entry["line"] in lines]
    items = {line.item for line in lines.values()}
    recipes = {i: text for i, text in recipes_data(observation).items() if i in items}
    parts = [
        block(KITCHEN, kitchen_data(world, stations=False)),
        *([block(RECIPES, recipes)] if ways.recipes == "given" else []),
        block(ORDERS, orders),
        block(CALL, call_data(observation, "read")),
    ]
    rules = templates.fill("read_system", system)
    return first_messages(templates, rules, parts, templates.fill("task_read"))
