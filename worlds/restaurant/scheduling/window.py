"""The strategy for many lines: a window over the first of them that moves on.

Where many dishes are made at once, those with the longest way to go would all be begun first, and
fill the kitchen with halves of dishes. So only the first lines that are not begun to the end are
continued; the next one comes in when one of them has all its tasks planned.

| constraint | method |
|---|---|
| few dishes are in progress at a time | the window: `_front` |
| a task must not hold a station for longer than it needs | `Line.begun_now`, with the `slack` |
| what is complete makes room | `FULL_BONUS` in `rank` |
| dishes must not wait for each other in a circle | `Safety.safe` in `may_open` |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from worlds.restaurant.scheduling.lines import Line, lines_of
from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.problem import Problem
from worlds.restaurant.scheduling.ranking import Entry, in_order
from worlds.restaurant.scheduling.safety import Safety
from worlds.restaurant.scheduling.states import HOPELESS, State

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


class Window:
    """Plans the first lines that are not begun to the end, in the order of `set_up`."""

    choose = None

    def __init__(self, problem: Problem) -> None:
        resources = self.resources = problem.resources
        units = {kind: len(names) for kind, names in resources.by_kind.items()}
        units["counter"] = resources.slots("counter")
        self.safety = Safety(problem.tasks, problem.bits, units)
        self.by_name = lines_of(problem)
        self.configuration = Configuration(more=0, station_cost=0.0, slack=0, order="arrival")
        self.size = 0
        self.shorter_than = HOPELESS
        self.lines: Sequence[Line] = ()
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

    def _front(self, state: State) -> Iterator[tuple[int, Entry]]:
        """Yield the tasks that may be begun now, with the number of their line from 0."""
        number = 0
        for line in self.lines:
            if line.bits & state.todo:
                for entry in line.begun_now(state, self.configuration.slack):
                    yield number, entry
                number += 1
                if number == self.size:
                    return

    def rank(self, state: State, noise: Random) -> list[Entry]:
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

    def score(self, state: State) -> float:
        """Return about when the window and all the work may be done; HOPELESS if it is too late."""
        workers, t, todo = self.resources.workers, state.t, state.todo
        work, longest, number, window = 0, 0, 0, self.size
        for line, (bits, sum_of_work) in zip(self.lines, self._behind, strict=True):
            if number >= window and bits & todo == bits:
                work += sum_of_work
                break
            left = line.bits & todo
            if left:
                rest = line.rest(left)
                work += rest.work
                if number < window and rest.longest > longest:
                    longest = rest.longest
                number += 1
        energy = t + (work + self.resources.busy_after(state.levels, t)) / workers
        if max(energy, state.last) >= self.shorter_than:
            return HOPELESS
        return (
            max(t + longest, energy, state.last)
            + energy
            + self.configuration.station_cost * len(state.open_at)
        )

    def may_open(self, state: State, mode: Mode, bit: int) -> bool:
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


def _sums(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Return, for each line, the bits and the work of it and of those after it."""
    sums: list[tuple[int, int]] = []
    bits = work = 0
    for line in reversed(lines):
        bits, work = bits | line.bits, work + line.work
        sums.append((bits, work))
    return sums[::-1]
