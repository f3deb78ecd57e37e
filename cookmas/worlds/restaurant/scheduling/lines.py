"""The remaining tasks of each order line, and those of them that may begin.

| constraint | method |
|---|---|
| a task must not hold a station for longer than it needs | it waits: `find_startable` |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cookmas.worlds.restaurant.scheduling.problem import Problem
from cookmas.worlds.restaurant.scheduling.ranking import RankedTask
from cookmas.worlds.restaurant.scheduling.states import PartialSchedule


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

        If all planned work has ended, the length of the schedule so far takes the place of `slack`.
        """
        full_at, left, t = state.full_at, state.left, state.t
        waits = slack if t < state.last else state.last
        rest = self.find_rest(self.bits & state.todo)
        longest = rest.at_hand
        for entry in rest.gathered:
            if entry.tail > longest and not left[entry.takes]:
                longest = entry.tail
        for stage in self.stages:
            if stage in full_at:
                longest = max(longest, full_at[stage] + self.after[stage] - t)
        return [entry for entry in rest.entries if longest - entry.tail <= waits]


def lines_of(problem: Problem) -> Mapping[str, LineTasks]:
    """Return the lines of a problem that have tasks, by name."""
    tasks = problem.tasks
    entries: dict[str, list[RankedTask]] = {delivery.line: [] for delivery in tasks.deliveries}
    for entry in problem.entries:
        if entry.task.kind != "clear":
            entries[tasks.line(entry.task)].append(entry)
    stages: dict[str, list[int]] = {line: [] for line in entries}
    for number, stage in enumerate(tasks.stages):
        if tasks.gathers(number):
            stages[stage.line].append(number)
    return {
        line: LineTasks(own, stages[line], problem.after) for line, own in entries.items() if own
    }
