"""Which actions a worker can take without a FAIL, as long as nobody else moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from kitchen.actions import Action, Discard, Navigate, Pick, Place, Serve, Start, Wait, Work
from kitchen.layout import KINDS, Kitchen, Station
from kitchen.simulator import lots, name_of, outcome_alone
from kitchen.state import KitchenState

WAIT = Wait()

WORK: Mapping[str, tuple[Action, ...]] = {
    kind.name: (Start(),) if kind.role == "appliance" else tuple(map(Work, kind.processes))
    for kind in KINDS.values()
}
"""What an empty hand might do at a kind of station beside picking: all of it or nothing."""


def legal_actions(kitchen: Kitchen, state: KitchenState, worker: str) -> list[Action]:
    """Return all legal actions of a worker, waiting first, in an order that is always the same."""
    if worker in state.out:
        return [WAIT]
    index = kitchen.workers.index(worker)
    place = state.workers[index]
    station = kitchen.stations[place.station]
    legal: list[Action] = [WAIT, *_ways(kitchen, state, station)]
    if place.holding is None:
        legal += _picks(kitchen, state, station)
        work = WORK[station.kind.name]
        if (
            work
            and station.name in state.contents
            and outcome_alone(kitchen, state, index, work[0]).done
        ):
            legal += work
    else:
        away = _put_away(state, station)
        legal += [a for a in away if outcome_alone(kitchen, state, index, a).done]
    return legal


def _ways(kitchen: Kitchen, state: KitchenState, station: Station) -> Iterable[Action]:
    """Return the ways from a station to where there is room."""
    ways = dict(_navigations(kitchen.names))
    occupants = [place.station for place in state.workers]
    for name in occupants:
        room = kitchen.stations[name].room
        if room is not None and name != station.name and occupants.count(name) >= room:
            ways.pop(name, None)
    return ways.values()


def _picks(kitchen: Kitchen, state: KitchenState, station: Station) -> Iterable[Action]:
    """Return what an empty hand can take at a station."""
    if station.kind.role == "dispenser":
        if station.name in state.out:
            return ()
        foods = kitchen.dispenses(station.kind.name)
        if state.stock:
            foods = tuple(food for food in foods if state.stock.get(food) != 0)
        return _pick_each(foods)
    contents = state.contents.get(station.name, ())
    return [
        _pick(None if station.kind.vessel else name_of(thing), slots[0])
        for slots, thing in lots(state, station, contents)
    ]


def _put_away(state: KitchenState, station: Station) -> Iterable[Action]:
    """Return what a full hand might do at a station."""
    match station.kind.role:
        case "pass":
            return [Serve(line) for line in state.open_lines()]
        case "bin":
            return [Discard()]
        case _:
            return [Place()]


@lru_cache(maxsize=64)
def _navigations(stations: tuple[str, ...]) -> Mapping[str, Navigate]:
    return {station: Navigate(station) for station in stations}


@lru_cache(maxsize=256)
def _pick_each(foods: tuple[str, ...]) -> tuple[Pick, ...]:
    return tuple(map(Pick, foods))


@lru_cache(maxsize=1024)
def _pick(food: str | None, slot: int) -> Pick:
    return Pick(food, slot)
