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

from cookmas.kitchen.stages import Fetch, Made
from cookmas.worlds.restaurant.scheduling.lines import LineTasks, lines_of
from cookmas.worlds.restaurant.scheduling.mode import Mode
from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.ranking import RankedTask, in_order
from cookmas.worlds.restaurant.scheduling.safety import Safety
from cookmas.worlds.restaurant.scheduling.states import HOPELESS, PartialSchedule
from cookmas.worlds.restaurant.scheduling.tasks import duration

AGE = 3
"""Timesteps by which each line is less urgent than the line before it."""

FULL_BONUS = 10
"""Timesteps by which a task is more urgent if it empties a full stage and so makes room."""

VISIT = 2
"""Timesteps between two visits of a station by different workers."""

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


CONFIGURATIONS = (
    Configuration(more=2, station_cost=1.0, slack=8, order="turns"),
    Configuration(more=2, station_cost=1.0, slack=8, order="arrival"),
    Configuration(more=2, station_cost=1.0, slack=8, order="longest"),
)
"""Configurations of the search for many lines; the best schedule wins."""


class Window:
    """A strategy that plans the first unfinished lines, in the order of `set_up`."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
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

    def set_up(self, configuration: Configuration, shorter_than: float) -> None:
        """Set the configuration.

        States whose schedule would take `shorter_than` timesteps or more are pruned.
        """
        self.configuration, self.shorter_than = configuration, shorter_than
        plating = self.resources.by_kind.get("plating", ())
        self.size = configuration.more + len(plating)
        self.lines = [self.by_name[line] for line in self.order_lines()]
        self._behind = _sums(self.lines)

    def order_lines(self) -> list[str]:
        """Return the lines as the configuration orders them, those in progress first."""
        begun = self._under_way()
        first = [line for line in self.by_name if line in begun]
        rest = [line for line in self.by_name if line not in begun]
        if self.configuration.order == "longest":
            rest.sort(key=lambda line: -self.by_name[line].longest)
        elif self.configuration.order == "turns":
            need = self._need_of_the_scarcest()
            rest.sort(key=lambda line: -need.get(line, 0) / self.by_name[line].work)
            rest = [rest.pop(-(number % 2)) for number in range(len(rest))]
        return first + rest

    def _under_way(self) -> set[str]:
        """Return the lines that use a thing in the kitchen."""
        tasks = self.problem.tasks
        used = [(stage.line, e.source) for stage in tasks.stages for e in stage.inputs]
        used += [(delivery.line, delivery.source) for delivery in tasks.deliveries]
        return {line for line, source in used if not isinstance(source, Fetch | Made)}

    def _need_of_the_scarcest(self) -> dict[str, int]:
        """Return for each line the timesteps for which it needs a station of the scarcest kind."""
        loads: dict[str, dict[str, int]] = {}
        for stage in self.problem.tasks.stages:
            load = loads.setdefault(stage.kind, {})
            stay = duration(stage) + VISIT * len(stage.inputs)
            load[stage.line] = load.get(stage.line, 0) + stay
        slots = self.resources.slots
        scarcest = max(
            loads, key=lambda kind: sum(loads[kind].values()) / max(1, slots(kind)), default=""
        )
        return loads.get(scarcest, {})

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
