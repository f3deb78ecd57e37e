"""Walks that the bounds count and that a worker may be spared where it stands."""

from __future__ import annotations

from collections.abc import Collection

from kitchen.foods import Dish, Food, Plate
from kitchen.layout import Kitchen
from kitchen.simulator import name_of
from kitchen.stages import Fetch, Held, Here, Input, Workload
from kitchen.state import KitchenState, WorkerState


def spared_walks(kitchen: Kitchen, state: KitchenState, works: Collection[Workload]) -> int:
    """Return how many workers may do something for one of `works` without walking first.

    Whoever holds something can put it in where such a thing goes, or serve it. Whoever holds
    nothing can pick something, or work on what is there.
    """
    return sum(
        _may_act(kitchen, state, place, works)
        for worker, place in zip(kitchen.workers, state.workers, strict=True)
        if worker not in state.out
    )


def _may_act(
    kitchen: Kitchen, state: KitchenState, place: WorkerState, works: Collection[Workload]
) -> bool:
    station = kitchen.stations[place.station]
    if place.holding is None:
        if station.kind.role in ("tool", "appliance", "counter") and station.room == 1:
            return place.station in state.contents
        return station.kind.role not in ("pass", "bin", "aisle")
    if isinstance(place.holding, Dish):
        return station.kind.name == "pass"
    return any(
        _takes(entry, place.holding)
        for work in works
        for stage in work.stages
        if stage.kind == station.kind.name
        for entry in stage.inputs
    )


def _takes(entry: Input, held: Food | Plate) -> bool:
    """Whether something held may be put in for an input."""
    source = entry.source
    raw = isinstance(held, Plate) or not (held.parts or held.steps)
    if isinstance(source, Fetch):
        return raw and source.name == name_of(held)
    return isinstance(source, Held) or (not raw and not isinstance(source, Here))
