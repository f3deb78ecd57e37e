"""The situation in which a workload begins, with the workers and stations in service."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from cookmas.kitchen.layout import KINDS, Kitchen


class WorkloadStart(NamedTuple):
    """The situation in which a workload begins; timesteps count from `now`.

    `places` is where each worker in service stands, `kinds` the kind of that station, `empty`
    whether the worker's hand is empty. `slots` counts the slots in service of each kind of station;
    a tool or a vessel counts as one. `shared` are the kinds of appliance in which several foods
    cook at the same time, each by itself. `roomy` are the kinds of station where more than one
    worker can stand.
    """

    now: int
    places: tuple[str, ...]
    kinds: tuple[str, ...]
    empty: tuple[bool, ...]
    slots: Mapping[str, int]
    shared: frozenset[str]
    roomy: frozenset[str]

    @property
    def dispensing(self) -> bool:
        """True if a worker stands at a dispenser: instead of walking to an ingredient that lies
        elsewhere, it may fetch another one.
        """
        return any(KINDS[kind].role == "dispenser" for kind in self.kinds)

    def gap(self, kind: str) -> int:
        """Return the least number of timesteps between two visits of a station of a kind."""
        return 0 if kind in self.roomy else 2


def cold(kitchen: Kitchen) -> WorkloadStart:
    """Return the situation at the start of an episode."""
    workers = len(kitchen.workers)
    return situation(kitchen, 0, (kitchen.aisle,) * workers, (True,) * workers, ())


def situation(
    kitchen: Kitchen,
    now: int,
    places: tuple[str, ...],
    empty: tuple[bool, ...],
    out: Collection[str],
) -> WorkloadStart:
    """Return the situation of a kitchen with the stations `out` out of service."""
    slots: dict[str, int] = {}
    shared: set[str] = set()
    roomy: set[str] = set()
    for station in kitchen.stations.values():
        kind = station.kind.name
        if station.name not in out:
            one = station.kind.role == "tool" or station.kind.vessel
            slots[kind] = slots.get(kind, 0) + (1 if one else station.slots)
        if station.slots > 1 and station.kind.role == "appliance" and not station.kind.vessel:
            shared.add(kind)
        if station.room != 1:
            roomy.add(kind)
    kinds = tuple(kitchen.stations[place].kind.name for place in places)
    return WorkloadStart(now, places, kinds, empty, slots, frozenset(shared), frozenset(roomy))
