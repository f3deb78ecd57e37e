"""The prompt for a reading, if a model only reads recipes and notes, and its answer's layout."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cookmas.episodes.conversation import Message
from cookmas.kitchen.layout import KIND_OF_PROCESS
from cookmas.kitchen.state import KitchenState, OrderLine
from cookmas.kitchen.world import Restaurant
from cookmas.orchestrator.dialogue.answers import Form
from cookmas.orchestrator.dialogue.blocks import CALL, block, call_data
from cookmas.orchestrator.dialogue.layouts import (
    REASONING,
    TEXT,
    AnswerField,
    Layout,
    object_schema,
)
from cookmas.orchestrator.dialogue.prompt import describe_texts, first_messages
from cookmas.orchestrator.dialogue.prompting import Prompting
from cookmas.orchestrator.dialogue.voice import Templates
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.restaurant.voice import conventions
from cookmas.worlds.restaurant.voice.blocks import (
    KITCHEN,
    ORDERS,
    RECIPES,
    kitchen_data,
    orders_data,
    recipes_data,
)


class ReadAnswer(Form):
    """A model's reading: the components of each order line, such as `rhubarb > slice 1`."""

    lines: dict[str, list[str]]


@dataclass(frozen=True, kw_only=True)
class ReadLayout(Layout[ReadAnswer]):
    """The layout of a reading of order lines, perhaps with the model's reasoning before it."""

    name = "reading"
    form = ReadAnswer
    core = "lines"

    lines: Collection[str]
    """The names of the lines."""
    reasoning: bool
    """True if the answer has a field for reasoning."""

    def fields(self) -> Mapping[str, AnswerField]:
        """Return the fields: reasoning, and the components of each line."""
        components = {"type": "array", "items": TEXT}
        example = {"o1.1": ["rhubarb > slice 1", "..."], "o1.2": ["..."]}
        read = AnswerField(object_schema(dict.fromkeys(self.lines, components)), example)
        return {**(REASONING if self.reasoning else {}), "lines": read}


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
