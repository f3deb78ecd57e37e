"""The legal actions: those that would not FAIL if no other worker moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from cookmas.kitchen.actions import Action, Discard, Navigate, Pick, Place, Serve, Start, Wait, Work
from cookmas.kitchen.foods import Dish, Thing
from cookmas.kitchen.layout import KINDS, Kitchen, Station
from cookmas.kitchen.simulator import can_start, can_work, lots, name_of, refusal_to_hold
from cookmas.kitchen.state import Content, KitchenState

WAIT, START, PLACE, DISCARD = Wait(), Start(), Place(), Discard()

WORK: Mapping[str, Sequence[Action]] = {
    kind.name: tuple(map(Work, kind.processes)) for kind in KINDS.values() if kind.role == "tool"
}
"""The actions of attended work at each kind of tool."""


def legal_actions(kitchen: Kitchen, state: KitchenState, worker: str) -> list[Action]:
    """Return all legal actions of a worker in a fixed order, `wait` first."""
    if worker in state.out:
        return [WAIT]
    index = kitchen.workers.index(worker)
    place = state.workers[index]
    station = kitchen.stations[place.station]
    contents = state.contents.get(station.name, ())
    legal: list[Action] = [WAIT, *_open_navigations(kitchen, state, station)]
    if place.holding is None:
        legal += _picks(kitchen, state, station, contents)
    if station.name in state.out:
        return legal
    if place.holding is None:
        legal += _actions_of_work(station, contents)
    else:
        legal += _actions_with(state, station, contents, place.holding)
    return legal


def _open_navigations(kitchen: Kitchen, state: KitchenState, station: Station) -> Iterable[Action]:
    """Return the navigations from a station to all stations that have room."""
    navigations = dict(_navigations(kitchen.names))
    occupants = [place.station for place in state.workers]
    for name in occupants:
        room = kitchen.stations[name].room
        if room is not None and name != station.name and occupants.count(name) >= room:
            navigations.pop(name, None)
    return navigations.values()


def _picks(
    kitchen: Kitchen, state: KitchenState, station: Station, contents: tuple[Content, ...]
) -> Iterable[Action]:
    """Return the picks that a worker with an empty hand can do at a station."""
    if station.kind.role == "dispenser":
        if station.name in state.out:
            return ()
        foods = kitchen.dispenses(station.kind.name)
        if state.stock:
            foods = tuple(food for food in foods if state.stock.get(food) != 0)
        return _pick_each(foods)
    return [
        _pick(None if station.kind.vessel else name_of(thing), slots[0])
        for slots, thing in lots(state, station, contents)
    ]


def _actions_of_work(station: Station, contents: tuple[Content, ...]) -> Iterable[Action]:
    """Return the work or start that a worker with an empty hand can do at a station."""
    match station.kind.role:
        case "tool" if can_work(contents, station.kind.processes[0]):
            return WORK[station.kind.name]
        case "appliance" if can_start(contents):
            return (START,)
        case _:
            return ()


def _actions_with(
    state: KitchenState, station: Station, contents: tuple[Content, ...], thing: Thing
) -> Iterable[Action]:
    """Return the actions that a worker can do at a station with the thing in its hand."""
    match station.kind.role:
        case "counter" | "tool" | "appliance":
            return () if refusal_to_hold(station, contents, thing) else (PLACE,)
        case "bin":
            return (DISCARD,)
        case "pass" if isinstance(thing, Dish):
            return [Serve(line) for line in state.open_lines()]
        case _:
            return ()


@lru_cache(maxsize=64)
def _navigations(stations: tuple[str, ...]) -> Mapping[str, Navigate]:
    return {station: Navigate(station) for station in stations}


@lru_cache(maxsize=256)
def _pick_each(foods: tuple[str, ...]) -> tuple[Pick, ...]:
    return tuple(map(Pick, foods))


@lru_cache(maxsize=1024)
def _pick(food: str | None, slot: int) -> Pick:
    return Pick(food, slot)
