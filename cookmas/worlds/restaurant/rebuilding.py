"""Replacement of the stations in a running episode by those of another kitchen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cookmas.files.errors import InputError
from cookmas.kitchen.layout import Station
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant, misfit
from cookmas.scenarios.kitchens import kitchen_path, load_stations


def replace_stations(
    world: Restaurant, state: KitchenState, kitchen: str
) -> tuple[Restaurant, str]:
    """Return the restaurant with the stations of a kitchen, and the changes in words.

    `kitchen` is the name of a shipped kitchen or a file. Raises MissingError, or InputError if a
    worker or a thing in the state has no place in that kitchen.
    """
    name, stations = load_stations(kitchen_path(kitchen))
    other = replace(world.kitchen, name=name, stations=stations)
    if why := misfit(other, state):
        raise InputError(f"kitchen {name} at timestep {state.timestep}", why)
    changes = "; ".join(_changes(world.kitchen.stations, stations))
    return Restaurant(other), f"the kitchen is {name} now ({changes or 'nothing is otherwise'})"


def _changes(before: Mapping[str, Station], after: Mapping[str, Station]) -> Iterator[str]:
    removed = [name for name in before if name not in after]
    new = [name for name in after if name not in before]
    yield from (
        f"{word} {', '.join(names)}"
        for word, names in (("without", removed), ("with", new))
        if names
    )
    for name, station in after.items():
        if name in before and before[name].slots != station.slots:
            yield f"{name} has {station.slots} slots"
        if name in before and before[name].room != station.room:
            yield f"{name} has room for {station.room or 'any number of'} workers"
