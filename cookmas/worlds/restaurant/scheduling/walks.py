"""Walks that the bounds count, although a worker that stands at the right place saves them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cookmas.kitchen.components import Component
from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState
from cookmas.worlds.restaurant.scheduling.claims import kinds_for, may_use_at

Wanted = Mapping[str, Sequence[Component]]


def count_spared_walks(kitchen: Kitchen, state: KitchenState, wanted: Wanted) -> int:
    """Return the number of workers that may save the walk to their first action.

    A worker that holds a thing may place or serve it where it stands. A worker with an empty hand
    may pick or work on a thing there. Starting an appliance saves no walk: the worker must walk
    back later, or wait.
    """
    return sum(
        _may_be_spared(kitchen, state, wanted, worker)
        for worker, name in enumerate(kitchen.workers)
        if name not in state.out
    )


def _may_be_spared(kitchen: Kitchen, state: KitchenState, wanted: Wanted, worker: int) -> bool:
    place = state.workers[worker]
    station = kitchen.stations[place.station]
    if place.holding is not None:
        return station.kind.name in kinds_for(kitchen, state, wanted, worker)
    if station.room != 1:
        return station.kind.role not in ("pass", "bin", "aisle")
    contents = state.contents.get(station.name, ())
    if station.kind.role == "tool" or any(content.since is not None for content in contents):
        return bool(contents)
    return bool(contents) and not may_use_at(kitchen, state, wanted, station.name)
