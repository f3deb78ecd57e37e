"""Resources: workers, room to stand and slots, and at which timesteps they are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kitchen.layout import Kitchen, Station
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.mode import Mode, Spot, Visit
from worlds.restaurant.scheduling.modes import Modes
from worlds.restaurant.scheduling.profile import give_back, span, take

Levels = list[int]

PAUSE = 3
"""Timesteps after which is asked again whether what is out of service is back."""


class Resources:
    """Where the levels of each resource are: workers, room to stand, and slots.

    The first levels are those of the workers in service. Stations of a kind of which none is in
    service are `missing`: they are taken to be back after a while.
    """

    def __init__(self, kitchen: Kitchen, state: KitchenState, tasks: Modes) -> None:
        self.tasks = tasks
        self.stages = tasks.stages
        self.workers = sum(worker not in state.out for worker in kitchen.workers)
        self.by_kind: dict[str, list[str]] = {}
        self.kind: dict[str, str] = {}
        self._stand: dict[str, tuple[int, int]] = {}
        self._slots: dict[str, tuple[int, int]] = {}
        size = self.workers
        working = {s.kind.name for s in kitchen.stations.values() if s.name not in state.out}
        self.missing: set[str] = set()
        for station in kitchen.stations.values():
            self.kind[station.name] = station.kind.name
            if station.kind.name not in working:
                self.missing.add(station.name)
            if station.name not in state.out or station.name in self.missing:
                self.by_kind.setdefault(station.kind.name, []).append(station.name)
            if station.room is not None or station.name in self.missing:
                room = station.room or len(kitchen.workers)
                self._stand[station.name] = (size, size + room - 1)
                size += room
            units = _units(station)
            if units:
                self._slots[station.name] = (size, size + units - 1)
                size += units
        self.levels: Levels = [0] * size
        for name in self.missing:
            base, top = self._stand.get(name, (0, -1))
            self.levels[base : top + 1] = [span(0, PAUSE)] * (top + 1 - base)
        for name, contents in state.contents.items():
            base, top = self._slots[name]
            for _ in contents[: top - base + 1]:
                take(self.levels, base, top, -1)

    def free(self, levels: Levels, t: int) -> bool:
        """Whether somebody is free at `t`."""
        return self.workers > 0 and not (levels[self.workers - 1] >> t) & 1

    def idle_stations(self, levels: Levels, kind: str) -> int:
        """How many stations of a kind are not taken for ever."""
        return sum(levels[self._slots[name][1]] >= 0 for name in self.by_kind.get(kind, ()))

    def may_keep(self, levels: Levels, stage: int) -> bool:
        """Whether there is a station for a stage that nothing is kept in for ever."""
        return self.idle_stations(levels, self.stages[stage].kind) > 0

    def slots(self, kind: str) -> int:
        """How many stages the stations of a kind take at the same time."""
        spans = [self._slots[name] for name in self.by_kind.get(kind, ())]
        return sum(top - base + 1 for base, top in spans)

    def stuck(self, levels: Levels, kind: str, t: int) -> bool:
        """Whether all slots of a kind are taken at `t`."""
        return all((levels[self._slots[n][1]] >> t) & 1 for n in self.by_kind.get(kind, ()))

    def place(
        self,
        levels: Levels,
        mode: Mode,
        t: int,
        open_at: Mapping[int, tuple[str, int]],
        at: tuple[Spot, str] | None,
    ) -> tuple[Levels, dict[Spot, str]] | None:
        """Start a mode at `t`: the new levels and where its spots are; None if it does not fit.

        `at` says where one of its spots must be.
        """
        top = self.workers - 1
        busy = levels[top] >> t
        blocks = mode.spans()
        for block in blocks:
            if busy & block:
                return None
        new = levels.copy()
        for block in blocks:
            mask = block << t
            if new[top] & mask:
                return None
            take(new, 0, top, mask)
        spots: dict[Spot, str] = {}
        for stage, when in mode.leaves:
            base, high = self._slots[open_at[stage][0]]
            give_back(new, base, high, t + when)
        for name, _, when in mode.lifted:
            base, high = self._slots[name]
            give_back(new, base, high, t + when)
        stays = {stay.stage: span(t + stay.put, t + stay.pick) for stay in mode.stays}
        for arrival in mode.arrivals:
            put = max(t, t + arrival.put)
            if arrival.stage not in open_at:
                stays[arrival.stage] = stays.get(arrival.stage, 0) | -1 << put
            elif put < open_at[arrival.stage][1]:
                stays[arrival.stage] = span(put, open_at[arrival.stage][1])
        for spot, visits in mode.by_spot():
            for name in self._options(spot, open_at, at):
                if self._enter(new, name, visits, stays.get(spot.stage, 0), t):
                    spots[spot] = name
                    break
            else:
                return None
        return new, spots

    def _options(
        self, spot: Spot, open_at: Mapping[int, tuple[str, int]], at: tuple[Spot, str] | None
    ) -> Sequence[str]:
        if spot.station:
            usual: Sequence[str] = (spot.station,)
        elif spot.stage in open_at:
            usual = (open_at[spot.stage][0],)
        else:
            kind = self.stages[spot.stage].kind if spot.stage >= 0 else spot.kind
            usual = self.by_kind.get(kind, ())
        if at and at[0] == spot:
            return (at[1],) if at[1] in usual else ()
        return usual

    def _enter(self, levels: Levels, name: str, visits: Sequence[Visit], stay: int, t: int) -> bool:
        """Let workers visit a station, and something stay there, if there is room."""
        if stay:
            base, top = self._slots[name]
            if levels[top] & stay:
                return False
        stand = self._stand.get(name)
        if stand:
            low, high = stand
            before = levels[low : high + 1]
            for visit in visits:
                mask = span(t + visit.arrive, t + visit.leave)
                if levels[high] & mask:
                    levels[low : high + 1] = before
                    return False
                take(levels, low, high, mask)
        if stay:
            take(levels, base, top, stay)
        return True


def _units(station: Station) -> int:
    """How many stages a station takes at the same time."""
    if station.kind.role == "tool" or station.kind.vessel:
        return 1
    return station.slots if station.kind.role in ("appliance", "counter") else 0
