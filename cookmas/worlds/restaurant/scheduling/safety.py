"""Safety: the check that everything that was begun can still be finished.

Gathered foods keep their station until the last of them arrives, and a dish waits for its foods; so
dishes can wait for each other in a circle. The banker's algorithm (Dijkstra 1965, Habermann 1969)
avoids this. A partial schedule is safe if the lines can be finished in some order, each with the
stations that are free or that earlier lines give back.

| constraint | method |
|---|---|
| dishes must not wait for each other in a circle | `Safety.safe` |
| a line holds what it has begun | `held` stages count as taken until their line is finished |
| a branch needs several stations at a time | `_need`, the most of each kind |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from cookmas.kitchen.stages import Made, Source
from cookmas.worlds.restaurant.scheduling.tasks import Task, Tasks

Units = dict[str, int]
"""Stations by kind."""


@dataclass(slots=True)
class _Branch:
    """The stages and tasks that lead to one input of a line's last stage.

    `gathers` are the gathering stages of the branch. `passes` has the kinds of station through
    which its tasks carry food, each with the bit of the task.
    """

    gathers: list[int] = field(default_factory=list)
    passes: list[tuple[int, str]] = field(default_factory=list)


class Safety:
    """A check whether partial schedules of a workload are safe.

    `bits` maps each task to the bit by which a state marks it as not yet planned. `units` has the
    number of stations of each kind.
    """

    def __init__(self, tasks: Tasks, bits: Mapping[Task, int], units: Mapping[str, int]) -> None:
        self.tasks = tasks
        self.bits = bits
        self.kind = [stage.kind for stage in tasks.stages]
        self.line = [stage.line for stage in tasks.stages]
        kept = {self.kind[n] for n in range(len(self.kind)) if tasks.gathers(n)}
        self.units = {kind: units.get(kind, 0) for kind in sorted(kept)}
        self.lasts: dict[str, int] = {}
        self.branches: dict[str, list[_Branch]] = {}
        self._concerns: dict[str, tuple[int, int]] = {}
        self._known: dict[tuple[str, int, int], Units] = {}
        for delivery in tasks.deliveries:
            if isinstance(delivery.source, Made):
                last = delivery.source.stage
                self.lasts[delivery.line] = last
                self.branches[delivery.line] = [
                    self._branch(last, index) for index in range(len(tasks.stages[last].inputs))
                ]
                self._concerns[delivery.line] = self._masks_of(delivery.line)

    def _branch(self, stage: int, index: int) -> _Branch:
        branch = _Branch()
        self._follow(branch, stage, index, Task("work", stage))
        return branch

    def _follow(self, branch: _Branch, stage: int, index: int, onward: Task) -> None:
        """Add to a branch the stages and tasks that lead to an input of a stage; `onward` is the
        task that empties this stage.
        """
        source: Source = self.tasks.stages[stage].inputs[index].source
        task = Task("input", stage, index)
        passed: list[str] = []
        while isinstance(source, Made):
            stage, index = source.stage, 0
            if self.tasks.gathers(stage):
                task = Task("work", stage)
                break
            passed.append(self.kind[stage])
            source = self.tasks.stages[stage].inputs[0].source
            task = Task("input", stage, 0)
        bit = self.bits.get(task, self.bits.get(onward, 0))
        branch.passes.extend((bit, kind) for kind in passed if kind in self.units)
        if task.kind == "work":
            branch.gathers.append(stage)
            for number in range(len(self.tasks.stages[stage].inputs)):
                self._follow(branch, stage, number, task if task in self.bits else onward)

    def _masks_of(self, line: str) -> tuple[int, int]:
        """Return the gathering stages and the tasks that decide what a line needs, as bit masks."""
        stages, tasks = 1 << self.lasts[line], 0
        for branch in self.branches[line]:
            for stage in branch.gathers:
                stages |= 1 << stage
            for bit, _ in branch.passes:
                tasks |= bit
        return stages, tasks

    def safe(self, begun: int, held: Collection[int], todo: int) -> bool:
        """Return whether all lines can be finished.

        `begun` has the bits of the stages begun so far. `held` are those of them that keep a
        station. `todo` has the bits of the tasks that are not planned.
        """
        free = dict(self.units)
        waiting: dict[str, Units] = {}
        for stage in held:
            kind = self.kind[stage]
            free[kind] -= 1
            holds = waiting.setdefault(self.line[stage], {})
            holds[kind] = holds.get(kind, 0) + 1
        while waiting:
            able = [
                line
                for line, holds in waiting.items()
                if self._fits(line, holds, free, begun, todo)
            ]
            if not able:
                return False
            for line in able:
                for kind, units in waiting.pop(line).items():
                    free[kind] += units
        return True

    def _fits(self, line: str, holds: Units, free: Units, begun: int, todo: int) -> bool:
        """Return whether a line can be finished, one branch after the other.

        `holds` are the stations that the line has, `free` those that no line has.
        """
        if line not in self.lasts:
            return True
        for kind, units in self._needs(line, begun, todo).items():
            if free[kind] < units and free[kind] < self.units[kind] - holds.get(kind, 0):
                return False
        return True

    def _needs(self, line: str, begun: int, todo: int) -> Units:
        """Return the greatest number of stations of each kind that a branch of a line needs at a
        time.
        """
        stages, tasks = self._concerns[line]
        key = (line, begun & stages, todo & tasks)
        if key not in self._known:
            needs = self._known[key] = Units()
            last = self.lasts[line]
            first = None if begun >> last & 1 else self.kind[last]
            for branch in self.branches[line]:
                need = self._need(branch, begun, todo)
                if first:
                    need[first] = need.get(first, 0) + 1
                for kind, units in need.items():
                    needs[kind] = max(needs.get(kind, 0), units)
        return self._known[key]

    def _need(self, branch: _Branch, begun: int, todo: int) -> Units:
        """Return the greatest number of stations of each kind that a branch needs at a time."""
        need: Units = {}
        for stage in branch.gathers:
            if not begun >> stage & 1:
                need[self.kind[stage]] = need.get(self.kind[stage], 0) + 1
        for bit, kind in branch.passes:
            if bit & todo:
                need.setdefault(kind, 1)
        return need
