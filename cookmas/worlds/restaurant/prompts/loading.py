"""Blocks that are read back from prompts. A user may have edited or invented them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cookmas.episodes.world import Outcome, Trigger
from cookmas.files.errors import NotationError
from cookmas.kitchen.state import KitchenState, OrderLine
from cookmas.kitchen.world import Restaurant, kitchen_of
from cookmas.orchestrator.dialogue.blocks import (
    CALL,
    blocks_in,
    call_in,
    collect_looked_up,
    mapping,
    parse_blocks,
    require_block,
    unexpected_error,
)
from cookmas.orchestrator.planner import Observation
from cookmas.worlds.restaurant.prompts.blocks import KITCHEN, LOOK_UP, ORDERS, RECIPES, STATE
from cookmas.worlds.restaurant.prompts.forms import check_kitchen, check_state, validate_block

AISLE = (("aisle", 0, None, ("aisle",)),)
"""The stations that a kitchen gets if its block lists none, as in a prompt for a reading."""

NOTHING: Mapping[str, Any] = {"contents": {}, "out": {}, "stock": {}}
"""The fields that STATE leaves out if they are empty."""


@dataclass(frozen=True)
class Blocks:
    """Blocks read back from a prompt."""

    data: Mapping[str, Any]
    """The data of each block, by its name; if several blocks have one name, the last counts."""

    def require(self, name: str) -> Any:
        """Return the data of a block. Raises InputError if there is no such block."""
        return require_block(self.data, name)

    @cached_property
    def world(self) -> Restaurant:
        """The restaurant of the KITCHEN block. Raises InputError if it describes none."""
        data = validate_block(KITCHEN, mapping(KITCHEN, self.require(KITCHEN)))
        with _convert_errors(KITCHEN):
            alike = data.get("stations", AISLE)
            stations = {name: about for *about, names in alike for name in names}
            setup = {"menu": [], "stock": {}, **data, "stations": stations}
            setup["workers"] = self._workers
            world = Restaurant(kitchen_of(setup))
        check_kitchen(world.kitchen)
        return world

    @property
    def _workers(self) -> Sequence[str]:
        """The workers that CALL names, or else those of STATE."""
        named: Sequence[str] = self.call.get("workers", ())
        return named or list(mapping(STATE, self.data.get(STATE, {})).get("workers", ()))

    @cached_property
    def call(self) -> Mapping[str, Any]:
        """The CALL block. Raises InputError."""
        return call_in(self.data)

    @property
    def recipes(self) -> dict[str, str]:
        """The RECIPES block; empty if there is none. Raises InputError."""
        recipes = validate_block(RECIPES, mapping(RECIPES, self.data.get(RECIPES, {})))
        return dict(recipes)

    @property
    def lines(self) -> dict[str, OrderLine]:
        """The open order lines of the ORDERS block. Raises InputError."""
        return {
            entry["line"]: OrderLine(entry["item"], entry.get("note", ""), entry.get("due"))
            for entry in validate_block(ORDERS, self.require(ORDERS))
        }

    @property
    def state(self) -> KitchenState:
        """The STATE block, with the open order lines of ORDERS. Raises InputError."""
        data = validate_block(STATE, mapping(STATE, self.require(STATE)))
        world = self.world
        with _convert_errors(STATE):
            state: KitchenState = world.load(
                {"contents": {}, "out": {}, "stock": {}, **data, "lines": self.lines}
            )
        check_state(world.kitchen, state)
        return state

    def observation(self) -> Observation[KitchenState]:
        """Return the observation that the blocks describe.

        Raises InputError, which names the invalid block.
        """
        call = self.call
        with _convert_errors(CALL):
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
def _convert_errors(name: str) -> Iterator[None]:
    """Convert any error in a block's data into an InputError of one line that names the block."""
    try:
        yield
    except NotationError as error:
        raise unexpected_error(name, str(error)) from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise unexpected_error(name, repr(error)) from None


def load_blocks(text: str) -> Blocks:
    """Return the blocks in a text.

    Raises InputError if a block is not JSON or has a lone surrogate.
    """
    return Blocks(parse_blocks(text))


def load_conversation(messages: Iterable[Mapping[str, Any]]) -> Blocks:
    """Return the blocks of a conversation in the format of the model's API.

    The messages of the model are ignored; recipes that the model looked up count as RECIPES.
    """
    messages = list(messages)
    return with_recipes(blocks_in(messages), collect_looked_up(messages, LOOK_UP))


def with_recipes(data: Mapping[str, Any], looked_up: Mapping[str, str]) -> Blocks:
    """Return the blocks of a conversation, with the looked-up recipes added to RECIPES."""
    read = Blocks(data)
    if not looked_up:
        return read
    return Blocks({**data, RECIPES: {**read.recipes, **looked_up}})
