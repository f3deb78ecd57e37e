"""States of the searches: partial schedules, and what is left to do in them.

| constraint | method |
|---|---|
| a task must not hold a station for longer than it needs | it waits: `LineTasks.find_startable` |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cookmas.solving.restaurant.scheduling.mode import Mode
from cookmas.solving.restaurant.scheduling.resources import KeptStation, Levels
from cookmas.solving.restaurant.scheduling.tasks import Spot, Task

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


class RankedTask:
    """A task with its urgency.

    `bit` marks the task in sets of tasks. `spot` is where it begins; `where` is that station or its
    kind, "" for a gathering stage. `after` is the least time from the end of the task to the
    serving of its dish, `tail` that from its start, and `work` its timesteps of workers. `takes` is
    the gathering stage whose foods it takes out, `opens` the gathering stage that needs a station
    of its own if this task brings the first food; both are -1 for none. `earlier` has the bits of
    tasks that must be planned before this one.
    """

    __slots__ = (
        "after",
        "bit",
        "earlier",
        "modes",
        "opens",
        "spot",
        "tail",
        "takes",
        "task",
        "where",
        "work",
    )

    def __init__(self, task: Task, bit: int, modes: Sequence[Mode], after: int, spot: Spot) -> None:
        self.task = task
        self.bit = bit
        self.modes = modes
        self.after = after
        self.takes = task.stage if task.kind == "work" else -1
        self.work = modes[0].work
        self.tail = modes[0].end + after
        self.earlier = 0
        self.opens = -1
        self.spot = spot
        self.where = spot.station or spot.kind


Ranked = tuple[float, int, RankedTask]
"""A task with its sort key: timesteps, the fewest first, then its bit."""


def in_order(ranked: Iterable[Ranked]) -> list[RankedTask]:
    """Return tasks in the order in which they are tried; no two have the same bit."""
    return [entry for _, _, entry in sorted(ranked)]


class _Rest(NamedTuple):
    """The rest of an order line: its tasks, their work, and the time of the longest task.

    The time of a task is the least time from its start to the serving of its dish. `at_hand` is
    that of the longest task that does not begin with a full gathering stage; `gathered` are the
    tasks that do.
    """

    entries: list[RankedTask]
    work: int
    longest: int
    at_hand: int
    gathered: list[RankedTask]


class LineTasks:
    """An order line: its tasks with their bits, and its gathering stages.

    `after` has for each stage the least number of timesteps from the moment when all its foods are
    in to the serving of its dish.
    """

    def __init__(self, entries: list[RankedTask], stages: list[int], after: Sequence[int]) -> None:
        self.entries = entries
        self.stages = stages
        self.after = after
        self.bits = sum(entry.bit for entry in entries)
        self.work = sum(entry.work for entry in entries)
        self.longest = max(entry.tail for entry in entries)
        self._rests: dict[int, _Rest] = {}

    def find_rest(self, bits: int) -> _Rest:
        """Return the rest of the line if the tasks of these bits remain."""
        rest = self._rests.get(bits)
        if rest is None:
            left = [entry for entry in self.entries if entry.bit & bits]
            rest = self._rests[bits] = _Rest(
                left,
                sum(entry.work for entry in left),
                max((entry.tail for entry in left), default=0),
                max((entry.tail for entry in left if entry.takes < 0), default=0),
                [entry for entry in left if entry.takes >= 0],
            )
        return rest

    def find_startable(self, state: PartialSchedule, slack: int) -> list[RankedTask]:
        """Return the tasks that could begin at most `slack` timesteps later without a delay of the
        line.

        If all planned work has ended, every task could.
        """
        full_at, left, t = state.full_at, state.left, state.t
        waits = slack if t < state.last else HOPELESS
        rest = self.find_rest(self.bits & state.todo)
        longest = rest.at_hand
        for entry in rest.gathered:
            if entry.tail > longest and not left[entry.takes]:
                longest = entry.tail
        for stage in self.stages:
            if stage in full_at:
                longest = max(longest, full_at[stage] + self.after[stage] - t)
        return [entry for entry in rest.entries if longest - entry.tail <= waits]
