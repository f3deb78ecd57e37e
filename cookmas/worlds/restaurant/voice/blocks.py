"""The restaurant's blocks of a prompt, written and read back: kitchen, state, orders and recipes.

A block is data in JSON under a name in capitals, such as KITCHEN. A user may have edited or
invented the blocks that are read back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, Field, StrictStr, TypeAdapter

from cookmas.episodes.base import World
from cookmas.episodes.codec import from_plain, to_plain
from cookmas.files.errors import NotationError
from cookmas.kitchen.foods import Food
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import FOREVER, KitchenState, OrderLine
from cookmas.kitchen.world import Restaurant, kitchen_of
from cookmas.orchestrator.dialogue.blocks import (
    CALL,
    Name,
    block,
    call_data,
    call_in,
    mapping,
    require_block,
    unexpected_error,
    validate,
)
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


_EMPTY: Mapping[str, Any] = {"contents": {}, "out": {}, "stock": {}}
"""The parts of the state that are left out if they are empty."""


def state_data(world: Restaurant, state: KitchenState) -> dict[str, Any]:
    """Return the STATE block: the state as plain data, without order lines and empty parts."""
    dump = world.dump(state)
    del dump["lines"]
    return {name: data for name, data in dump.items() if data or name not in _EMPTY}


def read_state_data(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain data of a state without order lines from the STATE block."""
    return {**_EMPTY, **told, "lines": {}}


class OrderEntry(NamedTuple):
    """An open order line in the block ORDERS."""

    line: str
    item: str
    note: str = ""
    due: int | None = None


def orders_data(state: KitchenState) -> list[dict[str, Any]]:
    """Return the ORDERS block: the open order lines."""
    return [
        to_plain(OrderEntry(name, line.item, line.note, line.due))
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


_Number = Annotated[int, Field(strict=True, ge=0, le=FOREVER)]
_Few = Annotated[int, Field(strict=True, ge=0, le=999)]
_Alike = tuple[StrictStr, _Few, Annotated[_Few, Field(ge=1)] | None, list[Name]]


class _Kitchen(BaseModel):
    name: StrictStr
    stations: list[_Alike] = []
    larder: dict[Literal["pantry", "fridge"], list[Name]]
    doneness: list[tuple[Name, Name, dict[Name, tuple[_Number, _Number]], _Number]]
    stock: dict[Name, _Number] = {}


_KITCHEN: TypeAdapter[Any] = TypeAdapter(_Kitchen)
_RECIPES: TypeAdapter[Any] = TypeAdapter(dict[str, StrictStr])

_AISLE = (("aisle", 0, None, ("aisle",)),)
"""The stations that a kitchen gets if its block lists none, as in a prompt for a reading."""


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
        data = validate(KITCHEN, mapping(KITCHEN, self.require(KITCHEN)), _KITCHEN)
        with _convert_errors(KITCHEN):
            alike = data.get("stations", _AISLE)
            stations = {name: about for *about, names in alike for name in names}
            setup = {"menu": [], "stock": {}, **data, "stations": stations}
            setup["workers"] = self._workers
            world = Restaurant(kitchen_of(setup))
        _check_kitchen(world.kitchen)
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
        recipes = validate(RECIPES, mapping(RECIPES, self.data.get(RECIPES, {})), _RECIPES)
        return dict(recipes)

    @property
    def lines(self) -> dict[str, OrderLine]:
        """The open order lines of the ORDERS block. Raises InputError."""
        orders = self.require(ORDERS)
        if not isinstance(orders, list):
            raise unexpected_error(ORDERS, "it should be a list")
        with _convert_errors(ORDERS):
            entries = [from_plain(OrderEntry, each) for each in orders]
        if not all(each.line and each.item for each in entries):
            raise unexpected_error(ORDERS, "a line or its item has no name")
        _check_numbers(ORDERS, [each.due for each in entries])
        return {each.line: OrderLine(each.item, each.note, each.due) for each in entries}

    @property
    def state(self) -> KitchenState:
        """The STATE block, with the open order lines of ORDERS. Raises InputError."""
        data = mapping(STATE, self.require(STATE))
        world = self.world
        with _convert_errors(STATE):
            read: KitchenState = world.load(read_state_data(data))
        _check_state(world.kitchen, read)
        return read._replace(lines=self.lines)


@contextmanager
def _convert_errors(name: str) -> Iterator[None]:
    """Convert any error in a block's data into an InputError of one line that names the block."""
    try:
        yield
    except (NotationError, ValueError) as error:
        raise unexpected_error(name, str(error)) from None
    except (KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise unexpected_error(name, repr(error)) from None


def with_recipes(data: Mapping[str, Any], looked_up: Mapping[str, str]) -> Blocks:
    """Return the blocks of a conversation, with the looked-up recipes added to RECIPES."""
    read = Blocks(data)
    if not looked_up:
        return read
    return Blocks({**data, RECIPES: {**read.recipes, **looked_up}})


def _check_kitchen(kitchen: Kitchen) -> None:
    """Raise InputError if the kitchen has no workers, no aisle, no food, or impossible slots."""
    if not kitchen.workers:
        raise unexpected_error(CALL, "there are no workers")
    if not kitchen.of_kind("aisle"):
        raise unexpected_error(KITCHEN, "there is no aisle")
    if not kitchen.larder:
        raise unexpected_error(KITCHEN, "there is no food in the larder")
    for station in kitchen.stations.values():
        if (station.kind.role in ("counter", "tool", "appliance")) != (station.slots > 0):
            raise unexpected_error(KITCHEN, f"{station.name} has {station.slots} slots")


def _check_state(kitchen: Kitchen, state: KitchenState) -> None:
    """Raise InputError if a worker or a thing is at a place where it cannot be."""
    started = (content.since for lying in state.contents.values() for content in lying)
    outages = (timestep for outage in state.out.values() for timestep in outage)
    _check_numbers(STATE, [state.timestep, *state.stock.values(), *started, *outages])
    for worker, place in zip(kitchen.workers, state.workers, strict=True):
        if place.station not in kitchen.stations:
            raise unexpected_error(STATE, f"{worker} is at {place.station}, which is not there")
    for name, contents in state.contents.items():
        station = kitchen.stations.get(name)
        slots = {content.slot for content in contents}
        if (
            not station
            or not slots
            or len(slots) < len(contents)
            or not slots <= {*range(1, station.slots + 1)}
        ):
            raise unexpected_error(STATE, f"{name} has no such slots")
        for content in contents:
            cooking = station.kind.role == "appliance"
            if cooking and not isinstance(content.thing, Food):
                raise unexpected_error(STATE, f"{content.thing} is in {name}")
            if content.since is not None and (
                not cooking or state.minutes_cooked(name, content) < 0
            ):
                raise unexpected_error(STATE, f"{content.thing} cannot have been started in {name}")


def _check_numbers(name: str, numbers: Iterable[int | None]) -> None:
    """Raise InputError if a number in a block is too large, or below 0."""
    for number in numbers:
        if number is not None and not 0 <= number <= FOREVER:
            raise unexpected_error(name, f"{number} is not between 0 and {FOREVER}")
