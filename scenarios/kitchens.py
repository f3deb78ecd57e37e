"""Kitchens, built from their files, also for an episode that is under way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from pydantic import Field

from cookmas.files.errors import InputError, MissingError
from cookmas.files.naming import is_yaml, suggest_name
from cookmas.files.reading import FileModel, Name, read_model, until_changed
from cookmas.kitchen.layout import KINDS, Kitchen, Station
from cookmas.kitchen.state import KitchenState
from cookmas.kitchen.world import Restaurant, misfit
from cookmas.scenarios.menu import Menu

SHIPPED_KITCHENS = Path(__file__).parent / "kitchens"
"""The folder of the kitchens that come with CookMAS."""


class StationEntry(FileModel):
    """The stations of one kind in a kitchen file."""

    count: Annotated[int, Field(ge=1, le=99)]
    """The number of stations."""
    slots: Annotated[int, Field(ge=1, le=99)] | None = None
    """The number of slots of each station; None for a kind that holds nothing."""
    workers: Annotated[int, Field(ge=1, le=99)] | None = None
    """The number of workers that can stand at each station; None: the usual number for the kind."""


class KitchenFile(FileModel):
    """The content of a kitchen file."""

    name: Name
    """Name of the kitchen."""
    stations: dict[str, StationEntry]
    """The stations of the kitchen, by kind."""


def kitchen_path(name: str, beside: Path | None = None) -> Path:
    """Return the file of a kitchen, given the name of a shipped one or the path of a file.

    A relative path starts from the folder `beside`, or from the present folder if that is None.
    Raises MissingError if there is no shipped kitchen of this name.
    """
    if is_yaml(name):
        return (beside or Path()) / name
    path = SHIPPED_KITCHENS / f"{name}.yaml"
    if not path.exists():
        known = sorted(p.stem for p in SHIPPED_KITCHENS.glob("*.yaml"))
        expected = f"expected one of {', '.join(known)}, or a file{suggest_name(name, known)}"
        raise MissingError(f"there is no kitchen {name!r}; {expected}")
    return path


@until_changed
def load_stations(path: Path) -> tuple[str, Mapping[str, Station]]:
    """Load a kitchen file; return the name of the kitchen, and its stations by name.

    Raises MissingError or InputError.
    """
    file = read_model(KitchenFile, path)
    stations: dict[str, Station] = {}
    for kind_name, entry in file.stations.items():
        kind = KINDS.get(kind_name)
        if kind is None:
            known = ", ".join(KINDS)
            raise InputError(str(path), f"stations.{kind_name}: no such kind; expected {known}")
        holds = kind.role in ("counter", "tool", "appliance")
        if holds != (entry.slots is not None):
            wanted = "a number of slots" if holds else "no slots"
            raise InputError(str(path), f"stations.{kind_name}: expected {wanted}")
        if kind_name == "board" and entry.slots != 1:
            raise InputError(str(path), "stations.board.slots: expected 1, a board holds one food")
        numbered = holds or entry.count > 1
        for number in range(1, entry.count + 1):
            name = f"{kind_name}_{number}" if numbered else kind_name
            room = entry.workers or (1 if kind.exclusive else None)
            stations[name] = Station(name=name, kind=kind, slots=entry.slots or 0, room=room)
    missing = [kind for kind in KINDS if kind not in file.stations and kind != "counter"]
    if missing:
        raise InputError(str(path), f"stations: expected at least one {missing[0]}")
    return file.name, stations


def build_kitchen(
    path: Path, menu: Menu, workers: int = 3, stock: Mapping[str, int] | None = None
) -> Kitchen:
    """Build the kitchen that a file describes, with the menu's ingredients and some workers.

    `workers` is their number. `stock` has the number of portions of each limited ingredient. Raises
    MissingError or InputError.
    """
    name, stations = load_stations(path)
    return Kitchen(
        name=name,
        stations=stations,
        larder=menu.larder,
        menu=menu.items,
        doneness=menu.doneness,
        workers=tuple(f"worker_{number}" for number in range(1, workers + 1)),
        stock=dict(stock or {}),
    )


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
