"""What a request asks: read from its messages, and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from episodes.errors import InputError
from episodes.world import digest
from kitchen.state import KitchenState, OrderLine, opening_state
from modelserver.corruption import Cell
from modelserver.faults import Faults
from orchestrator.dialogue.blocks import TOOL
from worlds.restaurant.prompts.loading import Blocks, load_conversation

TASKS = ("schedule", "step", "read")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked for.

    `setup` and `state` are plain data, the state with the open lines of ORDERS; for reading alone
    no state need be given. `flagged` are the places that a repair message complains of, `previous`
    the answer it is about. `unknown` are the ordered items without a recipe, and `tool` says
    whether recipes can be looked up.
    """

    task: str
    timestep: int
    setup: Mapping[str, Any]
    state: Mapping[str, Any]
    recipes: Mapping[str, str]
    flagged: frozenset[Cell]
    previous: str | None
    unknown: tuple[str, ...]
    tool: bool

    @property
    def situation(self) -> str:
        """Digest of all that the right answer depends on."""
        return digest([self.setup, self.state, self.recipes])


def read_question(body: Mapping[str, Any], faults: Faults) -> Question:
    """What a request asks. Raises InputError with the block that is missing or cannot be read.

    Order lines whose customer's words the model does not hear (`dropped_customization`) have none.
    """
    messages = body["messages"]
    blocks = load_conversation(messages)
    task = blocks.call.get("task", "schedule")
    if task not in TASKS:
        raise InputError("prompt", f"block ### CALL: task should be one of {', '.join(TASKS)}")
    state = _heard(_to_read(blocks) if task == "read" else blocks.state, faults)
    items = dict.fromkeys(line.item for line in state.open_lines().values())
    texts = blocks.recipes
    recipes = {item: texts[item] for item in items if item in texts}
    return Question(
        task=task,
        timestep=state.timestep,
        setup=blocks.world.setup(),
        state=blocks.world.dump(state),
        recipes=recipes,
        flagged=_flagged(blocks, state.timestep),
        previous=_previous(messages),
        unknown=tuple(item for item in items if item not in recipes),
        tool=any(_tool_name(tool) == TOOL for tool in body.get("tools") or ()),
    )


def _to_read(blocks: Blocks) -> KitchenState:
    """The lines to be read, in a kitchen in which nothing has happened yet."""
    return replace(opening_state(blocks.world.kitchen), lines=blocks.lines)


def _heard(state: KitchenState, faults: Faults) -> KitchenState:
    def heard(name: str, line: OrderLine) -> OrderLine:
        deaf = line.note and faults.strikes("dropped_customization", name, line.item, line.note)
        return line._replace(note="") if deaf else line

    return replace(state, lines={name: heard(name, line) for name, line in state.lines.items()})


def _flagged(blocks: Blocks, timestep: int) -> frozenset[Cell]:
    violations = blocks.call.get("violations") or ()
    return frozenset(
        (violation["timestep"] - timestep, violation["worker"])
        for violation in violations
        if "timestep" in violation and "worker" in violation
    )


def _previous(messages: Sequence[Mapping[str, Any]]) -> str | None:
    said = [m.get("content") for m in messages if m.get("role") == "assistant"]
    return said[-1] if said and isinstance(said[-1], str) else None


def _tool_name(tool: Mapping[str, Any]) -> Any:
    return tool.get("function", {}).get("name")
