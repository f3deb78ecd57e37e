"""Validation of the blocks that are read back from a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StrictStr, TypeAdapter

from cookmas.kitchen.foods import Food
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import FOREVER, KitchenState
from cookmas.orchestrator.dialogue.blocks import CALL, Name, unexpected_error, validate
from cookmas.worlds.restaurant.prompts.blocks import KITCHEN, ORDERS, RECIPES, STATE

_Number = Annotated[int, Field(strict=True, ge=0, le=FOREVER)]
_Few = Annotated[int, Field(strict=True, ge=0, le=999)]


_Alike = tuple[StrictStr, _Few, Annotated[_Few, Field(ge=1)] | None, list[Name]]


class _Kitchen(BaseModel):
    name: StrictStr
    stations: list[_Alike] = []
    larder: dict[Literal["pantry", "fridge"], list[Name]]
    doneness: list[tuple[Name, Name, dict[Name, tuple[_Number, _Number]], _Number]]
    stock: dict[Name, _Number] = {}


class _State(BaseModel):
    timestep: _Number
    workers: dict[Name, tuple[Name, StrictStr | None]]
    contents: dict[
        Name,
        Annotated[list[tuple[_Number, StrictStr, _Number | None]], Field(min_length=1)],
    ] = {}
    out: dict[Name, tuple[_Number, _Number]] = {}
    stock: dict[Name, _Number] = {}


class _Line(BaseModel):
    line: Name
    item: Name
    note: StrictStr = ""
    due: _Number | None = None


_FORMS: Mapping[str, TypeAdapter[Any]] = {
    KITCHEN: TypeAdapter(_Kitchen),
    STATE: TypeAdapter(_State),
    ORDERS: TypeAdapter(list[_Line]),
    RECIPES: TypeAdapter(dict[str, StrictStr]),
}


def validate_block(name: str, data: Any) -> Any:
    """Return the data of a block. Raises InputError, which names the first invalid field."""
    return validate(name, data, _FORMS[name])


def check_kitchen(kitchen: Kitchen) -> None:
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


def check_state(kitchen: Kitchen, state: KitchenState) -> None:
    """Raise InputError if a worker or a thing is at a place where it cannot be."""
    for worker, place in zip(kitchen.workers, state.workers, strict=True):
        if place.station not in kitchen.stations:
            raise unexpected_error(STATE, f"{worker} is at {place.station}, which is not there")
    for name, contents in state.contents.items():
        station = kitchen.stations.get(name)
        slots = {content.slot for content in contents}
        if not station or len(slots) < len(contents) or not slots <= {*range(1, station.slots + 1)}:
            raise unexpected_error(STATE, f"{name} has no such slots")
        for content in contents:
            cooking = station.kind.role == "appliance"
            if cooking and not isinstance(content.thing, Food):
                raise unexpected_error(STATE, f"{content.thing} is in {name}")
            if content.since is not None and (
                not cooking or state.minutes_cooked(name, content) < 0
            ):
                raise unexpected_error(STATE, f"{content.thing} cannot have been started in {name}")
