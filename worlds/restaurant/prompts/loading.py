"""Blocks read back from prompts, also from such as were edited or made up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from episodes.world import Outcome, Trigger
from files.errors import NotationError
from kitchen.state import KitchenState, OrderLine
from kitchen.world import Restaurant
from orchestrator.dialogue.blocks import CALL, mapping, parse_blocks, unexpected
from orchestrator.dialogue.conversation import blocks_in, looked_up_in
from orchestrator.dialogue.forms import call_in, required
from orchestrator.planner import Observation
from worlds.restaurant.prompts.blocks import KITCHEN, LOOK_UP, ORDERS, RECIPES, STATE
from worlds.restaurant.prompts.forms import check_kitchen, check_state, checked

AISLE = (("aisle", 0, None, ("aisle",)),)
"""The stations of a kitchen that is only read for."""

NOTHING: Mapping[str, Any] = {"contents": {}, "out": {}, "stock": {}}
"""What is left out of STATE where it is empty."""


@dataclass(frozen=True)
class Blocks:
    """Blocks read back from a prompt: data by name, and of a name the last that stands there."""

    data: Mapping[str, Any]

    def require(self, name: str) -> Any:
        """The data of a block. Raises InputError if there is no such block."""
        return required(self.data, name)

    @cached_property
    def world(self) -> Restaurant:
        """The restaurant of the KITCHEN block. Raises InputError if it describes none."""
        data = checked(KITCHEN, mapping(KITCHEN, self.require(KITCHEN)))
        with _reading(KITCHEN):
            alike = data.get("stations", AISLE)
            stations = {name: about for *about, names in alike for name in names}
            setup = {"menu": [], "stock": {}, **data, "stations": stations}
            setup["workers"] = self._workers
            world = Restaurant.from_setup(setup)
        check_kitchen(world.kitchen)
        return world

    @property
    def _workers(self) -> Sequence[str]:
        """The workers as CALL names them, or else those of STATE."""
        named: Sequence[str] = self.call.get("workers", ())
        return named or list(mapping(STATE, self.data.get(STATE, {})).get("workers", ()))

    @cached_property
    def call(self) -> Mapping[str, Any]:
        """The CALL block."""
        return call_in(self.data)

    @property
    def recipes(self) -> dict[str, str]:
        """The RECIPES block; empty where there is none."""
        recipes = checked(RECIPES, mapping(RECIPES, self.data.get(RECIPES, {})))
        return dict(recipes)

    @property
    def lines(self) -> dict[str, OrderLine]:
        """The open order lines of the ORDERS block."""
        return {
            entry["line"]: OrderLine(entry["item"], entry.get("note", ""), entry.get("due"))
            for entry in checked(ORDERS, self.require(ORDERS))
        }

    @property
    def state(self) -> KitchenState:
        """The STATE block, with the open order lines of ORDERS."""
        data = checked(STATE, mapping(STATE, self.require(STATE)))
        world = self.world
        with _reading(STATE):
            state = world.load(
                {"contents": {}, "out": {}, "stock": {}, **data, "lines": self.lines}
            )
        check_state(world.kitchen, state)
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
    except NotationError as error:
        raise unexpected(name, str(error)) from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise unexpected(name, repr(error)) from None


def load_blocks(text: str) -> Blocks:
    """Read the blocks in a text. Raises InputError if one holds no JSON, or half a character."""
    return Blocks(parse_blocks(text))


def load_conversation(messages: Iterable[Mapping[str, Any]]) -> Blocks:
    """Read the blocks of a conversation as it goes over the wire.

    What a model said itself is left aside; recipes that it looked up count as RECIPES.
    """
    messages = list(messages)
    return with_recipes(blocks_in(messages), looked_up_in(messages, LOOK_UP))


def with_recipes(data: Mapping[str, Any], looked_up: Mapping[str, str]) -> Blocks:
    """The blocks of a conversation, with the recipes that were looked up among RECIPES."""
    found = Blocks(data)
    if not looked_up:
        return found
    return Blocks({**data, RECIPES: {**found.recipes, **looked_up}})
