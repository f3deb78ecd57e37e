"""Starts: the timesteps at which a mode cannot start, all at once.

A requirement of a mode is a run: some timesteps, relative to the start, at which a level must be
free. The starts that a run blocks are the bits of the level, spread over the length of the run.

| constraint | method |
|---|---|
| workers, room to stand and slots are limited | `_Needs.always`, `_Needs.either` |
| a stage keeps its station from its first put on | `_block_first_put` |
| a stage that has a station keeps it only for a while | `_block_kept` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.solving.restaurant.scheduling.mode import Mode
from cookmas.solving.restaurant.scheduling.profile import mask_to_last
from cookmas.solving.restaurant.scheduling.resources import KeptStation, Levels, Resources

Run = tuple[int, int, int]
"""The index of a level, and the timesteps at which it must be free: the first one, relative to the
start of the mode, and their number.
"""


class _Gathering(NamedTuple):
    """The needs of a mode at a gathering stage.

    `put` is the time of its first put there. `stands` are the runs of its visits by station.
    `slots` has the top level of the slots of each station at which the mode may begin the stage,
    with the runs of the shortest stay there and of the visits.
    """

    stage: int
    put: int
    stands: Mapping[str, Sequence[Run]]
    slots: Sequence[tuple[int, Sequence[Run]]]


class _Needs(NamedTuple):
    """The runs of a mode: those that it always needs, and alternatives, one for each station."""

    always: Sequence[Run]
    either: Sequence[Sequence[Sequence[Run]]]
    gathering: Sequence[_Gathering]


class Starts:
    """The starts at which modes are blocked, for levels that `look_at` sets."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self._levels: Levels = []
        self._spread: dict[tuple[int, int], int] = {}
        self._needs: dict[Mode, _Needs] = {}

    def look_at(self, levels: Levels) -> None:
        """Set the levels. They must not change before the next call."""
        self._levels = levels
        self._spread.clear()

    def find_blocked(self, mode: Mode, open_at: Mapping[int, KeptStation], keep_until: int) -> int:
        """Return the bits of the timesteps at which a mode cannot start.

        At all others it probably can (`Resources.place` decides). `open_at` has the stations that
        gathering stages keep. A stage that the mode begins must be able to keep its station until
        `keep_until`.
        """
        needs = self._needs.get(mode)
        if needs is None:
            needs = self._needs[mode] = self._needs_of(mode)
        blocked = self._block(needs.always)
        for options in needs.either:
            every = -1
            for runs in options:
                every &= self._block(runs)
            blocked |= every
        for gathering in needs.gathering:
            kept = open_at.get(gathering.stage)
            if kept:
                blocked |= self._block_kept(gathering, kept)
            elif gathering.slots:
                blocked |= self._block_first_put(gathering, keep_until)
        for stage, when in mode.leaves:
            until = open_at[stage].until
            if until is not None:
                blocked |= -1 << max(0, until - when + 1)
        return blocked

    def _block(self, runs: Sequence[Run]) -> int:
        """Return the starts that some runs block."""
        spread, blocked = self._spread, 0
        for index, first, length in runs:
            taken = spread.get((index, length))
            if taken is None:
                taken = spread[index, length] = _spread(self._levels[index], length)
            blocked |= taken >> first
        return blocked

    def _block_kept(self, gathering: _Gathering, kept: KeptStation) -> int:
        """Return the starts that are blocked by the station that a stage keeps already."""
        blocked = self._block(gathering.stands.get(kept.station, ()))
        if not gathering.slots:
            return blocked
        if kept.until is not None:
            blocked |= -1 << max(0, kept.until - gathering.put)
        slot = self._levels[self.resources.slot_levels(kept.station)[1]]
        return blocked | mask_to_last(slot, kept.since) >> gathering.put

    def _block_first_put(self, gathering: _Gathering, keep_until: int) -> int:
        """Return the starts at which no station is free for a stage for long enough."""
        every = -1
        for slot, runs in gathering.slots:
            taken = mask_to_last(self._levels[slot], keep_until)
            every &= taken >> gathering.put | self._block(runs)
        return every

    def _needs_of(self, mode: Mode) -> _Needs:
        resources = self.resources
        always: list[Run] = []
        for number, layer in enumerate(mode.workers):
            always += _runs(resources.workers - 1 - number, layer)
        either: list[Sequence[Sequence[Run]]] = []
        for stay, visit, tops in resources.checks_of(mode):
            options = [_runs(slot, stay) + _runs(stand, visit) for slot, stand in tops]
            if len(options) == 1:
                always += options[0]
            else:
                either.append(options)
        gathering: list[_Gathering] = []
        for stage, visit, put, stations in resources.checks_of_gathering(mode):
            stands = {
                name: _runs(stand[1], visit)
                for name in resources.by_kind.get(resources.stages[stage].kind, ())
                if (stand := resources.stand_levels(name))
            }
            stay = resources.least_stay(stage)
            slots = [(top, [(top, put, stay), *stands.get(name, [])]) for name, top in stations]
            gathering.append(_Gathering(stage, put, stands, slots))
        return _Needs(always, either, gathering)


def _spread(level: int, length: int) -> int:
    """Return the starts at which a run of some length meets a taken timestep of a level."""
    done = 1
    while done < length:
        more = min(done, length - done)
        level |= level >> more
        done += more
    return level


def _runs(index: int, mask: int) -> list[Run]:
    """Return the runs of the bits that are set in a mask."""
    found: list[Run] = []
    first = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        length = (~mask & (mask + 1)).bit_length() - 1
        found.append((index, first + zeros, length))
        mask >>= length
        first += zeros + length
    return found
