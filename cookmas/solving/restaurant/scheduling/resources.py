"""Resources: workers, room to stand and slots, and the timesteps at which they are taken.

All resources have their levels in one list (see `profile`). To book a unit is to mark it as taken
at some timesteps. A gathering stage keeps its station until its foods are taken out.

| constraint | method |
|---|---|
| a worker does one thing at a timestep | the first levels; a mode books its blocks there |
| a station has room for some workers | levels of room to stand; each visit books them |
| a slot holds one food, or one stage | levels of slots; a stay books one |
| a tool is free when all that lies in it is gone | `lying_levels`: a level for each thing |
| foods that are gathered keep their station | a slot is taken for ever, given back when emptied |
| a stage may use a station before another stage | `_squeeze`, with `fills_gaps` |
| a station out of service cannot be used | no levels; if its whole kind is out, taken for `PAUSE` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.kitchen.layout import Kitchen, Station
from cookmas.kitchen.stages import Lying
from cookmas.kitchen.state import Content, KitchenState
from cookmas.solving.restaurant.scheduling.mode import Mode, Room
from cookmas.solving.restaurant.scheduling.profile import (
    Layers,
    book,
    gap_from,
    give_back,
    span,
    take,
)
from cookmas.solving.restaurant.scheduling.tasks import Spot, Tasks, duration

Levels = list[int]

PAUSE = 3
"""Timesteps after which a station out of service is assumed to be back; also the length of a
schedule that only waits. After a longer pause less of the other work is planned at a time; after a
shorter one the planner is called more often.
"""


class KeptStation(NamedTuple):
    """The station that a gathering stage keeps: its name, the first timestep, and the end if any.

    The stage keeps the station for ever if `until` is None. Otherwise another stage has it from
    `until` on.
    """

    station: str
    since: int
    until: int | None = None


class Resources:
    """The levels of all resources: workers, room to stand, and slots.

    The first levels are those of the workers in service. By station, `stand_levels` has the indices
    of the first and the last level of its room to stand, if that is limited, `slot_levels` those of
    its slots, and `lying_levels` those of what lies in it now, slots first. If no station of a kind
    is in service, its stations are `missing`: the search assumes that they are back after PAUSE.
    With `fills_gaps` a gathering stage may begin at a station that another stage takes later.
    """

    def __init__(self, kitchen: Kitchen, state: KitchenState, tasks: Tasks) -> None:
        self.fills_gaps = False
        self.tasks = tasks
        self.stages = tasks.stages
        self.workers = sum(worker not in state.out for worker in kitchen.workers)
        self.by_kind: dict[str, list[str]] = {}
        self.kind: dict[str, str] = {}
        self.stand_levels: dict[str, tuple[int, int]] = {}
        self.slot_levels: dict[str, tuple[int, int]] = {}
        self.lying_levels: dict[str, tuple[int, int]] = {}
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
                self.stand_levels[station.name] = (size, size + room - 1)
                size += room
            units = _units(station)
            if units:
                self.slot_levels[station.name] = (size, size + units - 1)
                contents = state.contents.get(station.name, ())
                if units == 1 and len(contents) > 1:
                    units = _count_lying(station, contents, tasks)
                self.lying_levels[station.name] = (size, size + units - 1)
                size += units
        self.levels: Levels = [0] * size
        for name in self.missing:
            base, top = self.stand_levels.get(name, (0, -1))
            self.levels[base : top + 1] = [span(0, PAUSE)] * (top + 1 - base)
        for counter in tasks.work.junk.values():
            if counter is not None:
                take(self.levels, *self.slot_levels[counter], -1)
        for name, contents in state.contents.items():
            base, top = self.lying_levels[name]
            for _ in contents[: top - base + 1]:
                take(self.levels, base, top, -1)

    def free_from(self, levels: Levels, t: int) -> int:
        """Return the first timestep from `t` on at which a worker is free."""
        busy = levels[self.workers - 1] >> t
        return t + (~busy & (busy + 1)).bit_length() - 1

    def count_busy_after(self, levels: Levels, t: int) -> int:
        """Return the timesteps from `t` on in which workers are busy, summed over the workers."""
        busy = 0
        for level in levels[: self.workers]:
            busy += (level >> t).bit_count()
        return busy

    def idle_stations(self, levels: Levels, kind: str) -> int:
        """Return the number of stations of a kind that are not taken for ever."""
        return sum([levels[self.slot_levels[name][1]] >= 0 for name in self.by_kind.get(kind, ())])

    def may_keep(self, levels: Levels, stage: int) -> bool:
        """Return whether some station of a stage's kind is not kept for ever by another stage."""
        for name in self.by_kind.get(self.stages[stage].kind, ()):
            if levels[self.slot_levels[name][1]] >= 0:
                return True
        return False

    def least_stay(self, stage: int) -> int:
        """Return the timesteps for which a gathering stage has a station at least."""
        return 2 * len(self.stages[stage].inputs) + duration(self.stages[stage])

    def slots(self, kind: str) -> int:
        """Return the number of stages that the stations of a kind can hold at the same time."""
        spans = [self.slot_levels[name] for name in self.by_kind.get(kind, ())]
        return sum(top - base + 1 for base, top in spans)

    def is_stuck(self, levels: Levels, kind: str, t: int) -> bool:
        """Return whether all slots of a kind are taken at `t`."""
        return all((levels[self.slot_levels[n][1]] >> t) & 1 for n in self.by_kind.get(kind, ()))

    def place(
        self,
        levels: Levels,
        mode: Mode,
        t: int,
        open_at: Mapping[int, KeptStation],
        chosen: Sequence[str] = (),
        keep_until: int = 0,
    ) -> tuple[Levels, list[str], int | None] | None:
        """Return the levels after a mode is placed at `t`, the station of each of its rooms, and an
        end; None if the mode does not fit.

        If the mode begins a gathering stage, the stage keeps its station until the end (None: for
        ever). `open_at` has the stations that stages keep already. `chosen` prescribes the stations
        of the first rooms. A stage that begins at a station which another stage takes later must be
        able to keep it until `keep_until`.
        """
        if levels[self.workers - 1] >> t & mode.workers[0]:
            return None
        new = levels.copy()
        if not book(new, 0, self.workers - 1, mode.workers, t):
            return None
        for stage, when in mode.leaves:
            kept = open_at[stage]
            if kept.until is None:
                give_back(new, *self.lying_levels[kept.station], -1 << t + when)
            elif t + when > kept.until:
                return None
            else:
                new[self.slot_levels[kept.station][1]] &= ~span(t + when, kept.until)
        for name, _, when in mode.lifted:
            give_back(new, *self.lying_levels[name], -1 << t + when)
        stations: list[str] = []
        until: int | None = None
        for room in mode.rooms:
            spot, visits, stay, puts = room
            known = open_at.get(spot.stage)
            stay <<= t
            if known is None:
                if puts:
                    stay = -1 << t + min(puts)
            else:
                for put in puts:
                    if known.until is not None and t + put >= known.until:
                        return None
                    if t + put < known.since:
                        stay = span(t + put, known.since)
            options = self.find_stations(spot, known)
            if chosen and len(stations) < len(chosen):
                must = chosen[len(stations)]
                options = (must,) if must in options else ()
            for name in options:
                if self._enter(new, name, visits, stay, t):
                    stations.append(name)
                    break
            else:
                if stay >= 0 or not self.fills_gaps:
                    return None
                squeezed = self._squeeze(new, options, room, t, keep_until)
                if squeezed is None:
                    return None
                name, until = squeezed
                stations.append(name)
        return new, stations, until

    def keep_on(self, levels: Levels, station: str, t: int) -> tuple[bool, int | None]:
        """Let a stage keep a station from `t` on. Return whether it can, and until when (None: for
        ever).

        At a station with several slots, a stage can keep a slot only for ever.
        """
        base, top = self.slot_levels[station]
        if levels[top] >> t & 1:
            return False, None
        until = gap_from(levels[top], t)
        if until is None:
            take(levels, base, top, -1 << t)
        elif base == top:
            levels[top] |= span(t, until)
        else:
            return False, None
        return True, until

    def find_stations(self, spot: Spot, known: KeptStation | None = None) -> Sequence[str]:
        """Return the stations that a spot can stand for; `known` is the station that the spot's
        stage keeps already, if any.
        """
        if spot.station:
            return (spot.station,)
        if known is not None:
            return (known.station,)
        kind = self.stages[spot.stage].kind if spot.stage >= 0 else spot.kind
        return self.by_kind.get(kind, ())

    def _squeeze(
        self, levels: Levels, options: Sequence[str], room: Room, t: int, keep_until: int
    ) -> tuple[str, int] | None:
        """Begin a stage at a station that another stage takes later, at `keep_until` or after.

        Return the station and the timestep at which it is taken; None if no station is free for
        long enough.
        """
        begin, stay = t + min(room.puts), self.least_stay(room.spot.stage)
        for name in options:
            base, top = self.slot_levels[name]
            if base == top and not levels[top] >> begin & 1:
                until = gap_from(levels[top], begin)
                if until is None or until < max(begin + stay, keep_until):
                    continue
                if self._enter(levels, name, room.visits, span(begin, until), t):
                    return name, until
        return None

    def _enter(self, levels: Levels, name: str, visits: Layers, stay: int, t: int) -> bool:
        """Book the visits and the slot of a room at a station.

        Return False if the station has too little room to stand, or no free slot.
        """
        if stay:
            base, top = self.slot_levels[name]
            if levels[top] & stay:
                return False
        stand = self.stand_levels.get(name)
        if stand and not book(levels, stand[0], stand[1], visits, t):
            return False
        if stay:
            take(levels, base, top, stay)
        return True


def _count_lying(station: Station, contents: Sequence[Content], tasks: Tasks) -> int:
    """Return the number of units that the things in a tool or vessel take.

    Things that are taken out one after the other take one each, all others together one.
    """
    clears = [clear for clear in tasks.work.clears if clear.station == station.name]
    cooking = all(content.since is not None for content in contents)
    if (station.kind.vessel and cooking) or any(clear.process for clear in clears):
        return 1
    sources = [entry.source for stage in tasks.stages for entry in stage.inputs]
    sources += [delivery.source for delivery in tasks.deliveries]
    apart = sum(isinstance(source, Lying) and source.station == station.name for source in sources)
    apart += sum(clear.stage is None for clear in clears)
    return apart + (apart < len(contents))


def _units(station: Station) -> int:
    """Return the number of stages that a station can hold at the same time."""
    if station.kind.role == "tool" or station.kind.vessel:
        return 1
    return station.slots if station.kind.role in ("appliance", "counter") else 0
