"""Resources: workers, room to stand and slots, and at which timesteps they are taken.

| constraint | method |
|---|---|
| a worker does one thing at a timestep | the first levels; a mode books its blocks there |
| a station has room for some workers | levels of room to stand; each visit books them |
| a slot holds one food, or one stage | levels of slots; a stay books one |
| foods that are gathered keep their station | a slot is taken for ever, given back when emptied |
| a stage may fill a gap before another one | `_squeeze`, with `fills_gaps` |
| what is out of service takes nothing | it has no levels; a kind all out is taken for `PAUSE` |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kitchen.layout import Kitchen, Station
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.draft import Spot
from worlds.restaurant.scheduling.mode import Mode, Room
from worlds.restaurant.scheduling.profile import book, gap_from, give_back, span, take
from worlds.restaurant.scheduling.tasks import Tasks, duration

Levels = list[int]

Check = tuple[int, int, tuple[tuple[int, int], ...]]
"""What a room takes: the timesteps of its slot and of a visit, and the top levels of both there."""

PAUSE = 3
"""Timesteps after which is asked again whether what is out of service is back."""


class KeptStation(NamedTuple):
    """A gathering stage that keeps a station since a timestep, until another, or for ever (None).

    Where it ends at all, another stage is to have the station from then on.
    """

    station: str
    since: int
    until: int | None = None


class Resources:
    """Where the levels of each resource are: workers, room to stand, and slots.

    The first levels are those of the workers in service. Stations of a kind of which none is in
    service are `missing`: they are taken to be back after a while. With `fills_gaps` a stage may
    have a station until another one comes there.
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
        self._checks: dict[Mode, tuple[Check, ...]] = {}
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
        for counter in tasks.work.junk.values():
            if counter is not None:
                take(self.levels, *self._slots[counter], -1)
        for name, contents in state.contents.items():
            base, top = self._slots[name]
            for _ in contents[: top - base + 1]:
                take(self.levels, base, top, -1)

    def free_from(self, levels: Levels, t: int) -> int:
        """Return the first timestep from `t` on at which a worker is free."""
        busy = levels[self.workers - 1] >> t
        return t + (~busy & (busy + 1)).bit_length() - 1

    def count_busy_after(self, levels: Levels, t: int) -> int:
        """Return for how many timesteps from `t` on workers are busy, all together."""
        busy = 0
        for level in levels[: self.workers]:
            busy += (level >> t).bit_count()
        return busy

    def idle_stations(self, levels: Levels, kind: str) -> int:
        """Return how many stations of a kind are not taken for ever."""
        return sum(levels[self._slots[name][1]] >= 0 for name in self.by_kind.get(kind, ()))

    def may_keep(self, levels: Levels, stage: int) -> bool:
        """Return whether there is a station for a stage that nothing is kept in for ever."""
        return self.idle_stations(levels, self.stages[stage].kind) > 0

    def slots(self, kind: str) -> int:
        """Return how many stages the stations of a kind take at the same time."""
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
    ) -> tuple[Levels, list[str], int | None] | None:
        """Start a mode at `t`: the new levels and the station of each room; None if it cannot be.

        Also until when a stage that is begun can keep its station. `chosen` are the stations of its
        first rooms, where they are not free to choose.
        """
        new = levels.copy()
        if not book(new, 0, self.workers - 1, mode.workers, t):
            return None
        for stage, when in mode.leaves:
            kept = open_at[stage]
            base, high = self._slots[kept.station]
            if kept.until is None:
                give_back(new, base, high, t + when)
            elif t + when > kept.until:
                return None
            else:
                new[high] &= ~span(t + when, kept.until)
        for name, _, when in mode.lifted:
            base, high = self._slots[name]
            give_back(new, base, high, t + when)
        stations: list[str] = []
        until: int | None = None
        for room in mode.rooms:
            known = open_at.get(room.spot.stage)
            stay = room.stay << t
            if known is None:
                if room.puts:
                    stay = -1 << t + min(room.puts)
            else:
                for put in room.puts:
                    if known.until is not None and t + put >= known.until:
                        return None
                    if t + put < known.since:
                        stay = span(t + put, known.since)
            options = self._options(room.spot, known)
            if len(stations) < len(chosen):
                must = chosen[len(stations)]
                options = (must,) if must in options else ()
            for name in options:
                if self._enter(new, name, room, stay, t):
                    stations.append(name)
                    break
            else:
                if stay >= 0 or not self.fills_gaps:
                    return None
                squeezed = self._squeeze(new, options, room, t)
                if squeezed is None:
                    return None
                name, until = squeezed
                stations.append(name)
        return new, stations, until

    def is_blocked(self, levels: Levels, mode: Mode, t: int) -> bool:
        """Return whether a mode surely cannot start at `t`, found out sooner than by placing it."""
        checks = self._checks.get(mode)
        if checks is None:
            checks = self._checks[mode] = tuple(self._checks_of(mode))
        for stay, visit, tops in checks:
            stay <<= t
            visit <<= t
            for slot, stand in tops:
                if not (levels[slot] & stay or levels[stand] & visit):
                    break
            else:
                return True
        return False

    def _checks_of(self, mode: Mode) -> Iterator[Check]:
        """Yield what each room of a mode takes that is not where foods are gathered."""
        freed = {self.stages[stage].kind for stage, _ in mode.leaves}
        freed |= {self.kind[name] for name, _, _ in mode.lifted}
        for room in mode.rooms:
            if room.puts or (room.spot.stage >= 0 and self.tasks.gathers(room.spot.stage)):
                continue
            names = self._options(room.spot, None)
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

    def release(self, levels: Levels, station: str, t: int) -> None:
        """Let a stage that keeps a station for ever have it only until `t`."""
        give_back(levels, *self._slots[station], t)

    def keep_on(self, levels: Levels, station: str, t: int) -> tuple[bool, int | None]:
        """Let a stage keep a station from `t` on: whether it can, and until when (None: for ever).

        Where there are several slots it can only keep one for ever.
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

    def _options(self, spot: Spot, known: KeptStation | None) -> Sequence[str]:
        """Return the stations a spot may be at; `known` is where its stage is kept already."""
        if spot.station:
            return (spot.station,)
        if known is not None:
            return (known.station,)
        kind = self.stages[spot.stage].kind if spot.stage >= 0 else spot.kind
        return self.by_kind.get(kind, ())

    def _squeeze(
        self, levels: Levels, options: Sequence[str], room: Room, t: int
    ) -> tuple[str, int] | None:
        """Begin a stage where there is room before another one: the station, and until when."""
        begin, stage = t + min(room.puts), self.stages[room.spot.stage]
        for name in options:
            base, top = self._slots[name]
            if base == top and not levels[top] >> begin & 1:
                until = gap_from(levels[top], begin)
                if until is None or until < begin + 2 * len(stage.inputs) + duration(stage):
                    continue
                if self._enter(levels, name, room, span(begin, until), t):
                    return name, until
        return None

    def _enter(self, levels: Levels, name: str, room: Room, stay: int, t: int) -> bool:
        """Let workers visit a station, and something stay there, if there is room."""
        if stay:
            base, top = self._slots[name]
            if levels[top] & stay:
                return False
        stand = self._stand.get(name)
        if stand and not book(levels, *stand, room.visits, t):
            return False
        if stay:
            take(levels, base, top, stay)
        return True


def _units(station: Station) -> int:
    """Return how many stages a station takes at the same time."""
    if station.kind.role == "tool" or station.kind.vessel:
        return 1
    return station.slots if station.kind.role in ("appliance", "counter") else 0
