"""Partial schedules: the states and the results of the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cookmas.worlds.restaurant.scheduling.draft import Spot
from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.resources import KeptStation, Levels

HOPELESS = float("inf")
"""Score of a pruned state."""


class PlacementError(Exception):
    """A task has no place in any schedule of a search."""


class NoModeError(PlacementError):
    """A task of a `line` has no mode, although the task is not work in progress."""

    def __init__(self, line: str) -> None:
        super().__init__("one of its tasks cannot be done in any way")
        self.line = line


class WorkInProgressError(PlacementError):
    """Work in progress cannot continue; `holder` is the station or worker that has the food."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"what is in progress at {holder} cannot be continued")
        self.holder = holder


@dataclass(frozen=True, slots=True)
class Placed:
    """A mode in a schedule: its first timestep, the station of each of its spots, and its blocks.

    A block has the number that it has in the whole schedule.
    """

    start: int
    mode: Mode
    spots: Mapping[Spot, str]
    blocks: Sequence[int]

    @property
    def stations(self) -> list[str]:
        """The station of each room of the mode."""
        return [self.spots[room.spot] for room in self.mode.rooms]


Chain = tuple["Chain | None", int, Mode, Sequence[str], Sequence[int]]
"""Placed modes as a linked list: the earlier modes; then start, mode, stations and blocks of the
last.
"""

Ended = tuple[int, str, int]
"""The end of a block of work: the timestep, the station, and the number of the block. The worker
may continue there with another task.
"""


@dataclass(frozen=True, slots=True)
class Solution:
    """A schedule as placed modes.

    `length` is in timesteps from now. `pinned` maps the number of a block to the worker that must
    do it. `missing` are the stations that are out of service and that the search assumed to come
    back. `configuration` names the search.
    """

    placed: tuple[Placed, ...]
    length: int
    pinned: Mapping[int, int]
    missing: frozenset[str]
    configuration: str

    def find_visited_missing(self) -> set[str]:
        """Return the stations out of service that the schedule visits."""
        return {name for placed in self.placed for name in placed.spots.values()} & self.missing


class PartialSchedule:
    """A state of the search: the remaining tasks, the taken resources, and the placed modes.

    `t` is the timestep that the search has reached. `todo` has the bits of the tasks that are not
    planned. `left` counts for each gathering stage the foods and removals that it needs and that
    are not planned yet; `full_at` has the timestep after the last planned one. `open_at` has the
    stations that gathering stages keep, `begun` a bit for each gathering stage that was begun.
    `ends` are the ends of blocks from
    `t` on. `placed` are the modes, `blocks` is the number of their blocks, and `last` the timestep
    at which all of them have ended. `served` and `ended` are the sums of the timesteps at which
    dishes are served and modes end. `key` is the score.
    """

    __slots__ = (
        "begun",
        "blocks",
        "ended",
        "ends",
        "full_at",
        "key",
        "last",
        "left",
        "levels",
        "open_at",
        "placed",
        "served",
        "t",
        "todo",
    )

    def __init__(self, todo: int, levels: Levels, left: dict[int, int]) -> None:
        self.t = 0
        self.todo = todo
        self.levels = levels
        self.left = left
        self.full_at: dict[int, int] = {}
        self.open_at: dict[int, KeptStation] = {}
        self.begun = 0
        self.ends: tuple[Ended, ...] = ()
        self.placed: Chain | None = None
        self.last = 0
        self.served = 0
        self.ended = 0
        self.blocks = 0
        self.key = 0.0

    def copy(self) -> PartialSchedule:
        """Return a copy that can change independently; the values that both share are never changed
        in place.
        """
        new = PartialSchedule.__new__(PartialSchedule)
        new.t = self.t
        new.todo = self.todo
        new.levels = self.levels
        new.left = self.left
        new.full_at = self.full_at
        new.open_at = self.open_at
        new.begun = self.begun
        new.ends = self.ends
        new.placed = self.placed
        new.last = self.last
        new.served = self.served
        new.ended = self.ended
        new.blocks = self.blocks
        new.key = self.key
        return new

    def start(
        self,
        mode: Mode,
        at: int,
        levels: Levels,
        stations: Sequence[str],
        until: int | None,
        link: int | None,
        bit: int,
    ) -> PartialSchedule:
        """Return the state after a mode is planned to start `at` a timestep.

        `levels`, `stations` and `until` are what `Resources.place` returned for the mode. The first
        block of the mode continues the block with the number `link`, if one is given. `bit` marks
        the task of the mode.
        """
        end = at + mode.end
        new = self.copy()
        new.levels = levels
        new.todo &= ~bit
        linked = () if link is None else (link,)
        new.blocks += len(mode.blocks) - len(linked)
        numbers = [*linked, *range(self.blocks + 1, new.blocks + 1)]
        for block, worker in mode.hands:
            numbers[block] = -worker - 1
        if linked or mode.hands:
            new.ends = tuple([e for e in new.ends if e[2] not in numbers or e[0] != at])
        new.ends += tuple(
            [(at + time, stations[room], numbers[block]) for time, room, block in mode.ends]
        )
        if mode.fillings or mode.leaves:
            new.fill(mode, at, stations, until)
        new.placed = (self.placed, at, mode, stations, numbers)
        new.last = max(new.last, end)
        new.ended += end
        if mode.served is not None:
            new.served += at + mode.served
        return new

    def fill(self, mode: Mode, at: int, stations: Sequence[str], until: int | None) -> None:
        """Update the gathering stages that a mode empties and fills."""
        self.left = self.left.copy()
        self.full_at = self.full_at.copy()
        self.open_at = self.open_at.copy()
        for stage, _ in mode.leaves:
            del self.open_at[stage]
        for stage, put, room, passes in mode.fillings:
            if room is not None:
                self.begun |= 1 << stage
            if passes:
                continue
            if room is not None:
                kept = self.open_at.get(stage)
                if kept is None:
                    self.open_at[stage] = KeptStation(stations[room], at + put, until)
                elif at + put < kept.since:
                    self.open_at[stage] = KeptStation(kept.station, at + put, kept.until)
            self.left[stage] -= 1
            self.full_at[stage] = max(self.full_at.get(stage, 0), at + put + 1)

    def forget_ends(self) -> None:
        """Forget where blocks ended, except where idle workers stand at the first timestep."""
        self.ends = tuple([end for end in self.ends if end[0] == 0])

    def lacks(self, mode: Mode) -> bool:
        """Return whether a gathering stage that a mode empties is not full yet."""
        return any(self.left[stage] for stage, _ in mode.leaves)

    def placements(self) -> tuple[Placed, ...]:
        """Return the placed modes in the order in which they were planned."""
        placed: list[Placed] = []
        chain = self.placed
        while chain is not None:
            chain, start, mode, stations, blocks = chain
            rooms = zip(mode.rooms, stations, strict=True)
            spots = {room.spot: station for room, station in rooms}
            placed.append(Placed(start, mode, spots, blocks))
        return tuple(reversed(placed))


def quality(state: PartialSchedule) -> tuple[int, int, int]:
    """Return a sort key, the lowest for the best: the end of the schedule, then the sum of the
    serving times, then the sum of the times at which modes end.
    """
    return state.last, state.served, state.ended
