"""The strategy for many lines: a window over the first of them that moves on.

Where many dishes are made at once, those with the longest way to go would all be begun first, and
fill the kitchen with halves of dishes. So only the first lines that are not begun to the end are
continued; the next one comes in when one of them has all its tasks planned.

| constraint | method |
|---|---|
| few dishes are in progress at a time | the window: `_front` |
| a task must not hold a station for longer than it needs | it waits within its `slack`: `_front` |
| what is complete makes room | `FULL_BONUS` in `rank` |
| dishes must not wait for each other in a circle | `Safety.safe` in `may_open` |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple

from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.ranking import RankedTask, in_order
from worlds.restaurant.scheduling.safety import Safety
from worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule

AGE = 3
"""How many timesteps less urgent each line is than the one before it."""

FULL_BONUS = 10
"""How many timesteps sooner a task counts that takes on what is complete, and so makes room."""

NOISE = 6
"""How many timesteps at most the order of equally urgent tasks is blurred by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A configuration of the search for many lines.

    As many lines are worked on at a time as there are plating places, and `more`. Every station
    that a state keeps counts as `station_cost` timesteps. A task waits while it can be begun more
    than `slack` timesteps later without delaying its line. `order` is that of the lines for which
    nothing is under way: as they came in, the longest to make first, or by turns those that need
    the scarcest kind of station most and least for their work.
    """

    more: int
    station_cost: float
    slack: int
    order: Literal["arrival", "longest", "turns"]


class _Rest(NamedTuple):
    """What is left of an order line: the tasks, their work, and how long the longest takes.

    `at_hand` is the longest of those that need not wait for foods to be gathered, `gathered` are
    the others.
    """

    entries: list[RankedTask]
    work: int
    longest: int
    at_hand: int
    gathered: list[RankedTask]


class WindowLine:
    """An order line: its tasks with their bits, and the gathering stages of its dish."""

    def __init__(self, entries: list[RankedTask], stages: list[int]) -> None:
        self.entries = entries
        self.stages = stages
        self.bits = sum(entry.bit for entry in entries)
        self.work = sum(entry.work for entry in entries)
        self.longest = max(entry.tail for entry in entries)
        self._rests: dict[int, _Rest] = {}

    def find_rest(self, bits: int) -> _Rest:
        """Return what is left of the line where the tasks of these bits are."""
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


class Window:
    """Plans the first lines that are not begun to the end, in the order of `set_up`."""

    choose = None

    def __init__(self, problem: Problem) -> None:
        self.resources, self.after = problem.resources, problem.after
        resources, tasks = problem.resources, problem.tasks
        units = {kind: len(names) for kind, names in resources.by_kind.items()}
        units["counter"] = resources.slots("counter")
        self.safety = Safety(tasks, problem.bits, units)
        entries: dict[str, list[RankedTask]] = {d.line: [] for d in tasks.deliveries}
        for entry in problem.entries:
            if entry.task.kind != "clear":
                entries[tasks.line(entry.task)].append(entry)
        stages: dict[str, list[int]] = {line: [] for line in entries}
        for number, stage in enumerate(tasks.stages):
            if tasks.gathers(number):
                stages[stage.line].append(number)
        self.by_name: Mapping[str, WindowLine] = {
            line: WindowLine(own, stages[line]) for line, own in entries.items() if own
        }
        self.configuration = Configuration(more=0, station_cost=0.0, slack=0, order="arrival")
        self.size = 0
        self.shorter_than = HOPELESS
        self.lines: Sequence[WindowLine] = ()
        self._behind: Sequence[tuple[int, int]] = ()
        self._clears = [entry for entry in problem.entries if entry.task.kind == "clear"]

    def set_up(
        self, configuration: Configuration, order: Sequence[str], shorter_than: float
    ) -> None:
        """Take lines in an `order`; prune what leads to no schedule `shorter_than` so long."""
        self.configuration, self.shorter_than = configuration, shorter_than
        plating = self.resources.by_kind.get("plating", ())
        self.size = configuration.more + len(plating)
        self.lines = [self.by_name[line] for line in order]
        self._behind = _sums(self.lines)

    @property
    def name(self) -> str:
        """Return what the strategy is called in a result."""
        return f"rolling window of {self.size} lines, order {self.configuration.order}"

    def _front(self, state: PartialSchedule) -> Iterator[tuple[int, RankedTask]]:
        """Yield the tasks that may be begun now, with the number of their line from 0."""
        number, todo, full_at, left = 0, state.todo, state.full_at, state.left
        waits = self.configuration.slack if state.t < state.last else state.last
        for line in self.lines:
            bits = line.bits & todo
            if not bits:
                continue
            rest = line.find_rest(bits)
            longest = rest.at_hand
            for entry in rest.gathered:
                if entry.tail > longest and not left[entry.takes]:
                    longest = entry.tail
            for stage in line.stages:
                if stage in full_at:
                    longest = max(longest, full_at[stage] + self.after[stage] - state.t)
            for entry in rest.entries:
                if longest - entry.tail <= waits:
                    yield number, entry
            number += 1
            if number == self.size:
                return

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the tasks of the window, about the most urgent first, after those that clear."""
        clears = [entry for entry in self._clears if entry.bit & state.todo]
        full = {stage for stage, left in state.left.items() if not left}
        return clears + in_order(
            (
                AGE * number - e.tail - FULL_BONUS * (e.takes in full) - NOISE * noise.random(),
                e.bit,
                e,
            )
            for number, e in self._front(state)
        )

    def score(self, state: PartialSchedule) -> float:
        """Return about when the window and all the work may be done; HOPELESS if it is too late."""
        workers, t, todo = self.resources.workers, state.t, state.todo
        work, longest, number, window = 0, 0, 0, self.size
        for line, (bits, sum_of_work) in zip(self.lines, self._behind, strict=True):
            if number >= window and bits & todo == bits:
                work += sum_of_work
                break
            left = line.bits & todo
            if left:
                rest = line.find_rest(left)
                work += rest.work
                if number < window and rest.longest > longest:
                    longest = rest.longest
                number += 1
        energy = t + (work + self.resources.count_busy_after(state.levels, t)) / workers
        if max(energy, state.last) >= self.shorter_than:
            return HOPELESS
        return (
            max(t + longest, energy, state.last)
            + energy
            + self.configuration.station_cost * len(state.open_at)
        )

    def may_open(self, state: PartialSchedule, mode: Mode, bit: int) -> bool:
        """Return whether everything that is begun can be finished with this mode too."""
        opened = [f.stage for f in mode.fillings if not state.begun >> f.stage & 1]
        if not opened:
            return True
        begun = state.begun
        for stage in opened:
            begun |= 1 << stage
        emptied = {stage for stage, _ in mode.leaves}
        held = [stage for stage in (*state.open_at, *opened) if stage not in emptied]
        return self.safety.safe(begun, held, state.todo & ~bit)


def _sums(lines: Sequence[WindowLine]) -> list[tuple[int, int]]:
    """Return, for each line, the bits and the work of it and of those after it."""
    sums: list[tuple[int, int]] = []
    bits = work = 0
    for line in reversed(lines):
        bits, work = bits | line.bits, work + line.work
        sums.append((bits, work))
    return sums[::-1]
