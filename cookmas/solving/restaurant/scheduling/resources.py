"""Resources: workers, room to stand and slots, and the timesteps at which they are taken.

All resources have their levels in one list (see `profile`). To book a unit is to mark it as taken
at some timesteps. A gathering stage keeps its station until its foods are taken out.

| constraint | method |
|---|---|
| a worker does one thing at a timestep | the first levels; a mode books its blocks there |
| a station has room for some workers | levels of room to stand; each visit books them |
| a slot holds one food, or one stage | levels of slots; a stay books one |
| a tool is free when all things that lie in it are gone | `_lying`: a level for each of them |
| foods that are gathered keep their station | a slot is taken for ever, given back when emptied |
| a stage may use a station before another stage | `_squeeze`, with `fills_gaps` |
| most modes find no room, and are refused before anything is booked | `_is_blocked`, `Starts` |
| a station out of service cannot be used | no levels; if its whole kind is out, taken for `PAUSE` |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

Check = tuple[int, int, tuple[tuple[int, int], ...]]
"""What a room of a mode needs: the timesteps for which it takes a slot, those of its visits, and
for each possible station the indices of the top levels of its slots and of its room to stand.
"""

GatheringCheck = tuple[int, int, int, tuple[tuple[str, int], ...]]
"""What a room of a gathering stage needs: the stage, the timesteps of visits to its station, the
time of the first put, and the stations at which the stage may begin, each with the index of the top
level of its slots.
"""

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

    The first levels are those of the workers in service. If no station of a kind is in service, its
    stations are `missing`: the search assumes that they are back after PAUSE. With `fills_gaps` a
    gathering stage may begin at a station that another stage takes later.
    """

    def __init__(self, kitchen: Kitchen, state: KitchenState, tasks: Tasks) -> None:
        self.fills_gaps = False
        self.tasks = tasks
        self.stages = tasks.stages
        self.workers = sum(worker not in state.out for worker in kitchen.workers)
        self.by_kind: dict[str, list[str]] = {}
        self.kind: dict[str, str] = {}
        self._stand: dict[str, tuple[int, int]] = {}
        self._slots: dict[str, tuple[int, int]] = {}
        self._lying: dict[str, tuple[int, int]] = {}
        self._checks: dict[Mode, tuple[tuple[Check, ...], tuple[GatheringCheck, ...]]] = {}
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
                contents = state.contents.get(station.name, ())
                if units == 1 and len(contents) > 1:
                    units = _count_lying(station, contents, tasks)
                self._lying[station.name] = (size, size + units - 1)
                size += units
        self.levels: Levels = [0] * size
        for name in self.missing:
            base, top = self._stand.get(name, (0, -1))
            self.levels[base : top + 1] = [span(0, PAUSE)] * (top + 1 - base)
        for counter in tasks.work.junk.values():
            if counter is not None:
                take(self.levels, *self._slots[counter], -1)
        for name, contents in state.contents.items():
            base, top = self._lying[name]
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
        return sum([levels[self._slots[name][1]] >= 0 for name in self.by_kind.get(kind, ())])

    def may_keep(self, levels: Levels, stage: int) -> bool:
        """Return whether some station of a stage's kind is not kept for ever by another stage."""
        for name in self.by_kind.get(self.stages[stage].kind, ()):
            if levels[self._slots[name][1]] >= 0:
                return True
        return False

    def least_stay(self, stage: int) -> int:
        """Return the timesteps for which a gathering stage has a station at least."""
        return 2 * len(self.stages[stage].inputs) + duration(self.stages[stage])

    def slot_levels(self, station: str) -> tuple[int, int]:
        """Return the indices of the first and the last level of a station's slots."""
        return self._slots[station]

    def lying_levels(self, station: str) -> tuple[int, int]:
        """Return the indices of the first and the last level of what lies in a station now.

        The first of them are those of its slots.
        """
        return self._lying[station]

    def stand_levels(self, station: str) -> tuple[int, int] | None:
        """Return the indices of the first and the last level of a station's room to stand; None if
        the room is unlimited.
        """
        return self._stand.get(station)

    def slots(self, kind: str) -> int:
        """Return the number of stages that the stations of a kind can hold at the same time."""
        spans = [self._slots[name] for name in self.by_kind.get(kind, ())]
        return sum(top - base + 1 for base, top in spans)

    def is_stuck(self, levels: Levels, kind: str, t: int) -> bool:
        """Return whether all slots of a kind are taken at `t`."""
        return all((levels[self._slots[n][1]] >> t) & 1 for n in self.by_kind.get(kind, ()))

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
        if levels[self.workers - 1] >> t & mode.workers[0] or (
            self._is_blocked(levels, mode, t, open_at)
        ):
            return None
        new = levels.copy()
        if not book(new, 0, self.workers - 1, mode.workers, t):
            return None
        for stage, when in mode.leaves:
            kept = open_at[stage]
            if kept.until is None:
                give_back(new, *self._lying[kept.station], -1 << t + when)
            elif t + when > kept.until:
                return None
            else:
                new[self._slots[kept.station][1]] &= ~span(t + when, kept.until)
        for name, _, when in mode.lifted:
            give_back(new, *self._lying[name], -1 << t + when)
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

    def _is_blocked(
        self, levels: Levels, mode: Mode, t: int, open_at: Mapping[int, KeptStation]
    ) -> bool:
        """Return True only if a mode cannot start at `t`, which is seen without booking anything.

        If False, it may still not fit: two of its rooms may be at the same station.
        """
        known = self._checks.get(mode)
        if known is None:
            known = self._checks[mode] = (
                tuple(self.checks_of(mode)),
                tuple(self.checks_of_gathering(mode)),
            )
        checks, gathering = known
        for stay, visit, tops in checks:
            stay <<= t
            visit <<= t
            for slot, stand in tops:
                if not (levels[slot] & stay or levels[stand] & visit):
                    break
            else:
                return True
        for stage, visit, put, slots in gathering:
            kept = open_at.get(stage)
            if kept is not None:
                stands = self._stand.get(kept.station)
                if stands and levels[stands[1]] & visit << t:
                    return True
            elif slots:
                for _, slot in slots:
                    if not levels[slot] >> t + put & 1:
                        break
                else:
                    return True
        return False

    def checks_of(self, mode: Mode) -> Iterator[Check]:
        """Yield the check of each room of a mode, except rooms of gathering stages."""
        freed = self._find_freed_kinds(mode)
        for room in mode.rooms:
            if self._gathers(room):
                continue
            names = self.find_stations(room.spot)
            keeps = freed.isdisjoint(self.kind[name] for name in names)
            stay = room.stay if keeps and all(name in self._slots for name in names) else 0
            visit = room.visits[0] if all(name in self._stand for name in names) else 0
            if stay or visit:
                none = (0, 0)
                yield (
                    stay,
                    visit,
                    tuple(
                        (self._slots.get(name, none)[1], self._stand.get(name, none)[1])
                        for name in names
                    ),
                )

    def checks_of_gathering(self, mode: Mode) -> Iterator[GatheringCheck]:
        """Yield the check of each room of a mode that belongs to a gathering stage."""
        freed = self._find_freed_kinds(mode)
        for room in filter(self._gathers, mode.rooms):
            stage = room.spot.stage
            kind = self.stages[stage].kind
            names = self.by_kind.get(kind, ()) if room.puts and kind not in freed else ()
            slots = tuple((name, self._slots[name][1]) for name in names)
            yield stage, room.visits[0], min(room.puts, default=0), slots

    def _find_freed_kinds(self, mode: Mode) -> set[str]:
        """Return the kinds of stations of which a mode frees a slot."""
        freed = {self.stages[stage].kind for stage, _ in mode.leaves}
        return freed | {self.kind[name] for name, _, _ in mode.lifted}

    def _gathers(self, room: Room) -> bool:
        """Return True if a room belongs to a gathering stage."""
        stage = room.spot.stage
        return bool(room.puts) or (stage >= 0 and self.tasks.gathers(stage))

    def keep_on(self, levels: Levels, station: str, t: int) -> tuple[bool, int | None]:
        """Let a stage keep a station from `t` on. Return whether it can, and until when (None: for
        ever).

        At a station with several slots, a stage can keep a slot only for ever.
        """
        base, top = self._slots[station]
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
            base, top = self._slots[name]
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
            base, top = self._slots[name]
            if levels[top] & stay:
                return False
        stand = self._stand.get(name)
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
