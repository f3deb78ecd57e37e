"""The search for many lines: the first of them at a time, and nothing begun that may block another.

Where many dishes are made at once, those with the longest way to go would all be begun first, and
fill the kitchen with halves of dishes. So only the first lines that are not begun to the end are
gone on with; the next one comes in when one of them has all its tasks planned.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from kitchen.layout import Kitchen
from kitchen.stages import Fetch, Made
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.ranking import Entry, in_order
from worlds.restaurant.scheduling.reuse import Remaining
from worlds.restaurant.scheduling.safety import Safety
from worlds.restaurant.scheduling.search import Search
from worlds.restaurant.scheduling.states import HOPELESS, Solution, State
from worlds.restaurant.scheduling.tasks import duration

AGE = 3
"""How many timesteps less urgent each line is than the one before it."""

FULL_BONUS = 10
"""How many timesteps sooner a task counts that takes on what is complete, and so makes room."""

VISIT = 2
"""Timesteps between two visits of a station by different workers."""

NOISE = 6
"""How many timesteps at most the order of equally urgent tasks is blurred by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How to go through the lines.

    As many lines are worked on at a time as there are plating places, and `more`. Every station
    that a state keeps counts as `kept` timesteps. A task waits while it can be begun more than
    `slack` timesteps later without delaying its line. `order` is that of the lines for which
    nothing is under way: as they came in, the longest to make first, or by turns those that need
    the scarcest kind of station most and least for their work.
    """

    more: int
    kept: float
    slack: int
    order: Literal["arrival", "longest", "turns"]


class _Rest(NamedTuple):
    """What is left of an order line: the tasks, their work, and how long the longest takes.

    `at_hand` is the longest of those that need not wait for foods to be gathered, `gathered` are
    the others.
    """

    entries: list[Entry]
    work: int
    longest: int
    at_hand: int
    gathered: list[Entry]


class _Line:
    """An order line: its tasks with their bits, and the gathering stages of its dish."""

    def __init__(self, entries: list[Entry], stages: list[int]) -> None:
        self.entries = entries
        self.stages = stages
        self.bits = sum(entry.bit for entry in entries)
        self.work = sum(entry.work for entry in entries)
        self.longest = max(entry.tail for entry in entries)
        self._rests: dict[int, _Rest] = {}

    def rest(self, bits: int) -> _Rest:
        """What is left of the line where the tasks of these bits are."""
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


class RollingSearch(Search):
    """Finds schedules for a workload of many lines."""

    def __init__(
        self,
        kitchen: Kitchen,
        state: KitchenState,
        work: Remaining,
        foresight: int = 0,
        fills_gaps: bool = False,
    ) -> None:
        super().__init__(kitchen, state, work, foresight, fills_gaps)
        units = {kind: len(names) for kind, names in self.resources.by_kind.items()}
        units["counter"] = self.resources.slots("counter")
        self.safety = Safety(self.tasks, {e.task: e.bit for e in self.entries}, units)
        entries: dict[str, list[Entry]] = {d.line: [] for d in self.tasks.deliveries}
        for entry in self.entries:
            if entry.task.kind != "clear":
                entries[self.tasks.line(entry.task)].append(entry)
        stages: dict[str, list[int]] = {line: [] for line in entries}
        for number, stage in enumerate(self.tasks.stages):
            if self.tasks.gathers(number):
                stages[stage.line].append(number)
        self.by_name = {line: _Line(own, stages[line]) for line, own in entries.items() if own}
        self.way = Way(more=0, kept=0.0, slack=0, order="arrival")
        self.window = 0
        self.shorter_than = HOPELESS
        self.lines: Sequence[_Line] = ()
        self.behind: Sequence[tuple[int, int]] = ()
        self.clears = [entry for entry in self.entries if entry.task.kind == "clear"]
        self.openings: dict[int, list[State]] = {}

    def best_along(
        self,
        way: Way,
        width: int,
        shorter_than: float = HOPELESS,
        order: Sequence[str] | None = None,
    ) -> Solution | None:
        """Search with a beam of `width` states, with lines in the order of the way or in `order`.

        Return None if there is no schedule that is `shorter_than` so many timesteps. Raises
        PlacementError.
        """
        self.way, self.shorter_than = way, shorter_than
        self.window = way.more + len(self.resources.by_kind.get("plating", ()))
        self.lines = [self.by_name[line] for line in order or self.ordered(way)]
        self.behind = _sums(self.lines)
        return self.best(width, hold=0)

    @property
    def method(self) -> str:
        """What the search is called in a result."""
        return f"rolling window of {self.window} lines, order {self.way.order}"

    def ordered(self, way: Way) -> list[str]:
        """The lines in the order of a way, those for which something is under way first."""
        begun = self._under_way()
        first = [line for line in self.by_name if line in begun]
        rest = [line for line in self.by_name if line not in begun]
        return first + self._ordered(rest, way)

    def _opening(self, width: int) -> list[State]:
        """The states to begin with, which are the same for every way and order."""
        if width not in self.openings:
            self.openings[width] = super()._opening(width)
        return [state.copy() for state in self.openings[width]]

    def _under_way(self) -> set[str]:
        """The lines for which something is in the kitchen already."""
        used = [(stage.line, e.source) for stage in self.tasks.stages for e in stage.inputs]
        used += [(delivery.line, delivery.source) for delivery in self.tasks.deliveries]
        return {line for line, source in used if not isinstance(source, Fetch | Made)}

    def _ordered(self, lines: list[str], way: Way) -> list[str]:
        """The lines for which nothing is under way, in the order of the way."""
        if way.order == "longest":
            return sorted(lines, key=lambda line: -self.by_name[line].longest)
        if way.order == "turns":
            need = self._need_of_the_scarcest()
            lines = sorted(lines, key=lambda line: -need.get(line, 0) / self.by_name[line].work)
            return [lines.pop(-(number % 2)) for number in range(len(lines))]
        return lines

    def _need_of_the_scarcest(self) -> dict[str, int]:
        """For how long each line keeps a station of the kind of which there is the least."""
        loads: dict[str, dict[str, int]] = {}
        slots = self.resources.slots
        for stage in self.tasks.stages:
            load = loads.setdefault(stage.kind, {})
            stay = duration(stage) + VISIT * len(stage.inputs)
            load[stage.line] = load.get(stage.line, 0) + stay
        scarcest = max(
            loads, key=lambda kind: sum(loads[kind].values()) / max(1, slots(kind)), default=""
        )
        return loads.get(scarcest, {})

    def _front(self, state: State) -> Iterator[tuple[int, Entry]]:
        """The tasks that may be begun now, with the number of their line from 0."""
        number, todo, full_at, left = 0, state.todo, state.full_at, state.left
        waits = self.way.slack if state.t < state.last else state.last
        for line in self.lines:
            bits = line.bits & todo
            if not bits:
                continue
            rest = line.rest(bits)
            longest = rest.at_hand
            for entry in rest.gathered:
                if entry.tail > longest and not left[entry.takes]:
                    longest = entry.tail
            for stage in line.stages:
                if stage in full_at:
                    longest = max(longest, full_at[stage] + self._after[stage] - state.t)
            for entry in rest.entries:
                if longest - entry.tail <= waits:
                    yield number, entry
            number += 1
            if number == self.window:
                return

    def _rank(self, state: State, noise: random.Random) -> list[Entry]:
        clears = [entry for entry in self.clears if entry.bit & state.todo]
        full = {stage for stage, left in state.left.items() if not left}
        return clears + in_order(
            (
                AGE * number - e.tail - FULL_BONUS * (e.takes in full) - NOISE * noise.random(),
                e.bit,
                e,
            )
            for number, e in self._front(state)
        )

    def _score(self, state: State) -> float:
        workers, t, todo = self.resources.workers, state.t, state.todo
        work, longest, number, window = 0, 0, 0, self.window
        for line, (bits, sum_of_work) in zip(self.lines, self.behind, strict=True):
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
        return max(t + longest, energy, state.last) + energy + self.way.kept * len(state.open_at)

    def _may_open(self, state: State, mode: Mode, bit: int) -> bool:
        """Whether everything that is begun can be finished with this mode too."""
        opened = [f.stage for f in mode.fillings if not state.begun >> f.stage & 1]
        if not opened:
            return True
        begun = state.begun
        for stage in opened:
            begun |= 1 << stage
        emptied = {stage for stage, _ in mode.leaves}
        held = [stage for stage in (*state.open_at, *opened) if stage not in emptied]
        return self.safety.safe(begun, held, state.todo & ~bit)


def _sums(lines: Sequence[_Line]) -> list[tuple[int, int]]:
    """For each line, the bits and the work of it and of those after it."""
    sums: list[tuple[int, int]] = []
    bits = work = 0
    for line in reversed(lines):
        bits, work = bits | line.bits, work + line.work
        sums.append((bits, work))
    return sums[::-1]
