"""The search for many lines: the first of them at a time, and nothing begun that may block another.

Where many dishes are made at once, those with the longest way to go would all be begun first, and
fill the kitchen with halves of dishes. So only the first lines that are not begun to the end are
gone on with; the next one comes in when one of them has all its tasks planned.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from kitchen.layout import Kitchen
from kitchen.stages import Fetch, Made
from kitchen.state import KitchenState
from worlds.restaurant.scheduling.mode import Mode
from worlds.restaurant.scheduling.ranking import Entry
from worlds.restaurant.scheduling.reuse import Remaining
from worlds.restaurant.scheduling.safety import Safety
from worlds.restaurant.scheduling.search import Search
from worlds.restaurant.scheduling.states import State

AGE = 3
"""How many timesteps less urgent each line is than the one before it."""

FULL_BONUS = 10
"""How many timesteps sooner a task counts that takes on what is complete, and so makes room."""

NOISE = 6
"""How many timesteps at most the order of equally urgent tasks is blurred by."""


class RollingSearch(Search):
    """Finds schedules for a workload of many lines.

    As many lines are worked on at a time as there are plating places, and `more`. Every station
    that a state keeps counts as `kept` timesteps.
    """

    def __init__(
        self, kitchen: Kitchen, state: KitchenState, work: Remaining, more: int, kept: float
    ) -> None:
        super().__init__(kitchen, state, work)
        self.kept = kept
        self.window = more + len(self.resources.by_kind.get("plating", ()))
        units = {kind: len(names) for kind, names in self.resources.by_kind.items()}
        self.safety = Safety(self.tasks, {e.task: e.bit for e in self.entries}, units)
        by_line: dict[str, list[Entry]] = {d.line: [] for d in self.tasks.deliveries}
        for entry in self.entries:
            if entry.task.kind != "clear":
                by_line[self.tasks.line(entry.task)].append(entry)
        begun = self._under_way()
        self.lines = [
            (sum(entry.bit for entry in by_line[line]), by_line[line])
            for line in sorted(by_line, key=lambda line: line not in begun)
        ]

    def _under_way(self) -> set[str]:
        """The lines for which something is in the kitchen already."""
        used = [(stage.line, e.source) for stage in self.tasks.stages for e in stage.inputs]
        used += [(delivery.line, delivery.source) for delivery in self.tasks.deliveries]
        return {line for line, source in used if not isinstance(source, Fetch | Made)}

    def _front(self, state: State) -> Iterator[tuple[int, Entry]]:
        """The tasks that may be begun now, with the number of their line from 0."""
        number, todo = 0, state.todo
        for bits, entries in self.lines:
            if bits & todo:
                for entry in entries:
                    if entry.bit & todo:
                        yield number, entry
                number += 1
                if number == self.window:
                    return

    def _rank(self, state: State, noise: random.Random) -> list[Entry]:
        clears = [e for e in self.entries if e.task.kind == "clear" and e.bit & state.todo]
        keyed = [
            (AGE * number - e.tail - self._bonus(state, e) - NOISE * noise.random(), e.bit, e)
            for number, e in self._front(state)
        ]
        return clears + [entry for *_, entry in sorted(keyed, key=lambda item: item[:2])]

    def _bonus(self, state: State, entry: Entry) -> int:
        return FULL_BONUS if super()._bonus(state, entry) else 0

    def _score(self, state: State) -> float:
        workers, t = self.resources.workers, state.t
        work = sum(
            entry.work
            for bits, entries in self.lines
            if bits & state.todo
            for entry in entries
            if entry.bit & state.todo
        )
        longest = max((entry.tail for _, entry in self._front(state)), default=0)
        busy = sum((state.levels[level] >> t).bit_count() for level in range(workers))
        energy = t + (work + busy) / workers
        return max(t + longest, energy, state.last) + energy + self.kept * len(state.open_at)

    def _may_open(self, state: State, mode: Mode, bit: int) -> bool:
        """Whether everything that is begun can be finished with this mode too."""
        opened = [a.stage for a in mode.arrivals if not state.begun >> a.stage & 1]
        if not opened:
            return True
        begun = state.begun
        for stage in opened:
            begun |= 1 << stage
        emptied = {stage for stage, _ in mode.leaves}
        held = [stage for stage in (*state.open_at, *opened) if stage not in emptied]
        return self.safety.safe(begun, held, state.todo & ~bit)
