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
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from episodes.errors import InputError
from episodes.world import Outcome, Trigger, World
from kitchen.state import KitchenState, OrderLine
from kitchen.world import Restaurant
from orchestrator.planner import Observation

KITCHEN, STATE, ORDERS, RECIPES, CALL = "KITCHEN", "STATE", "ORDERS", "RECIPES", "CALL"

TOOL = "look_up_recipe"
"""The tool with which a model looks recipes up; it answers `{"item": ..., "recipe": ...}`."""

_BLOCK = re.compile(r"^### ([A-Z_]+)\n```json\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


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


@dataclass(frozen=True)
class Blocks:
    """Blocks read back from a prompt: data by name, and of a name the last that stands there."""

    data: Mapping[str, Any]

    def require(self, name: str) -> Any:
        """The data of a block. Raises InputError if there is no such block."""
        if name not in self.data:
            raise InputError("prompt", f"has no block ### {name}")
        return self.data[name]

    @cached_property
    def world(self) -> Restaurant:
        """The restaurant of the KITCHEN block. Raises InputError if it describes none."""
        setup = {"menu": [], "stock": {}, **_mapping(KITCHEN, self.require(KITCHEN))}
        with _reading(KITCHEN):
            return Restaurant.from_setup(setup)

    @property
    def call(self) -> Mapping[str, Any]:
        """The CALL block."""
        return _mapping(CALL, self.require(CALL))

    @property
    def recipes(self) -> dict[str, str]:
        """The RECIPES block; empty where there is none."""
        return {str(k): str(v) for k, v in _mapping(RECIPES, self.data.get(RECIPES, {})).items()}

    @property
    def lines(self) -> dict[str, OrderLine]:
        """The open order lines of the ORDERS block."""
        with _reading(ORDERS):
            return {
                entry["line"]: OrderLine(entry["item"], entry.get("note", ""), entry.get("due"))
                for entry in self.require(ORDERS)
            }

    @property
    def state(self) -> KitchenState:
        """The STATE block; its open order lines are as ORDERS has them."""
        with _reading(STATE):
            data = {**self.require(STATE)}
            closed = {name: line for name, line in data["lines"].items() if line[3] != "open"}
            data["lines"] = {**closed, **self.lines}
            state: KitchenState = self.world.load(data)
            return state

    def observation(self) -> Observation[KitchenState]:
        """The observation that the blocks show. Raises InputError naming the block at fault."""
        call = self.call
        with _reading(CALL):
            return Observation(
                timestep=int(call["timestep"]),
                triggers=tuple(
                    Trigger(kind=t["kind"], cause=t["cause"]) for t in call.get("triggers", ())
                ),
                world=self.world,
                state=self.state,
                texts=self.recipes,
                fails={
                    worker: (fail["action"], Outcome(fail["reason"], fail["why"]))
                    for worker, fail in call.get("fails", {}).items()
                },
            )


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Turn whatever goes wrong in a block's data into one line that names the block."""
    try:
        yield
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InputError("prompt", f"block ### {name} is not as expected ({error!r})") from None


def _mapping(name: str, data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise InputError("prompt", f"block ### {name} should be a JSON object")
    return data


def load_blocks(text: str) -> Blocks:
    """Read the blocks in a text. Raises InputError if one holds no JSON."""
    data: dict[str, Any] = {}
    for match in _BLOCK.finditer(text.replace("\r\n", "\n")):
        try:
            data[match[1]] = json.loads(match[2])
        except (ValueError, RecursionError) as error:
            raise InputError("prompt", f"block ### {match[1]} is no JSON ({error})") from None
    return Blocks(data)


def load_conversation(messages: Iterable[Mapping[str, Any]]) -> Blocks:
    """Read the blocks of a conversation as it goes over the wire.

    What a model said itself is left aside; recipes that it looked up count as RECIPES.
    """
    texts: list[str] = []
    looked_up: dict[str, str] = {}
    for message in messages:
        content = _text(message.get("content"))
        if message.get("role") in ("system", "developer", "user"):
            texts.append(content)
        elif message.get("role") == "tool":
            try:
                answer = json.loads(content)
                looked_up[str(answer["item"])] = str(answer["recipe"])
            except (ValueError, RecursionError, KeyError, TypeError):
                continue
    found = load_blocks("\n\n".join(texts))
    if not looked_up:
        return found
    return Blocks({**found.data, RECIPES: {**found.recipes, **looked_up}})


def _text(content: Any) -> str:
    """The text of a message, which may be given in parts."""
    if isinstance(content, Sequence) and not isinstance(content, str):
        parts = (part.get("text", "") for part in content if isinstance(part, Mapping))
        return "\n".join(map(str, parts))
    return str(content or "")
