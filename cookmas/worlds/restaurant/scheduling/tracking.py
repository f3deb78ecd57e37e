"""Tracking: the way of each food through the kitchen while a schedule is carried out.

| constraint | method |
|---|---|
| what is in a tool or vessel leaves it together | `_Foods.pick`, `_Foods.join` |
| a food is placed in the lowest free slot | `_Foods.place` |
| the schedule may be impossible by now | `track` does not ask the simulator |
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cookmas.kitchen.actions import Action, Discard, Navigate, Pick, Place, Serve, Work
from cookmas.kitchen.layout import PLATE_NAME, Kitchen, Station
from cookmas.kitchen.state import KitchenState

BEFORE = -1
"""The time of everything that happened before the schedule."""


class Put(NamedTuple):
    """A product that is put into a station, or served, and the timestep at which this happens."""

    time: int
    product: Product


@dataclass(frozen=True, slots=True)
class Product:
    """A thing that a worker takes into its hand at the timestep `time`.

    `station` is where it was, of the kind `kind`, and `puts` is all that was put in there for it. A
    product without puts is fetched, or was there at first. Then `name` is its ingredient, or the
    station or worker that had it, and `slot` its slot if the foods of this station are apart.
    """

    time: int
    name: str = ""
    slot: int = 0
    kind: str = ""
    station: str = ""
    puts: tuple[Put, ...] = ()

    def find_origins(self) -> Iterator[str]:
        """Yield the stations and workers that had at first what the product is made of."""
        if not self.puts and self.time == BEFORE:
            yield self.name
        for put in self.puts:
            yield from put.product.find_origins()


@dataclass(slots=True)
class Tracked:
    """The products of a schedule.

    `served` has those that are served, by line. `put_by` are those that are put on a counter,
    `discarded` those that are thrown away.
    """

    served: dict[str, Put] = field(default_factory=dict)
    put_by: list[Product] = field(default_factory=list)
    discarded: list[Product] = field(default_factory=list)


def track(kitchen: Kitchen, state: KitchenState, rows: Sequence[Sequence[Action]]) -> Tracked:
    """Return the products of a schedule from a state on, as if no action FAILs.

    `rows` has for each timestep the action of each worker.
    """
    tracked = Tracked()
    foods = _Foods(kitchen, state)
    places = [worker.station for worker in state.workers]
    for time, row in enumerate(rows):
        for worker, action in enumerate(row):
            station = kitchen.stations[places[worker]]
            match action:
                case Navigate():
                    places[worker] = action.station
                case Pick():
                    foods.pick(worker, station, action, time)
                case Work():
                    foods.join(station)
                case Place() | Serve() | Discard() if product := foods.hands.pop(worker, None):
                    if isinstance(action, Serve):
                        tracked.served[action.line] = Put(time, product)
                    elif isinstance(action, Discard):
                        tracked.discarded.append(product)
                    else:
                        foods.place(product, station, time)
                        if station.kind.role == "counter":
                            tracked.put_by.append(product)
    return tracked


class _Foods:
    """The products in hands, and what was put into each slot of each station."""

    def __init__(self, kitchen: Kitchen, state: KitchenState) -> None:
        self.hands = {
            worker: Product(BEFORE, kitchen.workers[worker])
            for worker, place in enumerate(state.workers)
            if place.holding is not None
        }
        self._lying: defaultdict[str, dict[int, tuple[Put, ...]]] = defaultdict(dict)
        for name, contents in state.contents.items():
            apart = keeps_apart(kitchen.stations[name])
            for content in contents:
                there = Product(BEFORE, name, content.slot if apart else 0)
                self._lying[name][content.slot] = (Put(BEFORE, there),)

    def pick(self, worker: int, station: Station, action: Pick, time: int) -> None:
        """Let a worker fetch an ingredient, or take out what lies in a slot or cooks together."""
        slots = self._lying[station.name]
        if station.kind.role == "dispenser":
            self.hands[worker] = Product(time, action.food or PLATE_NAME)
        elif slots:
            first = action.slot if action.slot in slots else min(slots)
            out = sorted(slots) if station.kind.vessel else [first]
            puts = tuple(put for slot in out for put in slots.pop(slot))
            self.hands[worker] = Product(
                time, kind=station.kind.name, station=station.name, puts=puts
            )

    def join(self, station: Station) -> None:
        """Join all that lies in a station."""
        slots = self._lying[station.name]
        if slots:
            self._lying[station.name] = {1: tuple(put for n in sorted(slots) for put in slots[n])}

    def place(self, product: Product, station: Station, time: int) -> None:
        """Put a product into the lowest free slot of a station."""
        slots = self._lying[station.name]
        free = next(slot for slot in range(1, len(slots) + 2) if slot not in slots)
        slots[free] = (Put(time, product),)


def keeps_apart(station: Station) -> bool:
    """Return whether the foods in the slots of a station stay apart from each other."""
    return station.kind.role in ("appliance", "counter") and not station.kind.vessel
