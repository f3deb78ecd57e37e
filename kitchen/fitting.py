"""The check that a rebuilt kitchen has a place for everything in the state of the earlier one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cookmas.kitchen.layout import Kitchen
from cookmas.kitchen.state import KitchenState


def misfit(kitchen: Kitchen, state: KitchenState) -> str | None:
    """Return why a state of another kitchen cannot continue in this one; None if it can.

    Food keeps its slot and workers keep their stations; nothing is moved to make the state fit.
    """
    return next(_misfits(kitchen, state), None)


def _misfits(kitchen: Kitchen, state: KitchenState) -> Iterator[str]:
    stations = kitchen.stations
    if len(state.workers) != len(kitchen.workers):
        number = len(state.workers)
        yield f"the kitchen has {len(kitchen.workers)} workers, and the state has {number}"
    for name, contents in state.contents.items():
        for content in contents:
            if name not in stations:
                yield f"there is no {name}, which holds {content.thing}"
            elif content.slot > stations[name].slots:
                slots = stations[name].slots
                yield f"{name} has {slots} slots, and {content.thing} is in slot {content.slot}"
    occupants = Counter(worker.station for worker in state.workers)
    for worker, place in zip(kitchen.workers, state.workers, strict=False):
        if place.station not in stations:
            yield f"there is no {place.station}, at which {worker} stands"
    for name, number in occupants.items():
        room = stations[name].room if name in stations else None
        if room is not None and number > room:
            yield f"{name} has room for {room}, and {number} workers stand there"
    for name in state.out:
        if name not in stations and name not in kitchen.workers:
            yield f"there is no {name}, which is out of service"
