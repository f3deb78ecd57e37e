"""The strategy for many lines: a moving window over the first unfinished lines.

If many dishes were planned at once, those that take longest would all be begun first, and fill the
kitchen with half-made dishes. So only the first lines with unplanned tasks are in the window. The
next line enters when all tasks of one of them are planned.

| constraint | method |
|---|---|
| few dishes are in progress at a time | the window: `_front` |
| a task must not hold a station for longer than it needs | `Configuration.slack`, in `_front` |
| a full stage makes room | `FULL_BONUS` in `rank` |
| dishes must not wait for each other in a circle | `Safety.safe` in `may_open` |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from cookmas.worlds.restaurant.scheduling.lines import LineTasks, lines_of
from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.ranking import RankedTask, in_order
from cookmas.worlds.restaurant.scheduling.safety import Safety
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule

AGE = 3
"""Timesteps by which each line is less urgent than the line before it."""

FULL_BONUS = 10
"""Timesteps by which a task is more urgent if it empties a full stage and so makes room."""

NOISE = 6
"""Greatest noise, in timesteps, on the order of tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A configuration of the search for many lines.

    The window has a line for each plating place, and `more` lines besides. Every station that a
    state keeps costs `station_cost` timesteps in the score. A task waits if it can begin more than
    `slack` timesteps later without delaying its line. `order` is that of the lines without work in
    progress: in order of arrival, the longest first, or in turns a line that needs much and a line
    that needs little of the scarcest kind of station, in relation to its work.
    """

    more: int
    station_cost: float
    slack: int
    order: Literal["arrival", "longest", "turns"]


class Window:
    """A strategy that plans the first unfinished lines, in the order of `set_up`."""

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
        self.lines: Sequence[LineTasks] = ()
        self._behind: Sequence[tuple[int, int]] = ()
        self._clears = [entry for entry in problem.entries if entry.task.kind == "clear"]

    def set_up(
        self, configuration: Configuration, order: Sequence[str], shorter_than: float
    ) -> None:
        """Set the configuration and the order of the lines.

        States whose schedule would take `shorter_than` timesteps or more are pruned.
        """
        self.configuration, self.shorter_than = configuration, shorter_than
        plating = self.resources.by_kind.get("plating", ())
        self.size = configuration.more + len(plating)
        self.lines = [self.by_name[line] for line in order]
        self._behind = _sums(self.lines)

    @property
    def name(self) -> str:
        """Name of the strategy in a result."""
        return f"rolling window of {self.size} lines, order {self.configuration.order}"

    def _front(self, state: PartialSchedule) -> Iterator[tuple[int, RankedTask]]:
        """Yield the tasks that may begin now, each with the position of its line in the window,
        from 0.
        """
        number = 0
        for line in self.lines:
            if line.bits & state.todo:
                for entry in line.find_startable(state, self.configuration.slack):
                    yield number, entry
                number += 1
                if number == self.size:
                    return

    def rank(self, state: PartialSchedule, noise: Random) -> list[RankedTask]:
        """Return the tasks of the window, roughly the most urgent first, after those that remove
        things.
        """
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
        """Return a score from estimated ends of the window and of all work; HOPELESS if they are
        too late.
        """
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
        """Return whether everything that is begun can still be finished if this mode is planned."""
        opened = [f.stage for f in mode.fillings if not state.begun >> f.stage & 1]
        if not opened:
            return True
        begun = state.begun
        for stage in opened:
            begun |= 1 << stage
        emptied = {stage for stage, _ in mode.leaves}
        held = [stage for stage in (*state.open_at, *opened) if stage not in emptied]
        return self.safety.safe(begun, held, state.todo & ~bit)


def _sums(lines: Sequence[LineTasks]) -> list[tuple[int, int]]:
    """Return for each line the bits and the work of this line and all later ones."""
    sums: list[tuple[int, int]] = []
    bits = work = 0
    for line in reversed(lines):
        bits, work = bits | line.bits, work + line.work
        sums.append((bits, work))
    return sums[::-1]
